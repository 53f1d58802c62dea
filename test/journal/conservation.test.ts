import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openExclusive } from '../../src/journal/database.ts';
import { rowLogPath } from '../../src/journal/journal-file.ts';
import { undoInDatabase } from '../../src/journal/row-undo.ts';
import type { Action } from '../../src/model/step.ts';
import { contentsOf, journalBench, planOf } from '../helpers/journal.ts';
import { temporaryFolder } from '../helpers/paths.ts';

const tables = `
CREATE TABLE session (id TEXT PRIMARY KEY, state TEXT);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT REFERENCES session(id), body TEXT);
CREATE TABLE seen (id TEXT PRIMARY KEY, body TEXT);
INSERT INTO session VALUES ('s1', 'old'), ('s2', 'old');
INSERT INTO message VALUES ('m1', 's1', 'one'), ('m2', 's1', 'two');
INSERT INTO seen VALUES ('m1', 'precious');`;

function store(extra: string): { folder: string; path: string } {
  const folder = temporaryFolder();
  const path = join(folder, 'd.db');
  const db = new Database(path);
  db.exec(`${tables}\n${extra}`);
  db.close();
  return { folder, path };
}

const update = (database: string): Action => ({ kind: 'update-rows', database, table: 'session', rows: [{ key: { id: 's1' }, before: { state: 'old' }, after: { state: 'new' } }] });

type Case = [name: string, schema: string, action: (database: string) => Action, says: RegExp];

const cases: Case[] = [
  ['a trigger that deletes rows of another table', "CREATE TRIGGER t AFTER UPDATE ON session BEGIN DELETE FROM message WHERE session_id = new.id AND id = 'm2'; END;", update, /1 rows of message would be deleted, which no step asks for/],
  ['a trigger that replaces rows of another table, which fires no trigger for those that go', "CREATE TRIGGER t AFTER UPDATE ON session BEGIN INSERT OR REPLACE INTO seen VALUES ('m1', 'worthless'); END;", update, /seen has 1 rows where 2 were expected/],
  ['a table that replaces by itself', "CREATE TABLE log (k TEXT UNIQUE ON CONFLICT REPLACE, v TEXT); INSERT INTO log VALUES ('a', 'precious');", (database) => ({ kind: 'insert-rows', database, table: 'log', rows: [{ k: 'a', v: 'worthless' }] }), /log has 1 rows where 2 were expected/],
  ['a reference that would point nowhere', '', (database) => ({ kind: 'update-rows', database, table: 'message', rows: [{ key: { id: 'm1' }, before: { session_id: 's1' }, after: { session_id: 'none' } }] }), /1 rows of message would point to a row that does not exist/],
];

describe('rows in are rows out', () => {
  it.each(cases)('%s: refused before anything is written, by a dry run too', async (_name, schema, action, says) => {
    const { folder, path } = store(schema);
    const bench = journalBench();
    const plan = planOf(folder, [action(path)]);
    const before = contentsOf(folder);
    await expect(bench.apply(plan, { dryRun: true })).rejects.toMatchObject({ message: expect.stringMatching(says) });
    await expect(bench.apply(plan)).rejects.toMatchObject({ message: expect.stringMatching(says) });
    expect(contentsOf(folder)).toEqual(before);
  });

  it('the word alone does no harm: a trigger that replaces nothing', async () => {
    const { folder, path } = store("CREATE TRIGGER t AFTER UPDATE ON session BEGIN INSERT OR REPLACE INTO seen VALUES ('m9', replace(new.state, 'n', 'N')); END;");
    const bench = journalBench();
    const before = contentsOf(folder);
    const { journal } = await bench.apply(planOf(folder, [update(path)]));
    await bench.undo(journal ?? '');
    expect(contentsOf(folder)).toEqual(before);
  });

  it('an undo looks at its rows again inside its own transaction', async () => {
    const { folder, path } = store('');
    const bench = journalBench();
    const { journal } = await bench.apply(planOf(folder, [update(path)]));
    const db = new Database(path);
    db.exec("UPDATE session SET state = 'theirs' WHERE id = 's1'");
    db.close();
    const before = contentsOf(folder);
    const own = openExclusive(path);
    try {
      expect(() => undoInDatabase(own, path, rowLogPath(join(bench.journals, journal ?? ''), 1), join(folder, 'log'))).toThrow(/session .* is no longer as the repair left it/);
    } finally {
      own.close();
    }
    expect(contentsOf(folder)).toEqual(before);
  });
});
