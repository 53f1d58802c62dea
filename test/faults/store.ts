import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sha256Of } from '../../src/io/splice.ts';
import type { Action } from '../../src/model/step.ts';
import { temporaryFolder } from '../helpers/paths.ts';

const lines = ['{"id":"s"}', 'broken', '{"id":"b","parentId":"x"}', ''].join('\n');

/** A small store in which one plan changes a database and files in every way there is. */
export function everyWay(): { folder: string; actions: Action[] } {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'a.jsonl'), lines);
  writeFileSync(join(folder, 'b.deleted'), 'archive');
  writeFileSync(join(folder, 'c.lock'), '{}');
  const database = join(folder, 'inner', 'd.db');
  const db = new Database(database);
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'one'), (2, 'two');");
  db.close();
  return {
    folder,
    actions: [
      { kind: 'remove-lines', path: join(folder, 'a.jsonl'), line: 2, count: 1, sha256: sha256Of('broken\n'), sidecar: join(folder, 'a.jsonl.quarantine') },
      { kind: 'rename-file', path: join(folder, 'b.deleted'), to: join(folder, 'inner', 'b'), sha256: sha256Of('archive') },
      { kind: 'retire-file', path: join(folder, 'c.lock'), sha256: sha256Of('{}') },
      { kind: 'update-rows', database, table: 't', rows: [{ key: { id: 1 }, before: { v: 'one' }, after: { v: null } }] },
      { kind: 'insert-rows', database, table: 't', rows: [{ v: 'three' }] },
    ],
  };
}
