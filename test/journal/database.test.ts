import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { FriendlyError } from '../../src/model/errors.ts';
import type { Action, CellMap } from '../../src/model/step.ts';
import { contentsOf, dumpDatabase, journalBench, planOf } from '../helpers/journal.ts';
import { temporaryFolder } from '../helpers/paths.ts';
import { rawZstd } from '../helpers/zstd.ts';

/** Everything that makes undoing hard: triggers that write elsewhere, a full-text index, foreign keys, odd tables and values. */
const schema = `
PRAGMA journal_mode = WAL;
CREATE TABLE session (id TEXT PRIMARY KEY, revert TEXT, count INTEGER DEFAULT 0, calls INTEGER DEFAULT 0);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, time INTEGER, data TEXT NOT NULL, any);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL REFERENCES message(id) ON DELETE CASCADE, session_id TEXT, data TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, body TEXT, active INTEGER, identity BLOB, tool_calls TEXT);
CREATE VIRTUAL TABLE messages_fts USING fts5(body, content='messages', content_rowid='id');
CREATE TRIGGER ai AFTER INSERT ON messages BEGIN INSERT INTO messages_fts(rowid, body) VALUES (new.id, new.body); END;
CREATE TRIGGER au AFTER UPDATE OF body ON messages BEGIN
  INSERT INTO messages_fts(messages_fts, rowid, body) VALUES ('delete', old.id, old.body);
  INSERT INTO messages_fts(rowid, body) VALUES (new.id, new.body);
  UPDATE messages SET identity = NULL WHERE session_id = new.session_id;
END;
CREATE TRIGGER ad AFTER DELETE ON messages BEGIN INSERT INTO messages_fts(messages_fts, rowid, body) VALUES ('delete', old.id, old.body); END;
CREATE TRIGGER active_changed AFTER UPDATE OF active ON messages BEGIN UPDATE session SET revert = coalesce(revert, '') || '!' WHERE id = new.session_id; END;
CREATE TABLE lease (name TEXT, owner TEXT, until REAL, PRIMARY KEY (name, owner)) WITHOUT ROWID;
CREATE TABLE receipt (rowid TEXT, _rowid_ TEXT, oid TEXT PRIMARY KEY, ids TEXT, note TEXT);
CREATE TABLE node (name TEXT PRIMARY KEY, entry TEXT, valid INTEGER, seen INTEGER, b GENERATED ALWAYS AS (json_extract(entry, '$.a')));
CREATE TRIGGER entry_changed AFTER UPDATE OF entry ON node BEGIN UPDATE node SET valid = 0, seen = NULL WHERE name = new.name; END;
CREATE TABLE event (session TEXT NOT NULL, seq INTEGER NOT NULL, json TEXT, packed BLOB, bytes INTEGER, note TEXT, PRIMARY KEY (session, seq));
CREATE TABLE active (session TEXT NOT NULL, position INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (session, position), FOREIGN KEY (session, seq) REFERENCES event (session, seq) ON DELETE CASCADE);
CREATE UNIQUE INDEX active_seq ON active (session, seq);
INSERT INTO event VALUES ('e', 0, '{"p":1}', NULL, 7, NULL), ('e', 1, '{"p":2}', NULL, NULL, NULL), ('e', 2, '{"p":3}', NULL, 7, NULL), ('e', 3, '{"p":4}', NULL, 7, NULL), ('f', 0, '{}', NULL, 2, NULL), ('f', 1, '{}', NULL, 2, NULL), ('f', 2, '{}', NULL, 2, NULL), ('g', 0, NULL, x'${rawZstd(Buffer.from('{"p":"ü"}')).toString('hex')}', 10, 'about it'), ('g', 1, CAST(x'7b2270223a312c2271223a22ff227d' AS TEXT), NULL, NULL, NULL), ('g', 2, NULL, x'00', 1, '');
INSERT INTO active VALUES ('e', 0, 0), ('e', 1, 1), ('e', 2, 3), ('f', 0, 2);
INSERT INTO node VALUES ('n', '{"a":1,"b":2}', 1, 0);
CREATE TABLE checked (n INTEGER CHECK (n > 0), doubled INTEGER GENERATED ALWAYS AS (n * 2) STORED) STRICT;
INSERT INTO session VALUES ('s1', '{"messageID":"msg_a2", "snapshot" : 1.0e5}', 3, 0), ('s2', NULL, 0, 0);
INSERT INTO message VALUES ('msg_a1', 's1', 1, '{"role":"user","n":1.50}', x'00ff'), ('msg_a2', 's1', 2, '{"role":"assistant","parentID" : "msg_a1","big":12345678901234567890}', 9007199254740993), ('msg_b1', 's2', 3, '{"role":"user"}', 1.0);
INSERT INTO part VALUES ('prt_1', 'msg_a1', 's1', '{}'), ('prt_2', 'msg_a2', 's1', '{"type":"compaction","tail_start_id":"msg_a1"}');
INSERT INTO messages (session_id, body, active, identity, tool_calls) VALUES ('s1', 'one' || char(0) || 'x', 1, x'01', '[1,2]'), ('s1', 'two', 0, x'02', '[3]'), ('s1', CAST(x'ff41' AS TEXT), 1, NULL, 'no json');
INSERT INTO lease VALUES ('l', 'me', 5), ('m', 'me', 6.5);
INSERT INTO receipt VALUES ('r', 's', 'k1', '["msg_a1","other","msg_a2"]', 'import:["x","msg_a1"]');
INSERT INTO checked (n) VALUES (4);
`;

