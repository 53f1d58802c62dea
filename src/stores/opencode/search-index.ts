import { errorMessage } from '../../model/errors.ts';
import type { SqliteDatabase } from '../../io/sqlite.ts';
import { field, number, text, type Tables } from './tables.ts';
import type { LostMessage, SearchIndexState, UnindexedParts } from './types.ts';

/** SQL that names the messages of index rows which have no row; both sides on indexes. */
export const lostInIndexSql = 'SELECT DISTINCT message_id FROM history_fts f WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.id = f.message_id)';

/** Messages that only `history_fts` still has (opencode format notes §0.6, §6 c). */
export function* lostInIndex(db: SqliteDatabase, tables: Tables): Iterable<LostMessage> {
  if (!tables.has('history_fts', 'message_id', 'session_id', 'time_created') || !tables.has('message', 'id')) return;
  const statement = db
    .prepare<[], unknown[]>(
      `SELECT f.session_id, f.message_id, min(f.time_created), max(f.time_created), count(*)
       FROM (${lostInIndexSql}) lost JOIN history_fts f ON f.message_id = lost.message_id GROUP BY 1, 2`,
    )
    .raw();
  for (const [sessionId, messageId, first, last, records] of statement.iterate()) {
    yield { source: 'history_fts', sessionId: text(sessionId), messageId: text(messageId), firstTime: number(first), lastTime: number(last), records: number(records), removedAt: null };
  }
}

/** Parts that MiMo-Code indexes by default: texts that are neither empty nor synthetic, and tool calls that have ended. */
const indexable = `(
  (${field('p.data', '$.type')} = 'text' AND trim(coalesce(${field('p.data', '$.text')}, '')) <> ''
    AND coalesce(${field('p.data', '$.synthetic')}, 0) = 0 AND coalesce(${field('p.data', '$.ignored')}, 0) = 0)
  OR (${field('p.data', '$.type')} = 'tool' AND ${field('p.data', '$.state.status')} IN ('completed', 'error'))
)`;

/** Chunked rows of some builds are named `prt_…#n`. */
const notIndexed = `NOT EXISTS (SELECT 1 FROM history_fts f WHERE f.part_id = p.id)
  AND NOT EXISTS (SELECT 1 FROM history_fts f WHERE f.part_id > p.id || '#' AND f.part_id < p.id || '$')`;

/** Parts without an index row, by session: all of them when `thorough`, else only of sessions that have no index row at all. */
export function* readUnindexed(db: SqliteDatabase, tables: Tables, thorough: boolean): Iterable<UnindexedParts> {
  if (!tables.has('history_fts', 'part_id', 'session_id') || !tables.has('part', 'id', 'message_id', 'session_id', 'data') || !tables.has('message', 'id', 'time_created')) return;
  const anything = db.prepare<[], number>('SELECT 1 FROM history_fts LIMIT 1').pluck().get();
  if (anything === undefined) {
    const parts = db.prepare<[], number>(`SELECT 1 FROM part p WHERE ${indexable} LIMIT 1`).pluck().get();
    if (parts !== undefined) yield { sessionId: null, parts: number(db.prepare('SELECT count(*) FROM part').pluck().get()), messages: number(db.prepare('SELECT count(*) FROM message').pluck().get()), firstTime: null, lastTime: null };
    return;
  }
  const where = thorough ? '' : 'AND p.session_id NOT IN (SELECT DISTINCT session_id FROM history_fts)';
  const statement = db
    .prepare<[], unknown[]>(
      `SELECT p.session_id, count(*), count(DISTINCT p.message_id), min(m.time_created), max(m.time_created)
       FROM part p JOIN message m ON m.id = p.message_id WHERE ${notIndexed} ${where} AND ${indexable} GROUP BY p.session_id`,
    )
    .raw();
  for (const [sessionId, parts, messages, first, last] of statement.iterate()) {
    yield { sessionId: text(sessionId), parts: number(parts), messages: number(messages), firstTime: number(first), lastTime: number(last) };
  }
}

/** Counts of the index and of its full-text table; the strict check of SQLite's FTS5 only when `deep` and on a private copy. */
export function readSearchIndex(db: SqliteDatabase, tables: Tables, deep: boolean): SearchIndexState | null {
  if (!tables.has('history_fts', 'body') || !tables.has('history_fts_idx_docsize', 'id')) return null;
  const count = (table: string): number => number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  const state: SearchIndexState = { rows: count('history_fts'), entries: count('history_fts_idx_docsize'), problem: null };
  if (!deep) return state;
  db.pragma('query_only = OFF');
  try {
    db.exec("INSERT INTO history_fts_idx(history_fts_idx, rank) VALUES('integrity-check', 1)");
  } catch (error) {
    state.problem = errorMessage(error);
  } finally {
    db.pragma('query_only = ON');
  }
  return state;
}
