import type { SqliteDatabase } from '../../io/sqlite.ts';
import { text, type Tables } from './tables.ts';

/** Separates the ids of one session in what SQLite hands over: a character that no id of any product holds. */
const separator = '\n';

/** SQL of the screen: the ids of each session in (time, id) order as one text, from the covering index alone. */
export const orderSql = `
SELECT session_id, group_concat(id, char(10)), count(*)
FROM message INDEXED BY message_session_time_created_id_idx GROUP BY session_id`;

/** The same for a database that lacks the index: SQLite sorts. */
const sortedSql = `
SELECT session_id, group_concat(id, char(10)), count(*)
FROM (SELECT session_id, id FROM message ORDER BY session_id, time_created, id) GROUP BY session_id`;

/**
 * Ids of the sessions whose id order differs from their (time, id) order. One pass over the index: ids cross into
 * JavaScript as one text a session, which is several times cheaper than a row a message.
 */
export function* disorderedSessions(db: SqliteDatabase, tables: Tables): Iterable<string> {
  if (!tables.has('message', 'id', 'session_id', 'time_created')) return;
  const sql = tables.hasIndex('message_session_time_created_id_idx') ? orderSql : sortedSql;
  for (const [sessionId, ids, count] of db.prepare<[], unknown[]>(sql).raw().iterate()) {
    if (!ascends(text(ids), Number(count))) yield text(sessionId);
  }
}

/**
 * True when the joined ids ascend; compared in place, since cutting a million ids out of a text is what would cost. An id that
 * holds the separator counts as disorder: its rows are then looked at one by one.
 */
export function ascends(joined: string, count: number): boolean {
  let previous = 0;
  let start = joined.indexOf(separator) + 1;
  let seen = 1;
  while (start > 0) {
    if (!notAfter(joined, previous, start - 1, start)) return false;
    previous = start;
    start = joined.indexOf(separator, start) + 1;
    seen++;
  }
  return seen === count;
}

/** Whether the id between `a` and `end` is not greater than the one that begins at `b`. */
function notAfter(joined: string, a: number, end: number, b: number): boolean {
  for (; a < end; a++, b++) {
    const left = joined.charCodeAt(a);
    const right = joined.charCodeAt(b);
    if (left !== right) return right > left && right !== 10;
  }
  return true;
}
