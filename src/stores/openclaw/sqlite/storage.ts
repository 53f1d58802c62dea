import { columnsOf } from '../../../io/sqlite-snapshot.ts';
import type { SqliteDatabase } from '../../../io/sqlite.ts';
import { asObject } from '../values.ts';
import { iterateEvents } from './events.ts';
import type { AgentSchema } from './schema.ts';

/** One row of the active branch as the product has materialised it; `message` is its place among the messages. */
export type ActiveRow = { seq: number; message: number | null };

/** How a database keeps one transcript beside its events: what a repair of it must keep true (format notes §1.6). */
export type WindowStorage = {
  /** Events in `transcript_events`; 0 where the transcript is in cold storage. */
  events: number;
  /** Greatest `seq`, or -1. */
  lastSeq: number;
  /** Events may lie compressed: schema 23 and later. */
  packed: boolean;
  /** `created_at` of an event, ms. */
  createdAt(seq: number): number | null;
  /** null before `transcript_event_identities`; else how many of them reach a `seq`. */
  identitiesFrom: ((seq: number) => number) | null;
  identity(id: string): { seq: number; parentId: string | null } | null;
  /** The active branch, root first; null where the database has no such table (before schema 10). */
  path: ActiveRow[] | null;
  /** The numbers of its row in `session_transcript_index_state`, as far as this schema has them; null: no row. */
  index: { [column: string]: number } | null;
  /** Whether an event may go to a model, as `context_eligible` of the active branch says; null where the database has no such column. */
  eligible: ((seq: number) => 0 | 1) | null;
  /** A token in `transcript_rewrite_watermarks` that tells caches of a rewrite. */
  token: boolean;
};

const indexNumbers = ['needs_rebuild', 'indexed_seq', 'active_event_count', 'active_message_count'];

/** What a repair of one transcript rests on. */
export function windowStorage(db: SqliteDatabase, schema: AgentSchema, sessionId: string): WindowStorage {
  const numberOf = (sql: string, ...values: (string | number)[]): number | null => {
    const value = db.prepare(sql).pluck().get(sessionId, ...values);
    return value === null || value === undefined ? null : Number(value);
  };
  const has = (table: string): boolean => schema.tables.has(table);
  const identities = has('transcript_event_identities');
  const pathColumns = columnsOf(db, 'session_transcript_active_events');
  const indexColumns = columnsOf(db, 'session_transcript_index_state');
  const wanted = indexNumbers.filter((column) => indexColumns.has(column));
  const index = wanted.length === 0 ? undefined : db.prepare<[string], { [column: string]: number | bigint }>(`SELECT ${wanted.join(', ')} FROM session_transcript_index_state WHERE session_id = ?`).get(sessionId);
  return {
    events: numberOf('SELECT count(*) FROM transcript_events WHERE session_id = ?') ?? 0,
    lastSeq: numberOf('SELECT max(seq) FROM transcript_events WHERE session_id = ?') ?? -1,
    packed: ['event_zstd', 'event_utf8_bytes', 'navigation_json'].every((column) => schema.eventColumns.has(column)),
    createdAt: (seq) => (schema.eventColumns.has('created_at') ? numberOf('SELECT created_at FROM transcript_events WHERE session_id = ? AND seq = ?', seq) : null),
    identitiesFrom: identities ? (seq) => numberOf('SELECT count(*) FROM transcript_event_identities WHERE session_id = ? AND seq >= ?', seq) ?? 0 : null,
    identity(id) {
      if (!identities) return null;
      const row = db.prepare<[string, string], { seq: number; parent_id: string | null }>('SELECT seq, parent_id FROM transcript_event_identities WHERE session_id = ? AND event_id = ?').get(sessionId, id);
      return row ? { seq: Number(row.seq), parentId: row.parent_id } : null;
    },
    path: ['active_position', 'event_seq', 'message_position'].every((column) => pathColumns.has(column))
      ? db.prepare<[string], { seq: number; message: number | null }>('SELECT event_seq AS seq, message_position AS message FROM session_transcript_active_events WHERE session_id = ? ORDER BY active_position').all(sessionId)
      : null,
    index: index ? Object.fromEntries(Object.entries(index).map(([column, value]) => [column, Number(value)])) : null,
    eligible: pathColumns.has('context_eligible') ? (seq) => eligibility(db, schema, sessionId, seq) : null,
    token: has('transcript_rewrite_watermarks') && numberOf('SELECT count(*) FROM transcript_rewrite_watermarks WHERE session_id = ?') === 1,
  };
}

function eligibility(db: SqliteDatabase, schema: AgentSchema, sessionId: string, seq: number): 0 | 1 {
  for (const { json } of iterateEvents(db, schema, sessionId, seq)) {
    const message = json === null ? null : asObject(asObject(JSON.parse(json))?.['message']);
    return message?.['excludeFromContext'] === true ? 0 : 1;
  }
  return 1;
}

/** The state of a run as the entry's JSON, its own column and the current window's say it. */
export type StoredStatus = { json: string | null; column: string | null; window: string | null };

/** Columns that the schema lacks count as null. */
export function storedStatus(db: SqliteDatabase, schema: AgentSchema, key: string): StoredStatus | null {
  if (schema.shape === 'none' || !schema.nodeColumns.has('entry_json')) return null;
  const [table, id, windows] = schema.shape === 'nodes' ? ['session_nodes', 'current_session_id', 'session_windows'] : ['session_entries', 'session_id', 'sessions'];
  const column = schema.nodeColumns.has('status') ? 'n.status' : 'NULL';
  const window = schema.windowColumns.has('status') ? `(SELECT w.status FROM ${windows} w WHERE w.session_id = n.${id})` : 'NULL';
  return db.prepare<[string], StoredStatus>(`SELECT CASE WHEN json_valid(n.entry_json) THEN json_extract(n.entry_json, '$.status') END AS json, ${column} AS "column", ${window} AS window FROM ${table} n WHERE n.session_key = ?`).get(key) ?? null;
}
