import { describe, expect, it } from 'vitest';
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { readSchema } from '../../src/io/sqlite-schema.ts';
import { temporaryFolder } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

function fill(db: Database.Database, tables: number): void {
  for (let i = 0; i < tables; i++) db.exec(`CREATE TABLE t${i}(a TEXT, ${'b'.repeat(i % 900)}x TEXT); CREATE INDEX i${i} ON t${i}(a)`);
}

describe('readSchema', () => {
  it.each([1, 30, 400])('names the %i tables of a database at rest, over many pages too', (tables) => {
    const path = join(temporaryFolder(), 'x.db');
    const db = new Database(path);
    fill(db, tables);
    db.close();
    const schema = readSchema(path);
    expect([...(schema ?? new Map()).keys()].sort()).toEqual(Array.from({ length: tables }, (_, i) => `t${i}`).sort());
    expect(schema?.get('t0')).toMatch(/^CREATE TABLE t0/);
  });

  it('reads what only the WAL holds, and touches nothing', async () => {
    const folder = temporaryFolder();
    const live = join(folder, 'live.db');
    const db = new Database(live);
    db.pragma('journal_mode = WAL');
    fill(db, 3);
    const copy = join(temporaryFolder(), 'copy.db');
    copyFileSync(live, copy);
    copyFileSync(`${live}-wal`, `${copy}-wal`);
    db.close();
    await untouched(join(copy, '..'), () => expect([...(readSchema(copy) ?? [])].map(([name]) => name).sort()).toEqual(['t0', 't1', 't2']));
  });

  it.each([
    ['no database', (path: string) => writeFileSync(path, 'x'.repeat(9000))],
    ['empty', (path: string) => truncateSync(path, 0)],
    ['zeroed behind the header', (path: string) => writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, 100), Buffer.alloc(8092)]))],
  ])('answers null for a file that is %s', (_name, damage) => {
    const path = join(temporaryFolder(), 'x.db');
    const db = new Database(path);
    fill(db, 5);
    db.close();
    damage(path);
    expect(readSchema(path)).toBeNull();
  });
});