function makeStore(): { folder: string; path: string } {
  const folder = temporaryFolder();
  const path = join(folder, 'agent.db');
  const db = new Database(path);
  db.exec(schema);
  db.close();
  return { folder, path };
}

const packed = { column: 'packed', bytes: 'bytes', clear: ['note'] };
const mapping = { msg_a1: 'msg_001', msg_a2: 'msg_002' };

function cases(database: string): [string, Action[], (db: InstanceType<typeof Database>) => void][] {
  const update = (table: string, key: CellMap, before: CellMap, after: CellMap): Action => ({ kind: 'update-rows', database, table, rows: [{ key, before, after }] });
  const value = (db: InstanceType<typeof Database>, sql: string): unknown => db.prepare(sql).pluck().get();
  return [
    ['a cell, with a trigger that writes to another table', [update('messages', { id: 2 }, { active: 0 }, { active: 1 })], (db) => expect(value(db, "SELECT revert FROM session WHERE id = 's1'")).toBe('{"messageID":"msg_a2", "snapshot" : 1.0e5}!')],
    ['an indexed text, with a trigger that changes its peers', [update('messages', { id: 2 }, { body: 'two' }, { body: 'three' })], (db) => expect(value(db, "SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'three'")).toBe(2)],
    ['NULL, a blob and a large integer', [update('message', { id: 'msg_a2' }, { any: { $integer: '9007199254740993' } }, { any: null }), update('message', { id: 'msg_a1' }, { any: { $blob: 'AP8=' } }, { any: 2.5 })], (db) => expect(value(db, "SELECT typeof(any) FROM message WHERE id = 'msg_a2'")).toBe('null')],
    ['a row without rowid', [{ kind: 'delete-rows', database, table: 'lease', rows: [{ key: { name: 'l', owner: 'me' }, before: { until: 5 } }] }], (db) => expect(value(db, 'SELECT count(*) FROM lease')).toBe(1)],
    ['the key of a row without rowid', [update('lease', { name: 'l' }, { owner: 'me' }, { owner: 'you' })], (db) => expect(value(db, "SELECT until FROM lease WHERE owner = 'you'")).toBe(5)],
    ['a strict table with a generated column', [update('checked', { n: 4 }, { n: 4 }, { n: 5 })], (db) => expect(value(db, 'SELECT doubled FROM checked')).toBe(10)],
    ['a new row', [{ kind: 'insert-rows', database, table: 'messages', rows: [{ session_id: 's1', body: 'new', active: 1 }] }], (db) => expect(value(db, 'SELECT max(id) FROM messages')).toBe(4)],
    ['clones behind the others, counted', [
      { kind: 'clone-rows', database, table: 'messages', keyColumn: 'id', rows: [2, 3, 1], set: { active: 1, identity: null } },
      update('session', { id: 's1' }, { count: 3, calls: 0 }, { count: { $count: { table: 'messages', where: { session_id: 's1' } } }, calls: { $arrayLengths: { table: 'messages', where: { session_id: 's1', active: 1 }, column: 'tool_calls' } } }),
    ], (db) => expect(db.prepare("SELECT count, calls FROM session WHERE id = 's1'").raw().get()).toEqual([6, 5])],
    ['a JSON cell, its other bytes kept', [{ kind: 'edit-json-cell', database, table: 'session', key: { id: 's1' }, column: 'revert', edits: [{ op: 'remove', path: ['messageID'], before: 'msg_a2' }] }], (db) => expect(value(db, "SELECT revert FROM session WHERE id = 's1'")).toBe('{"snapshot" : 1.0e5}')],
    ['a JSON cell whose row a trigger marks: the mark is put back', [{ kind: 'edit-json-cell', database, table: 'node', key: { name: 'n' }, column: 'entry', edits: [{ op: 'remove', path: ['a'], before: 1 }] }], (db) => expect(db.prepare('SELECT entry, valid, seen, b FROM node').raw().get()).toEqual(['{"b":2}', 1, 0, null])],
    ['room for rows between others, whatever refers to them', [
      { kind: 'shift-rows', database, table: 'event', where: { session: 'e' }, column: 'seq', shifts: [{ from: 3, by: 2 }, { from: 1, by: 1 }], rows: 3 },
      { kind: 'shift-rows', database, table: 'active', where: { session: 'e' }, column: 'seq', shifts: [{ from: 3, by: 2 }, { from: 1, by: 1 }], rows: 2 },
      { kind: 'shift-rows', database, table: 'active', where: { session: 'e' }, column: 'position', shifts: [{ from: 1, by: 1 }], rows: 2 },
      { kind: 'insert-rows', database, table: 'event', rows: [{ session: 'e', seq: 1, json: '{"new":1}' }, { session: 'e', seq: 4 }, { session: 'e', seq: 5 }] },
      { kind: 'insert-rows', database, table: 'active', rows: [{ session: 'e', position: 1, seq: 1 }] },
      { kind: 'edit-json-cell', database, table: 'event', key: { session: 'e', seq: 3 }, column: 'json', edits: [{ op: 'set', path: ['p'], before: 4, after: 40 }] },
    ], (db) => {
      expect(db.prepare("SELECT seq, json FROM event WHERE session = 'e' ORDER BY seq").raw().all()).toEqual([[0, '{"p":1}'], [1, '{"new":1}'], [2, '{"p":2}'], [3, '{"p":3}'], [4, null], [5, null], [6, '{"p":40}']]);
      expect(db.prepare("SELECT position, seq FROM active WHERE session = 'e' ORDER BY position").raw().all()).toEqual([[0, 0], [1, 1], [2, 2], [3, 6]]);
      expect(value(db, "SELECT group_concat(seq) FROM event WHERE session = 'f'")).toBe('0,1,2');
    }],
    ['a JSON text with its length, and one without', [0, 1].map((seq): Action => ({ kind: 'edit-json-cell', database, table: 'event', key: { session: 'e', seq }, column: 'json', edits: [{ op: 'set', path: ['p'], before: seq + 1, after: 'é' }], packed })), (db) => expect(db.prepare("SELECT json, bytes FROM event WHERE session = 'e' AND seq < 2 ORDER BY seq").raw().all()).toEqual([['{"p":"é"}', 10], ['{"p":"é"}', null]])],
    ['a JSON text that lay compressed', [{ kind: 'edit-json-cell', database, table: 'event', key: { session: 'g', seq: 0 }, column: 'json', edits: [{ op: 'set', path: ['p'], before: 'ü', after: 'u' }], packed }], (db) => expect(db.prepare("SELECT json, packed, bytes, note FROM event WHERE session = 'g' AND seq = 0").raw().get()).toEqual(['{"p":"u"}', null, 9, null])],
    ['a token that nobody had', [update('receipt', { oid: 'k1' }, {}, { rowid: { $token: 'hex32' } })], (db) => expect(value(db, 'SELECT "rowid" FROM receipt')).toMatch(/^[0-9a-f]{32}$/)],
    ['ids in every place', [{ kind: 'map-ids', database, mapping, columns: [
      { table: 'message', column: 'id' }, { table: 'part', column: 'message_id' }, { table: 'message', column: 'data', path: ['parentID'], where: { session_id: 's1' } },
      { table: 'part', column: 'data', path: ['tail_start_id'] }, { table: 'session', column: 'revert', path: ['messageID'] }, { table: 'receipt', column: 'ids', path: ['*'] }, { table: 'receipt', column: 'note', embedded: true },
    ] }], (db) => {
      expect(db.prepare('SELECT id, data FROM message ORDER BY time').raw().all()).toEqual([['msg_001', '{"role":"user","n":1.50}'], ['msg_002', '{"role":"assistant","parentID" : "msg_001","big":12345678901234567890}'], ['msg_b1', '{"role":"user"}']]);
      expect(db.prepare('SELECT ids, note FROM receipt').raw().get()).toEqual(['["msg_001","other","msg_002"]', 'import:["x","msg_001"]']);
      expect(value(db, "SELECT revert FROM session WHERE id = 's1'")).toBe('{"messageID":"msg_002", "snapshot" : 1.0e5}');
      expect(value(db, 'SELECT count(*) FROM part JOIN message ON message.id = message_id')).toBe(2);
    }],
    ['a trigger that could not run here', [{ kind: 'drop-triggers', database, triggers: [{ name: 'active_changed', sql: 'CREATE TRIGGER active_changed AFTER UPDATE OF active ON messages BEGIN UPDATE session SET revert = coalesce(revert, \'\') || \'!\' WHERE id = new.session_id; END' }] }, update('messages', { id: 2 }, { active: 0 }, { active: 1 })], (db) => expect(value(db, "SELECT revert FROM session WHERE id = 's1'")).not.toContain('!')],
  ];
}

