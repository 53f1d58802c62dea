import { createRequire } from 'node:module';

const Database = createRequire(import.meta.url)('better-sqlite3');
const start = 1_785_920_400;
const summary = (words) => `[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted into the summary below.\n${words}\n--- END OF CONTEXT SUMMARY — respond to the message below, not the summary above ---`;
const words = 'harbour ledger paint order tide boat rope mast winter dock gauge plank '.split(' ');

/**
 * Writes a state.db of schema 21 with its search index: `messages` rows over 5 000 sessions, one of which holds a quarter of all rows,
 * and 300 compactions, 30 of which stranded two rows each. Returns what was written.
 */
export function writeHermesDatabase(path, messages, { sessions = 5000, compactions = 300, strandedEvery = 10 } = {}) {
  const db = new Database(path);
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;
    CREATE TABLE schema_version (version INTEGER NOT NULL); INSERT INTO schema_version VALUES (21);
    CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, session_key TEXT, expiry_finalized INTEGER DEFAULT 0, model_config TEXT, system_prompt TEXT, parent_session_id TEXT, started_at REAL NOT NULL,
      ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0, rewind_count INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_count INTEGER,
      reasoning TEXT, reasoning_details TEXT, active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0, _compressed_summary INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX idx_messages_session ON messages(session_id, timestamp);
    CREATE INDEX idx_messages_session_active ON messages(session_id, active, timestamp);
    CREATE VIRTUAL TABLE messages_fts USING fts5(content, content='messages', content_rowid='id');`);
  const insert = db.prepare('INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, timestamp, _compressed_summary) VALUES (?, ?, ?, ?, ?, ?, ?)');
  const archive = db.prepare('UPDATE messages SET active = 0, compacted = 1 WHERE id = ?');
  let rows = 0;
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const text = () => Array.from({ length: 20 + random(40) }, () => words[random(words.length)]).join(' ');
  const counts = new Map();
  let stranded = 0;
  const write = (session, role, content, clock, extra = {}) => {
    rows++;
    return Number(insert.run(session, role, content, extra.callId ?? null, extra.calls ?? null, clock, extra.summary ?? 0).lastInsertRowid);
  };
  db.exec('BEGIN');
  let made = 0;
  for (let s = 0; s < sessions; s++) {
    const id = `2026${String(s).padStart(4, '0')}_100000_${(s * 7919).toString(16).padStart(6, '0')}`;
    const size = s === 0 ? Math.floor(messages / 4) : Math.floor(((messages * 3) / 4 - 60 * compactions) / (sessions - 1));
    const live = [];
    let clock = start + s * 100 + 0.37;
    let calls = 0;
    const turn = () => {
      live.push([write(id, 'user', text(), (clock += 41.3)), 'user']);
      if (live.length % 8 === 0) {
        const callId = `call_${s}_${live.length}`;
        live.push([write(id, 'assistant', '', (clock += 1.2), { calls: JSON.stringify([{ id: callId, type: 'function', function: { name: 'terminal', arguments: '{}' } }]) }), 'call']);
        live.push([write(id, 'tool', text(), (clock += 1.1), { callId }), 'tool']);
      }
      live.push([write(id, 'assistant', text(), (clock += 3.21)), 'assistant']);
    };
    const wanted = s === 0 ? 100 : s <= compactions - 100 ? 1 : 0;
    for (let round = 0; round <= wanted; round++) {
      const until = Math.floor((size * (round + 1)) / (wanted + 1)) - Math.floor((size * round) / (wanted + 1));
      for (let n = 0; n < until; n += 2) turn();
      if (round === wanted) break;
      made++;
      const tail = live.slice(-5).filter(([, kind], i, all) => kind !== 'tool' || i > 0 || all.length === 0).slice(-4).map(([row]) => row);
      if (made % strandedEvery === 0) {
        live.push([write(id, 'user', `meanwhile ${made}`, (clock += 9.3)), 'user'], [write(id, 'assistant', `noted ${made}`, (clock += 3.1)), 'assistant']);
        stranded += 2;
      }
      for (const [row] of live) archive.run(row);
      live.length = 0;
      live.push([write(id, 'user', summary(text()), (clock += 20.5), { summary: 1 }), 'user']);
      const stored = db.prepare('SELECT role, content, tool_call_id, tool_calls, timestamp FROM messages WHERE id = ?');
      for (const row of tail) {
        const { role, content, tool_call_id: callId, tool_calls: declared, timestamp } = stored.get(row);
        live.push([write(id, role, content, timestamp, { callId, calls: declared }), role]);
      }
    }
    counts.set(id, calls);
  }
  const session = db.prepare("INSERT INTO sessions (id, source, started_at, message_count, tool_call_count) VALUES (@id, 'cli', @at, (SELECT count(*) FROM messages WHERE session_id = @id AND active = 1), (SELECT coalesce(sum(json_array_length(tool_calls)), 0) FROM messages WHERE session_id = @id AND active = 1 AND tool_calls IS NOT NULL))");
  for (const id of counts.keys()) session.run({ id, at: start });
  db.exec("INSERT INTO messages_fts(messages_fts) VALUES ('rebuild'); COMMIT");
  db.close();
  return { messages: rows, sessions, compactions: made, stranded };
}
