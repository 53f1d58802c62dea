import type { SqliteDatabase } from '../../io/sqlite.ts';
import { field, number, text, type Tables } from './tables.ts';
import type { SessionSpan, UnfinishedRow } from './types.ts';

const openEnd = `${field('data', '$.role')} = 'assistant' AND ${field('data', '$.time.completed')} IS NULL AND ${field('data', '$.error')} IS NULL`;
const openTool = `${field('p.data', '$.type')} = 'tool' AND ${field('p.data', '$.state.status')} IN ('pending', 'running')`;
const toolColumns = `p.session_id, p.message_id, p.id, ${field('p.data', '$.state.status')}, m.time_created, max(p.time_updated, m.time_updated)`;

/** Newest rows of a session that are looked at when the store is too large to look at all. */
const tailLength = 3;

/**
 * Assistant rows without an end and tool parts without a result: of the whole store, or (when it is not `thorough`) of the
 * newest rows of each session, where a crash leaves them.
 */
export function* readUnfinished(db: SqliteDatabase, tables: Tables, thorough: boolean, spans: () => Iterable<SessionSpan>): Iterable<UnfinishedRow> {
  if (!tables.has('message', 'id', 'session_id', 'time_created', 'time_updated', 'data')) return;
  const withParts = tables.has('part', 'id', 'message_id', 'session_id', 'time_updated', 'data');
  const messageColumns = 'session_id, id, time_created, time_updated';
  if (thorough) {
    for (const row of db.prepare<[], unknown[]>(`SELECT ${messageColumns} FROM message WHERE ${openEnd}`).raw().iterate()) yield messageRow(row);
    if (!withParts) return;
    for (const row of db.prepare<[], unknown[]>(`SELECT ${toolColumns} FROM part p JOIN message m ON m.id = p.message_id WHERE ${openTool}`).raw().iterate()) yield partRow(row);
    return;
  }
  const newest = db.prepare<[string, number], unknown[]>(`SELECT id FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT ?`).raw();
  const message = db.prepare<[unknown], unknown[]>(`SELECT ${messageColumns} FROM message WHERE id = ? AND ${openEnd}`).raw();
  const parts = withParts ? db.prepare<[unknown], unknown[]>(`SELECT ${toolColumns} FROM part p JOIN message m ON m.id = p.message_id WHERE p.message_id = ? AND ${openTool}`).raw() : null;
  for (const { sessionId } of spans()) {
    for (const [id] of newest.all(sessionId, tailLength)) {
      const open = message.get(id);
      if (open) yield messageRow(open);
      for (const row of parts?.all(id) ?? []) yield partRow(row);
    }
  }
}

function messageRow([sessionId, id, time, touched]: unknown[]): UnfinishedRow {
  return { sessionId: text(sessionId), messageId: text(id), partId: null, state: 'no end', time: number(time), touched: number(touched) };
}

function partRow([sessionId, messageId, id, state, time, touched]: unknown[]): UnfinishedRow {
  return { sessionId: text(sessionId), messageId: text(messageId), partId: text(id), state: text(state), time: number(time), touched: number(touched) };
}