describe('a database repair', () => {
  it.each(cases('/unused').map(([name], index) => [name, index] as const))('%s: applied, undone, and the undo undone', async (_name, index) => {
    const { folder, path } = makeStore();
    const bench = journalBench();
    const [, actions, check] = cases(path)[index] ?? [];
    const before = dumpDatabase(path);
    const applied = await bench.apply(planOf(folder, actions ?? []));
    expect(applied.rolledBack).toBeNull();
    const db = new Database(path);
    check?.(db);
    expect(db.pragma('foreign_key_check')).toEqual([]);
    db.close();
    const after = dumpDatabase(path);
    expect(after).not.toEqual(before);

    const undone = await bench.undo(applied.journal ?? '');
    expect(dumpDatabase(path)).toEqual(before);
    const redone = await bench.undo(undone.journal ?? '');
    expect(dumpDatabase(path)).toEqual(after);
    await bench.undo(redone.journal ?? '');
    expect(dumpDatabase(path)).toEqual(before);
  });

  it.each<[string, (path: string) => Action]>([
    ['a before-value that does not hold', (database) => ({ kind: 'update-rows', database, table: 'messages', rows: [{ key: { id: 1 }, before: { active: 1 }, after: { active: 0 } }, { key: { id: 2 }, before: { active: 1 }, after: { active: 0 } }] })],
    ['a row that is gone', (database) => ({ kind: 'update-rows', database, table: 'messages', rows: [{ key: { id: 99 }, before: {}, after: { active: 0 } }] })],
    ['a key that names several rows', (database) => ({ kind: 'update-rows', database, table: 'messages', rows: [{ key: { session_id: 's1' }, before: {}, after: { active: 0 } }] })],
    ['no key at all', (database) => ({ kind: 'update-rows', database, table: 'messages', rows: [{ key: {}, before: {}, after: { active: 0 } }] })],
    ['a message to be deleted', (database) => ({ kind: 'delete-rows', database, table: 'messages', rows: [{ key: { id: 1 }, before: {} }] })],
    ['a foreign key that would break', (database) => ({ kind: 'update-rows', database, table: 'part', rows: [{ key: { id: 'prt_1' }, before: { message_id: 'msg_a1' }, after: { message_id: 'msg_none' } }] })],
    ['ids mapped in one place only', (database) => ({ kind: 'map-ids', database, mapping, columns: [{ table: 'message', column: 'id' }] })],
    ['two ids that become one', (database) => ({ kind: 'map-ids', database, mapping: { msg_a1: 'msg_x', msg_a2: 'msg_x' }, columns: [{ table: 'message', column: 'id' }] })],
    ['an id that is taken', (database) => ({ kind: 'map-ids', database, mapping: { msg_a1: 'msg_b1' }, columns: [{ table: 'message', column: 'id' }, { table: 'part', column: 'message_id' }] })],
    ['a table that is not there', (database) => ({ kind: 'update-rows', database, table: 'nothing', rows: [{ key: { id: 1 }, before: {}, after: { active: 0 } }] })],
    ['a JSON text that is not UTF-8', (database) => ({ kind: 'edit-json-cell', database, table: 'event', key: { session: 'g', seq: 1 }, column: 'json', edits: [{ op: 'set', path: ['p'], before: 1, after: 2 }] })],
    ['a compressed text that cannot be unpacked', (database) => ({ kind: 'edit-json-cell', database, table: 'event', key: { session: 'g', seq: 2 }, column: 'json', edits: [], packed })],
    ['room where other rows are than the plan saw', (database) => ({ kind: 'shift-rows', database, table: 'event', where: { session: 'e' }, column: 'seq', shifts: [{ from: 1, by: 1 }], rows: 2 })],
    ['room that would close a gap', (database) => ({ kind: 'shift-rows', database, table: 'event', where: { session: 'e' }, column: 'seq', shifts: [{ from: 1, by: -1 }], rows: 3 })],
    ['a table of the search index', (database) => ({ kind: 'update-rows', database, table: 'messages_fts_data', rows: [{ key: { id: 1 }, before: {}, after: { block: null } }] })],
  ])('%s is refused and nothing is written', async (_name, action) => {
    const { folder, path } = makeStore();
    const bench = journalBench();
    const before = contentsOf(folder);
    await expect(bench.apply(planOf(folder, [action(path)]))).rejects.toBeInstanceOf(FriendlyError);
    expect(contentsOf(folder)).toEqual(before);
  });

  it('is not undone when somebody changed one of its rows since', async () => {
    const { folder, path } = makeStore();
    const bench = journalBench();
    const { journal } = await bench.apply(planOf(folder, [{ kind: 'update-rows', database: path, table: 'messages', rows: [{ key: { id: 2 }, before: { active: 0 }, after: { active: 1 } }] }]));
    const db = new Database(path);
    db.exec('UPDATE messages SET active = 7 WHERE id = 2');
    db.close();
    const changed = dumpDatabase(path);
    await expect(bench.undo(journal ?? '')).rejects.toMatchObject({ exitCode: 3 });
    expect(dumpDatabase(path)).toEqual(changed);
  });

  it('is undone around rows that the product wrote since', async () => {
    const { folder, path } = makeStore();
    const bench = journalBench();
    const { journal } = await bench.apply(planOf(folder, [{ kind: 'clone-rows', database: path, table: 'messages', keyColumn: 'id', rows: [1], set: {} }]));
    const db = new Database(path);
    db.exec("INSERT INTO messages (session_id, body) VALUES ('s2', 'later')");
    db.close();
    await bench.undo(journal ?? '');
    const again = new Database(path, { readonly: true });
    expect(again.prepare('SELECT id FROM messages ORDER BY id').pluck().all()).toEqual([1, 2, 3, 5]);
    expect(again.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'messages'").pluck().get()).toBe(5);
    again.close();
  });
});
