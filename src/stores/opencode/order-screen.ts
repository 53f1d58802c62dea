import type { SqliteDatabase } from '../../io/sqlite.ts';
import { text, type Tables } from './tables.ts';

/** Separates the ids of one session in what SQLite hands over: a character that no id of any product holds. */
const separator = '\n';

/** SQL of the screen: the ids of each session in (time, id) order as one text, from the covering index alone. */
export const orderSql = `
SELECT session_id, group_concat(id, char(10)), count(*)
FROM (SELECT session_id, id FROM message ORDER BY session_id, time_created, id)
GROUP BY session_id`;

/**
 * Ids of the sessions whose id order differs from their (time, id) order. One pass over the index: ids cross into
 * JavaScript as one text a session, which is several times cheaper than a row a message.
 */
export function* disorderedSessions(db: SqliteDatabase, tables: Tables): Iterable<string> {
  if (!tables.has('message', 'id', 'session_id', 'time_created')) return;
  for (const [sessionId, ids, count] of db.prepare<[], unknown[]>(orderSql).raw().iterate()) {
    if (!ascends(text(ids), Number(count))) yield text(sessionId);
  }
}

/** True when the joined ids ascend. An id that holds the separator counts as disorder: its rows are then looked at one by one. */
function ascends(joined: string, count: number): boolean {
  const ids = joined.split(separator);
  if (ids.length !== count) return false;
  for (let i = 1; i < ids.length; i++) {
    if (ids[i]! < ids[i - 1]!) return false;
  }
  return true;
}
