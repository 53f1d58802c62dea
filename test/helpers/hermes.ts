import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** The clock of stores made here: 5 August 2026, 09:00 UTC, in seconds. */
export const startSeconds = 1_785_920_400;

export type StoreShape = {
  /** Number in `schema_version`. */
  version?: number;
  /** Columns of `messages` that the store lacks. */
  without?: readonly string[];
  /** Keep `messages_fts` and its triggers. */
  searchIndex?: boolean;
};

export type MessageSpec = {
  role?: string;
  content?: string | null;
  ts?: number | string;
  toolCallId?: string;
  toolCalls?: string | { id: string; name?: string }[];
  toolName?: string;
  active?: number | null;
  compacted?: number;
  summary?: number;
  uid?: string;
  absorbed?: string;
  platformId?: string;
};

export type SessionSpec = {
  id: string;
  source?: string;
  key?: string;
  parent?: string;
  started?: number;
  ended?: number;
  reason?: string;
  messageCount?: number;
  toolCallCount?: number;
  rewound?: number;
  config?: string;
  promptHash?: string;
};

/** Archiving rules of Hermes builds (format notes §3.3). */
export type Rule = 'A' | 'B' | 'C' | 'D' | 'E';

export type CommitSpec = {
  rule: Rule;
  /** Ids that the compressor held, in order. */
  held: readonly number[];
  /** How many of them it carries word for word at the end, and at the beginning. */
  tail: number;
  head?: number;
  /** Newest id when the lease was taken; default: all rows. */
  watermark?: number;
  summary?: string;
  ts: number;
  /** The carried copies lose their times. */
  restamp?: boolean;
  /** Changes what is written for one carried row. */
  render?: (row: StoredRow) => Partial<StoredRow>;
  /** Flag of the carrier; 0 where the build had no such column. */
  flag?: number;
};

export type StoredRow = { id: number; role: string; content: string | null; tool_call_id: string | null; tool_calls: string | null; tool_name: string | null; timestamp: number; platform_message_id: string | null; message_uid: string | null; absorbed_message_uids: string | null };

export const summaryHead = '[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted into the summary below.';
export const summaryEnd = '--- END OF CONTEXT SUMMARY — respond to the message below, not the summary above ---';
export const summaryOf = (words: string, after = ''): string => `${summaryHead}\n${words}\n${summaryEnd}${after === '' ? '' : `\n\n${after}`}`;

const columns = [
  'id INTEGER PRIMARY KEY AUTOINCREMENT', 'session_id TEXT NOT NULL REFERENCES sessions(id)', 'role TEXT NOT NULL', 'content TEXT', 'tool_call_id TEXT', 'tool_calls TEXT', 'tool_name TEXT', 'timestamp REAL NOT NULL',
  'finish_reason TEXT', 'reasoning_details TEXT', 'codex_reasoning_items TEXT', 'display_metadata TEXT', 'platform_message_id TEXT', '_compressed_summary INTEGER NOT NULL DEFAULT 0', 'active INTEGER DEFAULT 1', 'compacted INTEGER NOT NULL DEFAULT 0',
  'message_uid TEXT', 'absorbed_message_uids TEXT',
];

