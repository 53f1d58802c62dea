import type { SqliteDatabase } from '../../io/sqlite.ts';
import { field, number, text, textOrNull, type Tables } from './tables.ts';
import type { LostMessage, RevertEvent } from './types.ts';

/** `message.updated.1` and later numbers of the same event. */
const ofType = (name: string): string => `e.type >= '${name}.' AND e.type < '${name}/'`;
const messageId = field('e.data', '$.info.id');
const created = field('e.data', '$.info.time.created');

export function hasEventLog(tables: Tables): boolean {
  return tables.has('event', 'aggregate_id', 'seq', 'type', 'data') && tables.has('event_sequence', 'aggregate_id');
}

/**
 * Messages that the event log tells of and that have no row, with the `seq` of their removal where one was logged. A log that
 * is not looked at as a whole (not `thorough`) is asked for removals, and for the first and the last message of each session.
 */
export function* lostInEvents(db: SqliteDatabase, tables: Tables, thorough: boolean): Iterable<LostMessage> {
  if (!hasEventLog(tables) || !tables.has('message', 'id')) return;
  const absent = (column: string): string => `NOT EXISTS (SELECT 1 FROM message m WHERE m.id = ${column})`;
  const removals = db
    .prepare<[], unknown[]>(
      `SELECT s.aggregate_id, ${field('e.data', '$.messageID')} AS lost_id, max(e.seq) FROM event_sequence s
       JOIN event e ON e.aggregate_id = s.aggregate_id WHERE ${ofType('message.removed')} GROUP BY 1, 2 HAVING lost_id IS NOT NULL AND ${absent('lost_id')}`,
    )
    .raw();
  const times = db
    .prepare<[unknown, unknown], unknown[]>(`SELECT min(${created}), max(${created}), count(*) FROM event e WHERE e.aggregate_id = ? AND ${ofType('message.updated')} AND ${messageId} = ?`)
    .raw();
  const removed = new Set<string>();
  for (const [sessionId, id, seq] of removals.all()) {
    const [first, last, records] = times.get(sessionId, id) ?? [];
    removed.add(`${text(sessionId)} ${text(id)}`);
    yield { source: 'event', sessionId: text(sessionId), messageId: text(id), firstTime: number(first), lastTime: number(last), records: number(records), removedAt: number(seq) };
  }
  const edge = (order: string): string =>
    `e.seq = (SELECT x.seq FROM event x WHERE x.aggregate_id = s.aggregate_id AND x.type = (SELECT min(y.type) FROM event y WHERE y.aggregate_id = s.aggregate_id AND y.type >= 'message.updated.' AND y.type < 'message.updated/') ORDER BY x.seq ${order} LIMIT 1)`;
  const scope = thorough ? '' : `AND (${edge('')} OR ${edge('DESC')})`;
  const logged = db
    .prepare<[], unknown[]>(
      `SELECT s.aggregate_id, ${messageId} AS lost_id, min(${created}), max(${created}), count(*) FROM event_sequence s
       JOIN event e ON e.aggregate_id = s.aggregate_id WHERE ${ofType('message.updated')} ${scope} GROUP BY 1, 2 HAVING lost_id IS NOT NULL AND ${absent('lost_id')}`,
    )
    .raw();
  for (const [sessionId, id, first, last, records] of logged.iterate()) {
    if (removed.has(`${text(sessionId)} ${text(id)}`)) continue;
    yield { source: 'event', sessionId: text(sessionId), messageId: text(id), firstTime: number(first), lastTime: number(last), records: number(records), removedAt: null };
  }
}

/** How a session's undo point moved, by `seq`. */
export function readRevertEvents(db: SqliteDatabase, tables: Tables, sessionId: string): RevertEvent[] {
  if (!hasEventLog(tables)) return [];
  const statement = db.prepare<[string], unknown[]>(`SELECT e.seq, ${field('e.data', '$.info.revert.messageID')} FROM event e WHERE e.aggregate_id = ? AND ${ofType('session.updated')} ORDER BY e.seq`).raw();
  const moves: RevertEvent[] = [];
  for (const [seq, id] of statement.iterate(sessionId)) {
    const point = textOrNull(id);
    if (point !== (moves.at(-1)?.messageId ?? null)) moves.push({ seq: number(seq), messageId: point });
  }
  return moves;
}

/** When a message was created (ms) as its row or the event log says, or null. */
export function readLoggedTime(db: SqliteDatabase, tables: Tables, sessionId: string, id: string): number | null {
  const row = tables.has('message', 'id', 'time_created') ? db.prepare<[string], unknown>('SELECT time_created FROM message WHERE id = ?').pluck().get(id) : undefined;
  if (row !== undefined && row !== null) return number(row);
  if (!hasEventLog(tables)) return null;
  const logged = db.prepare<[string, string], unknown>(`SELECT min(${created}) FROM event e WHERE e.aggregate_id = ? AND ${ofType('message.updated')} AND ${messageId} = ?`).pluck().get(sessionId, id);
  return logged === undefined || logged === null ? null : number(logged);
}
