import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

/** The tables of an OpenClaw agent database (schema 23) as far as they are read; constraints left out so that damage can be written. */
const ddl = `
CREATE TABLE schema_meta (meta_key TEXT NOT NULL PRIMARY KEY, role TEXT NOT NULL, schema_version INTEGER NOT NULL, agent_id TEXT, app_version TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE session_nodes (session_key TEXT NOT NULL PRIMARY KEY, current_session_id TEXT NOT NULL, entry_json TEXT NOT NULL, entry_valid INTEGER NOT NULL DEFAULT 1, updated_at INTEGER NOT NULL, status TEXT, created_at INTEGER, archived_at INTEGER, last_interaction_at INTEGER);
CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT, reason TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, status TEXT);
CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq));
CREATE TABLE transcript_event_identities (session_id TEXT NOT NULL, event_id TEXT NOT NULL, seq INTEGER NOT NULL, event_type TEXT, parent_id TEXT, message_idempotency_key TEXT, created_at INTEGER NOT NULL, PRIMARY KEY (session_id, event_id));
CREATE TABLE session_transcript_active_events (session_id TEXT NOT NULL, active_position INTEGER NOT NULL, event_seq INTEGER NOT NULL, message_position INTEGER, context_eligible INTEGER, PRIMARY KEY (session_id, active_position));
CREATE UNIQUE INDEX idx_agent_transcript_active_event_seq ON session_transcript_active_events (session_id, event_seq);
CREATE UNIQUE INDEX idx_agent_transcript_active_messages ON session_transcript_active_events (session_id, message_position) WHERE message_position IS NOT NULL;
CREATE TABLE session_transcript_index_state (session_id TEXT NOT NULL PRIMARY KEY, indexed_seq INTEGER NOT NULL, leaf_event_id TEXT, needs_rebuild INTEGER NOT NULL DEFAULT 0, active_event_count INTEGER NOT NULL DEFAULT 0, active_message_count INTEGER NOT NULL DEFAULT 0, updated_at INTEGER NOT NULL);
CREATE TABLE transcript_rewrite_watermarks (session_id TEXT NOT NULL PRIMARY KEY, generation TEXT NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE session_transcript_archives (session_id TEXT NOT NULL, generation TEXT NOT NULL, session_key TEXT NOT NULL, reason TEXT NOT NULL, encoding TEXT NOT NULL, archive_blob BLOB NOT NULL, archive_sha256 TEXT NOT NULL, archive_name TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL, published_at INTEGER, PRIMARY KEY (session_id, generation));
CREATE TABLE session_transcript_cold_archives (session_id TEXT NOT NULL PRIMARY KEY, generation TEXT NOT NULL, archive_name TEXT NOT NULL UNIQUE, archive_sha256 TEXT NOT NULL, event_count INTEGER NOT NULL, raw_bytes INTEGER NOT NULL, archive_bytes INTEGER NOT NULL, last_seq INTEGER NOT NULL, archived_at INTEGER NOT NULL, storage TEXT NOT NULL, archive_blob BLOB);
`;

export type WindowRecord = {
  sessionId: string;
  sessionKey: string;
  createdAt: number;
  reason?: string | null;
  /** Events in seq order; a Buffer is stored as a compressed body. */
  events: (Record<string, unknown> | Buffer)[];
  /** Sequence numbers to use instead of 0, 1, 2… */
  seqs?: number[];
  /** The active branch as the product would have listed it, by seq; the list is marked as current, and the window gets a rewrite token. */
  active?: number[];
  current?: boolean;
  entry?: Record<string, unknown>;
};