/** A Hermes home with an empty database in the shape of some schema, and what writes rows as the product does. */
export function hermesStore(folder: string, shape: StoreShape = {}) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'state.db');
  const db = new Database(path);
  const without = new Set(shape.without ?? []);
  db.pragma('page_size = 4096');
  db.pragma('foreign_keys = OFF');
  db.pragma('synchronous = OFF');
  db.pragma('journal_mode = MEMORY');
  db.exec(`CREATE TABLE schema_version (version INTEGER NOT NULL);
    CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, session_key TEXT, expiry_finalized INTEGER DEFAULT 0, model_config TEXT, system_prompt_hash TEXT, parent_session_id TEXT,
      started_at REAL NOT NULL, ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0, rewind_count INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT NOT NULL);
    CREATE TABLE messages (${columns.filter((column) => !without.has(column.split(' ')[0] ?? '')).join(', ')});
    CREATE INDEX idx_messages_session ON messages(session_id, timestamp);
    CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT);
    CREATE TABLE session_model_usage (session_id TEXT, model TEXT, PRIMARY KEY (session_id, model));
    CREATE TABLE gateway_routing (scope TEXT NOT NULL DEFAULT '', session_key TEXT NOT NULL, entry_json TEXT NOT NULL, updated_at REAL NOT NULL, PRIMARY KEY (scope, session_key));
    CREATE TABLE compression_locks (session_id TEXT PRIMARY KEY, holder TEXT NOT NULL, acquired_at REAL NOT NULL, expires_at REAL NOT NULL);
    CREATE TABLE session_turn_leases (conversation_id TEXT PRIMARY KEY, holder TEXT NOT NULL, acquired_at REAL NOT NULL, expires_at REAL NOT NULL);`);
  if (shape.searchIndex) {
    db.exec(`CREATE VIRTUAL TABLE messages_fts USING fts5(content);
      CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages BEGIN INSERT INTO messages_fts(rowid, content) VALUES (new.id, COALESCE(new.content, '') || ' ' || COALESCE(new.tool_name, '') || ' ' || COALESCE(new.tool_calls, '')); END;`);
  }
  db.prepare('INSERT INTO schema_version VALUES (?)').run(shape.version ?? 31);
  const has = (column: string): boolean => !without.has(column);

  const insert = (sessionId: string, values: { [column: string]: unknown }): number => {
    const entries = Object.entries({ session_id: sessionId, ...values }).filter(([column, value]) => has(column) && value !== undefined);
    return Number(db.prepare(`INSERT INTO messages (${entries.map(([column]) => column).join(', ')}) VALUES (${entries.map(() => '?').join(', ')})`).run(...entries.map(([, value]) => value)).lastInsertRowid);
  };
  const stored = (id: number): StoredRow => db.prepare<[number], StoredRow>('SELECT * FROM messages WHERE id = ?').get(id)!;
  const mark = (ids: readonly number[], active: number, compacted: number): void => {
    for (const id of ids) db.prepare('UPDATE messages SET active = ?, compacted = ? WHERE id = ?').run(active, compacted, id);
  };
  const payload = (row: StoredRow): { [column: string]: unknown } => ({
    role: row.role, content: row.content, tool_call_id: row.tool_call_id, tool_calls: row.tool_calls, tool_name: row.tool_name, timestamp: row.timestamp, platform_message_id: row.platform_message_id, message_uid: row.message_uid ?? undefined,
  });

  const store = {
    path,
    db,
    session(spec: SessionSpec): string {
      db.prepare('INSERT INTO sessions (id, source, session_key, parent_session_id, started_at, ended_at, end_reason, message_count, tool_call_count, rewind_count, model_config, system_prompt_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
        spec.id, spec.source ?? 'cli', spec.key ?? null, spec.parent ?? null, spec.started ?? startSeconds, spec.ended ?? null, spec.reason ?? null, spec.messageCount ?? 0, spec.toolCallCount ?? 0, spec.rewound ?? 0, spec.config ?? null, spec.promptHash ?? null,
      );
      return spec.id;
    },
    message(sessionId: string, spec: MessageSpec = {}): number {
      const calls = Array.isArray(spec.toolCalls) ? JSON.stringify(spec.toolCalls.map(({ id, name }) => ({ id, type: 'function', function: { name: name ?? 'terminal', arguments: '{}' } }))) : spec.toolCalls;
      return insert(sessionId, {
        role: spec.role ?? 'user', content: spec.content === undefined ? 'words' : spec.content, timestamp: spec.ts ?? startSeconds, tool_call_id: spec.toolCallId, tool_calls: calls, tool_name: spec.toolName,
        active: spec.active === undefined ? undefined : spec.active, compacted: spec.compacted, _compressed_summary: spec.summary, message_uid: spec.uid, absorbed_message_uids: spec.absorbed, platform_message_id: spec.platformId,
      });
    },
    /** Question and answer, `count` times, beginning at `ts`; returns the ids. */
    talk(sessionId: string, words: string, count: number, ts: number): number[] {
      const ids: number[] = [];
      for (let i = 1; i <= count; i++) {
        ids.push(store.message(sessionId, { role: 'user', content: `${words} question ${i}`, ts: ts + i * 41.3 }));
        ids.push(store.message(sessionId, { role: 'assistant', content: `${words} answer ${i}`, ts: ts + i * 41.3 + 3.21 }));
      }
      return ids;
    },
    activeIds(sessionId: string): number[] {
      return db.prepare<[string], number>('SELECT id FROM messages WHERE session_id = ? AND active = 1 ORDER BY id').pluck().all(sessionId);
    },
    /** One in-place commit, under one of the archiving rules. Returns the ids of carrier, copies and clones. */
    compact(sessionId: string, spec: CommitSpec): { carrier: number; heads: number[]; tails: number[]; clones: number[] } {
      const active = store.activeIds(sessionId);
      const held = spec.held;
      const tailIds = held.slice(held.length - spec.tail);
      const headIds = held.slice(0, spec.head ?? 0);
      let watermark = spec.rule === 'A' ? Infinity : (spec.watermark ?? Infinity);
      if (spec.rule === 'D') watermark = Math.min(watermark, held.at(-1) ?? Infinity);
      const late = spec.rule === 'E' ? active.filter((id) => !held.includes(id)) : active.filter((id) => id > watermark);
      const early = active.filter((id) => !late.includes(id));
      mark(early, 0, 1);
      mark(late, 0, spec.rule === 'B' ? 1 : 0);
      // Builds that know the length of the tail count it from the newest row they archive.
      if (spec.rule === 'C' || spec.rule === 'D' || spec.rule === 'E') mark(early.slice(early.length - spec.tail), 0, 0);
      let clock = spec.ts;
      const copy = (id: number): number => {
        const row = stored(id);
        const rendered = { ...row, ...spec.render?.(row) };
        const timestamp = spec.restamp ? (clock += 1e-6) : rendered.timestamp;
        return insert(sessionId, { ...payload(rendered), timestamp, absorbed_message_uids: rendered.absorbed_message_uids ?? undefined });
      };
      const heads = headIds.map(copy);
      const carrier = insert(sessionId, { role: 'user', content: spec.summary ?? summaryOf('What was said so far.'), timestamp: (clock += 1e-6), _compressed_summary: spec.flag ?? 1 });
      const tails = tailIds.map(copy);
      const clones = late.map((id) => insert(sessionId, payload(stored(id))));
      return { carrier, heads, tails, clones };
    },
    route(key: string, entry: { [field: string]: unknown } | string): void {
      db.prepare('INSERT INTO gateway_routing (session_key, entry_json, updated_at) VALUES (?, ?, ?)').run(key, typeof entry === 'string' ? entry : JSON.stringify({ session_key: key, ...entry }), startSeconds);
    },
    lock(sessionId: string, expires: number, holder = 'cli:pid=4242:tid=1'): void {
      db.prepare('INSERT INTO compression_locks VALUES (?, ?, ?, ?)').run(sessionId, holder, expires - 300, expires);
    },
    /** Sets the counters of all sessions to what their live rows say. */
    recount(): void {
      const active = has('active') ? 'active = 1' : '1';
      db.exec(`UPDATE sessions SET message_count = (SELECT count(*) FROM messages m WHERE m.session_id = sessions.id AND ${active}),
        tool_call_count = (SELECT coalesce(sum(CASE WHEN json_valid(tool_calls) AND json_type(tool_calls) = 'array' THEN json_array_length(tool_calls) ELSE 0 END), 0) FROM messages m WHERE m.session_id = sessions.id AND ${active} AND tool_calls IS NOT NULL)`);
    },
    close(): void {
      db.close();
    },
  };
  return store;
}

export type HermesStore = ReturnType<typeof hermesStore>;
