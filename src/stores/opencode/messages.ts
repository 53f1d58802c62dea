import type { SqliteDatabase } from '../../io/sqlite.ts';
import { field, number, prepared, text, textOrNull, type Tables } from './tables.ts';
import type { CarrierRow, MessageRow } from './types.ts';

/** What a row says in its JSON, read in one go: SQLite parses the text once and hands over a short array. */
const paths = ['$.role', '$.finish', '$.parentID', '$.time.completed', '$.error.name', '$.summary'];
const facts = `CASE WHEN json_valid(data) THEN json_extract(data, ${paths.map((path) => `'${path}'`).join(', ')}) END`;

/** The narrow columns of a message row, in the order that `toMessageRow` takes them. */
export function messageColumns(tables: Tables): string {
  return ['id', tables.has('message', 'agent_id') ? 'agent_id' : "'main'", 'time_created', facts, `CASE WHEN json_valid(data) THEN json_type(data, '$.error') END`].join(', ');
}

export function toMessageRow([id, agent, time, json, errorType]: unknown[]): MessageRow {
  const [role, finish, parent, completed, errorName, summary]: unknown[] = json === null || json === undefined ? [] : JSON.parse(text(json));
  const isAssistant = role === 'assistant';
  return {
    id: text(id),
    agent: text(agent),
    time: number(time),
    role: role === 'user' || role === 'assistant' ? role : 'other',
    finish: isAssistant ? plain(finish) : null,
    parentId: isAssistant ? plain(parent) : null,
    completed: completed !== null && completed !== undefined,
    error: plain(errorName) ?? (errorType === null || errorType === undefined || errorType === 'null' ? null : 'error'),
    summary: isAssistant && summary === true,
  };
}

/** A JSON value as text; anything but a string as JSON. */
function plain(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A session's rows in (time, id) order. */
export function readMessages(db: SqliteDatabase, tables: Tables, sessionId: string): MessageRow[] {
  if (!tables.has('message', 'id', 'session_id', 'time_created', 'data')) return [];
  const rows: MessageRow[] = [];
  const statement = prepared(db, `SELECT ${messageColumns(tables)} FROM message WHERE session_id = ? ORDER BY time_created, id`);
  for (const row of statement.iterate(sessionId)) rows.push(toMessageRow(row));
  return rows;
}

/** A session's newest rows of one agent slice by (time, id), newest first. */
export function readTail(db: SqliteDatabase, tables: Tables, sessionId: string, agent: string, limit: number): MessageRow[] {
  if (!tables.has('message', 'id', 'session_id', 'time_created', 'data')) return [];
  const slice = tables.has('message', 'agent_id') ? 'AND agent_id = ?' : "AND ? = 'main'";
  return prepared(db, `SELECT ${messageColumns(tables)} FROM message WHERE session_id = ? ${slice} ORDER BY time_created DESC, id DESC LIMIT ?`)
    .all(sessionId, agent, limit)
    .map(toMessageRow);
}

/** Rows of a session with a compaction or checkpoint part, in order of part id. */
export function readCarriers(db: SqliteDatabase, tables: Tables, sessionId: string): CarrierRow[] {
  if (!tables.has('part', 'id', 'message_id', 'session_id', 'data')) return [];
  const type = field('data', '$.type');
  return db
    .prepare<[string], unknown[]>(`SELECT message_id, ${type}, ${field('data', '$.tail_start_id')} FROM part WHERE session_id = ? AND ${type} IN ('compaction', 'checkpoint') ORDER BY id`)
    .raw()
    .all(sessionId)
    .map(([messageId, kind, tail]) => ({ messageId: text(messageId), type: kind === 'checkpoint' ? 'checkpoint' : 'compaction', tailStartId: textOrNull(tail) }));
}

/** True when some message has a v2 id; a seek on the primary key. */
export function holdsV2(db: SqliteDatabase, tables: Tables): boolean {
  if (!tables.has('message', 'id')) return false;
  const hex = '[0-9a-f]'.repeat(16);
  return db.prepare<[], unknown>(`SELECT 1 FROM message WHERE id >= 'msg_g' AND id < 'msg_h' AND id GLOB 'msg_g${hex}*' LIMIT 1`).pluck().get() !== undefined;
}
