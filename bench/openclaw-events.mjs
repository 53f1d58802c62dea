// Writes an OpenClaw agent database (schema 23) of `events` events in chats of 500, appended in turn as a gateway would.
import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

const Database = createRequire(import.meta.url)('better-sqlite3');
const perChat = 500;

/** Returns what was written. The file is new. */
export function writeEvents(path, events) {
  mkdirSync(dirname(path), { recursive: true });
  const chats = Math.max(1, Math.round(events / perChat));
  const db = new Database(path);
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.exec(`
    CREATE TABLE schema_meta (meta_key TEXT NOT NULL PRIMARY KEY, role TEXT NOT NULL, schema_version INTEGER NOT NULL, agent_id TEXT, app_version TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
    CREATE TABLE session_nodes (session_key TEXT NOT NULL PRIMARY KEY, current_session_id TEXT NOT NULL, entry_json TEXT NOT NULL, updated_at INTEGER NOT NULL, status TEXT);
    CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT, reason TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, status TEXT);
    CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq));
    CREATE TABLE transcript_event_identities (session_id TEXT NOT NULL, event_id TEXT NOT NULL, seq INTEGER NOT NULL, event_type TEXT, parent_id TEXT, message_idempotency_key TEXT, created_at INTEGER NOT NULL, PRIMARY KEY (session_id, event_id));
    INSERT INTO schema_meta VALUES ('primary', 'agent', 23, 'main', '2026.9.6', 0, 0);
    PRAGMA user_version = 23;`);
  const event = db.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?, NULL, NULL, NULL)');
  const identity = db.prepare('INSERT INTO transcript_event_identities VALUES (?, ?, ?, ?, ?, NULL, ?)');
  const node = db.prepare('INSERT INTO session_nodes VALUES (?, ?, ?, ?, NULL)');
  const window = db.prepare('INSERT INTO session_windows VALUES (?, ?, NULL, NULL, ?, ?, NULL)');
  const start = Date.parse('2026-09-01T00:00:00Z');
  const idOf = (chat) => `${(Math.imul(chat, 2654435761) >>> 0).toString(16).padStart(8, '0')}-0000-4000-8000-${chat.toString(16).padStart(12, '0')}`;
  db.exec('BEGIN');
  for (let chat = 0; chat < chats; chat++) {
    const key = `agent:main:telegram:direct:${chat}`;
    node.run(key, idOf(chat), JSON.stringify({ sessionId: idOf(chat), updatedAt: start, sessionStartedAt: start }), start);
    window.run(idOf(chat), key, start, start);
  }
  for (let seq = 0; seq < perChat; seq++) {
    for (let chat = 0; chat < chats; chat++) {
      const id = idOf(chat);
      const at = start + seq * 60_000 + chat;
      const timestamp = new Date(at).toISOString();
      if (seq === 0) {
        event.run(id, 0, JSON.stringify({ type: 'session', version: 4, id, timestamp, cwd: '/srv' }), at);
        identity.run(id, id, 0, 'session', null, at);
        continue;
      }
      const role = seq % 2 === 1 ? 'user' : 'assistant';
      const content = role === 'user' ? 'tide '.repeat(40) : [{ type: 'text', text: 'gull '.repeat(50) }];
      const row = { type: 'message', id: `e${seq}-${chat}`, parentId: seq === 1 ? null : `e${seq - 1}-${chat}`, timestamp, message: { role, content, timestamp: at, stopReason: 'stop' } };
      event.run(id, seq, JSON.stringify(row), at);
      identity.run(id, row.id, seq, 'message', row.parentId, at);
    }
  }
  db.exec('COMMIT');
  db.close();
  return { chats, events: chats * perChat };
}
