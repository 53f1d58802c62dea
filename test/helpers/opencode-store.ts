import Database from 'better-sqlite3';
import { v1Digits, v2Digits } from '../../src/ids/index.ts';

/** The wrap of 2026-08-14T11:19:55.136Z, ms. */
export const wrap = 1786706395136;
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A v1 message or part id minted at `ms`; the tail is made from time and counter, so stores are the same on every run. */
export function v1(ms: number, counter = 1, prefix = 'msg'): string {
  return `${prefix}_${v1Digits(ms, counter, prefix === 'ses' ? 'descending' : 'ascending')}${tail(ms, counter, 14)}`;
}

export function v2(ms: number, counter = 1, prefix = 'msg'): string {
  return `${prefix}_${v2Digits(ms, counter, prefix === 'ses' ? 'descending' : 'ascending')}${tail(ms, counter, 9)}`;
}

function tail(ms: number, counter: number, length: number): string {
  let seed = (Math.abs(ms) % 1_000_003) * 31 + counter * 7919 + 17;
  let text = '';
  for (let i = 0; i < length; i++) {
    seed = (seed * 48271) % 2147483647;
    text += '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'[seed % 62];
  }
  return text;
}

const common = `
CREATE TABLE project(id TEXT PRIMARY KEY, worktree TEXT NOT NULL, sandboxes TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
CREATE TABLE todo(session_id TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, position INTEGER NOT NULL, content TEXT NOT NULL, PRIMARY KEY(session_id, position));
CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT NOT NULL REFERENCES message(id) ON DELETE CASCADE, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE event_sequence(aggregate_id TEXT PRIMARY KEY, seq INTEGER NOT NULL, owner_id TEXT);
CREATE TABLE event(id TEXT PRIMARY KEY, aggregate_id TEXT NOT NULL REFERENCES event_sequence(aggregate_id) ON DELETE CASCADE, seq INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL);
CREATE UNIQUE INDEX event_aggregate_seq_idx ON event(aggregate_id, seq);
CREATE INDEX event_aggregate_type_seq_idx ON event(aggregate_id, type, seq);
CREATE INDEX part_message_id_id_idx ON part(message_id, id);
CREATE INDEX part_session_idx ON part(session_id);
CREATE INDEX message_session_time_created_id_idx ON message(session_id, time_created, id);
INSERT INTO project VALUES('p1', '/srv/pebble', '[]', 0, 0);`;

const opencodeTables = `
CREATE TABLE migration(id TEXT PRIMARY KEY, time_completed INTEGER NOT NULL);
INSERT INTO migration VALUES('20260622202450_simplify_session_input', 0);
CREATE TABLE session(id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, parent_id TEXT, version TEXT NOT NULL, permission TEXT, metadata TEXT, revert TEXT, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, time_archived INTEGER);
CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE session_message(id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, type TEXT NOT NULL, seq INTEGER NOT NULL, time_created INTEGER NOT NULL, data TEXT NOT NULL);`;

const mimocodeTables = `
CREATE TABLE session(id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, parent_id TEXT, context_watermark TEXT, last_checkpoint_message_id TEXT, version TEXT NOT NULL, permission TEXT, revert TEXT, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, time_archived INTEGER);
CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, agent_id TEXT NOT NULL DEFAULT 'main', time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
CREATE INDEX message_session_agent_idx ON message(session_id, agent_id, id);
CREATE TABLE external_import(source TEXT NOT NULL, source_key TEXT NOT NULL, session_id TEXT NOT NULL, message_ids TEXT, PRIMARY KEY(source, source_key));
CREATE TABLE turn_receipt(id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, agent_id TEXT NOT NULL, state TEXT NOT NULL, intent TEXT, outcome TEXT, message_id TEXT, delivery_message_id TEXT, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
CREATE TABLE history_fts(part_id TEXT PRIMARY KEY, session_id TEXT NOT NULL, message_id TEXT NOT NULL, project_id TEXT NOT NULL, kind TEXT NOT NULL, tool_name TEXT, body TEXT NOT NULL, time_created INTEGER NOT NULL);
CREATE INDEX history_fts_session_idx ON history_fts(session_id, time_created);
CREATE INDEX history_fts_message_idx ON history_fts(message_id);
CREATE VIRTUAL TABLE history_fts_idx USING fts5(body, content='history_fts', content_rowid='rowid', tokenize='unicode61 remove_diacritics 1');
CREATE TRIGGER history_fts_ai AFTER INSERT ON history_fts BEGIN INSERT INTO history_fts_idx(rowid, body) VALUES(new.rowid, new.body); END;
CREATE TRIGGER history_fts_ad AFTER DELETE ON history_fts BEGIN INSERT INTO history_fts_idx(history_fts_idx, rowid, body) VALUES('delete', old.rowid, old.body); END;`;

