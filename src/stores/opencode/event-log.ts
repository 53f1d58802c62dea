import type { SqliteDatabase } from '../../io/sqlite.ts';
import { field, number, prepared, text, textOrNull, type Tables } from './tables.ts';
import type { LostMessage, RevertEvent } from './types.ts';

/** `message.updated.1` and later numbers of the same event. */
const ofType = (name: string): string => `e.type >= '${name}.' AND e.type < '${name}/'`;
const messageId = field('e.data', '$.info.id');
const created = field('e.data', '$.info.time.created');

export function hasEventLog(tables: Tables): boolean {
  return tables.has('event', 'aggregate_id', 'seq', 'type', 'data') && tables.has('event_sequence', 'aggregate_id');
}

/** SQL that walks the sessions which have events; a seek each. */
const aggregates = 'SELECT aggregate_id FROM event_sequence';

const absent = (column: string): string => `${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM message m WHERE m.id = ${column})`;

/**
 * Messages that the event log tells of and that have no row, with the `seq` of their removal where one was logged. A log that
 * is not looked at as a whole (not `thorough`) is read for the sessions that have removals; of the others only the first and
 * the last snapshot of a message are, so that the cost does not grow with the log.
 */
export function* lostInEvents(db: SqliteDatabase, tables: Tables, thorough: boolean): Iterable<LostMessage> {
  if (!hasEventLog(tables) || !tables.has('message', 'id')) return;
  const removals = prepared(db, `SELECT ${field('e.data', '$.messageID')} AS lost_id, max(e.seq) FROM event e WHERE e.aggregate_id = ? AND ${ofType('message.removed')} GROUP BY 1 HAVING lost_id IS NOT NULL`);
  const whole = prepared(db, `SELECT ${messageId} AS lost_id, min(${created}), max(${created}), count(*) FROM event e WHERE e.aggregate_id = ? AND ${ofType('message.updated')} GROUP BY 1 HAVING ${absent('lost_id')}`);
  const edges = ['', 'DESC'].map((order) =>
    prepared(db, `SELECT lost_id, at, at, 1 FROM (SELECT ${messageId} AS lost_id, ${created} AS at FROM event e WHERE e.aggregate_id = ? AND e.type = 'message.updated.1' ORDER BY e.seq ${order} LIMIT 1) WHERE ${absent('lost_id')}`),
  );
  for (const [aggregate] of db.prepare<[], unknown[]>(aggregates).raw().all()) {
    const removed = new Map(removals.all(aggregate).map(([id, seq]) => [text(id), number(seq)] as const));
    const rows = thorough || removed.size > 0 ? whole.all(aggregate) : edges.flatMap((edge) => edge.all(aggregate));
    const sessionId = text(aggregate);
    const told = new Set<string>();
    for (const [id, first, last, records] of rows) {
      const lost = text(id);
      if (told.has(lost)) continue;
      told.add(lost);
      yield { source: 'event', sessionId, messageId: lost, firstTime: number(first), lastTime: number(last), records: number(records), removedAt: removed.get(lost) ?? null };
    }
    // Only the removal was logged: whoever else still has the message must know of it.
    for (const [lost, seq] of removed) {
      if (!told.has(lost)) yield { source: 'event', sessionId, messageId: lost, firstTime: 0, lastTime: 0, records: 0, removedAt: seq };
    }
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