/** Writes an agent database at `<state>/agents/<agent>/agent/openclaw-agent.sqlite` and returns its path. */
export function writeAgentDatabase(path: string, windows: readonly WindowRecord[], change: (db: Database.Database) => void = () => {}): string {
  mkdirSync(dirname(path), { recursive: true });
  const db = new Database(path);
  db.pragma('synchronous = OFF');
  db.pragma('page_size = 1024');
  db.exec(ddl);
  db.pragma('user_version = 23');
  db.prepare("INSERT INTO schema_meta VALUES ('primary', 'agent', 23, 'main', '2026.9.6', 0, 0)").run();
  const event = db.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?, ?, ?, ?)');
  const identity = db.prepare('INSERT INTO transcript_event_identities VALUES (?, ?, ?, ?, ?, NULL, ?)');
  for (const { sessionId, sessionKey, createdAt, reason, events, seqs, current, entry } of windows) {
    db.prepare('INSERT INTO session_windows VALUES (?, ?, NULL, ?, ?, ?, NULL)').run(sessionId, sessionKey, reason ?? null, createdAt, createdAt);
    if (current !== false) {
      db.prepare('INSERT INTO session_nodes VALUES (?, ?, ?, 1, ?, NULL, ?, NULL, NULL)').run(sessionKey, sessionId, JSON.stringify({ sessionId, updatedAt: createdAt, sessionStartedAt: createdAt, ...entry }), createdAt, createdAt);
    }
    for (const [index, value] of events.entries()) {
      const seq = seqs?.[index] ?? index;
      if (Buffer.isBuffer(value)) {
        event.run(sessionId, seq, null, createdAt, value, value.length, '{}');
        continue;
      }
      const at = typeof value['timestamp'] === 'string' ? Date.parse(value['timestamp']) : createdAt;
      event.run(sessionId, seq, JSON.stringify(value), at, null, null, null);
      if (typeof value['id'] === 'string') identity.run(sessionId, value['id'], seq, value['type'], value['parentId'] ?? null, at);
    }
  }
  for (const { sessionId, events, active } of windows) if (active) listActive(db, sessionId, active, events.length - 1);
  change(db);
  db.close();
  return path;
}

/** Lists the active branch of a window, as the product does when it rebuilds that list. */
export function listActive(db: Database.Database, sessionId: string, active: readonly number[], indexedSeq: number): void {
  db.prepare('DELETE FROM session_transcript_active_events WHERE session_id = ?').run(sessionId);
  const isMessage = db.prepare("SELECT event_type = 'message' FROM transcript_event_identities WHERE session_id = ? AND seq = ?").pluck();
  const list = db.prepare('INSERT INTO session_transcript_active_events (session_id, active_position, event_seq, message_position, context_eligible) VALUES (?, ?, ?, ?, 1)');
  let messages = 0;
  for (const [position, seq] of active.entries()) list.run(sessionId, position, seq, isMessage.get(sessionId, seq) === 1 ? messages++ : null);
  const leaf = db.prepare('SELECT event_id FROM transcript_event_identities WHERE session_id = ? AND seq = ?').pluck().get(sessionId, active.at(-1));
  db.prepare('INSERT OR REPLACE INTO session_transcript_index_state (session_id, indexed_seq, leaf_event_id, needs_rebuild, active_event_count, active_message_count, updated_at) VALUES (?, ?, ?, 0, ?, ?, 0)').run(sessionId, indexedSeq, leaf ?? null, active.length, messages);
  db.prepare("INSERT OR IGNORE INTO transcript_rewrite_watermarks VALUES (?, '0123456789abcdef0123456789abcdef', 0)").run(sessionId);
}

/** A session header and `count` message rows, one a minute from `start` (ms). */
export function talk(sessionId: string, start: number, count: number): Record<string, unknown>[] {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const rows: Record<string, unknown>[] = [{ type: 'session', version: 4, id: sessionId, timestamp: iso(start), cwd: '/srv' }];
  for (let i = 1; i <= count; i++) {
    const at = start + i * 60_000;
    const role = i % 2 === 1 ? 'user' : 'assistant';
    const content = role === 'user' ? `question ${i}` : [{ type: 'text', text: `answer ${i}` }];
    rows.push({ type: 'message', id: `${sessionId.slice(0, 4)}-${i}`, parentId: i === 1 ? null : `${sessionId.slice(0, 4)}-${i - 1}`, timestamp: iso(at), message: { role, content, timestamp: at, ...(role === 'assistant' ? { stopReason: 'stop' } : {}) } });
  }
  return rows;
}