export type MessageExtra = { id?: string; agent?: string; data?: { [key: string]: unknown }; raw?: string; text?: string; indexed?: boolean; logged?: boolean };

export type StoreBuilder = ReturnType<typeof buildStore>;

/** Makes a small database as the product would write it; every call adds rows. Times in ms. */
export function buildStore(path: string, product: 'opencode' | 'mimocode' = 'opencode', version = product === 'opencode' ? '1.18.14' : '0.1.12') {
  const db = new Database(path);
  db.pragma('page_size = 1024');
  db.pragma('foreign_keys = OFF');
  db.pragma('synchronous = OFF');
  db.exec((product === 'opencode' ? opencodeTables : mimocodeTables) + common);
  db.exec('BEGIN');
  const counters = new Map<string, number>();
  const event = (sessionId: string, type: string, data: unknown): number => {
    const seq = counters.get(sessionId) ?? 0;
    counters.set(sessionId, seq + 1);
    db.prepare('INSERT INTO event_sequence(aggregate_id, seq) VALUES (?, ?) ON CONFLICT(aggregate_id) DO UPDATE SET seq = excluded.seq').run(sessionId, seq);
    db.prepare('INSERT INTO event VALUES (?, ?, ?, ?, ?)').run(`evt_${sessionId}_${seq}`, sessionId, seq, type, JSON.stringify(data));
    return seq;
  };
  const session = (created: number, extra: { [column: string]: string | number | null } = {}): string => {
    const row = { id: v1(created, 1, 'ses'), project_id: 'p1', version, time_created: created, time_updated: created, ...extra };
    const names = Object.keys(row);
    db.prepare(`INSERT INTO session(${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(...Object.values(row));
    return String(row.id);
  };
  const message = (sessionId: string, time: number, data: { [key: string]: unknown }, extra: MessageExtra): string => {
    const id = extra.id ?? v1(time);
    const full = { time: { created: time }, ...data, ...extra.data };
    const json = extra.raw ?? JSON.stringify(full);
    if (product === 'mimocode') db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?, ?)').run(id, sessionId, extra.agent ?? 'main', time, time, json);
    else db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(id, sessionId, time, time, json);
    part(id, sessionId, time, { type: 'text', text: extra.text ?? 'words' }, data.role === 'user' ? 'user_text' : 'assistant_text', extra.indexed ?? true);
    if (extra.logged) event(sessionId, 'message.updated.1', { sessionID: sessionId, info: { id, sessionID: sessionId, ...full } });
    return id;
  };
  const part = (messageId: string, sessionId: string, time: number, data: { [key: string]: unknown }, kind = 'assistant_text', indexed = true): string => {
    const n = Number(db.prepare('SELECT count(*) FROM part WHERE message_id = ?').pluck().get(messageId)) + 1;
    const id = v1(time, n, 'prt').slice(0, 20) + messageId.slice(-10);
    db.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run(id, messageId, sessionId, time, time, JSON.stringify(data));
    if (product === 'mimocode' && indexed) db.prepare('INSERT INTO history_fts VALUES (?, ?, ?, ?, ?, NULL, ?, ?)').run(id, sessionId, messageId, 'p1', kind, String(data.text ?? 'body'), time);
    return id;
  };
  const user = (sessionId: string, time: number, extra: MessageExtra = {}): string => message(sessionId, time, { role: 'user', agent: 'build' }, extra);
  const assistant = (sessionId: string, time: number, parentID: string | null, extra: MessageExtra = {}): string =>
    message(sessionId, time, { role: 'assistant', parentID, finish: 'stop', time: { created: time, completed: time + 900 } }, extra);
  /** `count` prompts with a reply each, a minute apart. */
  const talk = (sessionId: string, start: number, count: number, extra: MessageExtra = {}): string[] => {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      const prompt = user(sessionId, start + i * minute, extra);
      ids.push(prompt, assistant(sessionId, start + i * minute + 4000, prompt, extra));
    }
    return ids;
  };
  return { db, session, user, assistant, talk, part, event, close: () => {
    db.exec('COMMIT');
    db.close();
  } };
}
