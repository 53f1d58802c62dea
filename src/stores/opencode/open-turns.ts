import type { SqliteDatabase } from '../../io/sqlite.ts';
import { text, type Tables } from './tables.ts';
import type { OpenReply, OpenToolPart } from './types.ts';
import { isObject } from '../../model/values.ts';

function parsed(db: SqliteDatabase, tables: Tables, table: 'message' | 'part', id: string): { [key: string]: unknown } | null {
  if (!tables.has(table, 'id', 'data')) return null;
  const data = db.prepare<[string], unknown>(`SELECT data FROM ${table} WHERE id = ?`).pluck().get(id);
  try {
    return member(JSON.parse(text(data)));
  } catch {
    return null;
  }
}

function member(value: unknown): { [key: string]: unknown } | null {
  return isObject(value) ? value : null;
}

/** The shape of an unfinished tool part, without what it was called with; null when it is no such part. */
export function readOpenToolPart(db: SqliteDatabase, tables: Tables, id: string): OpenToolPart | null {
  const data = parsed(db, tables, 'part', id);
  const state = member(data?.['state']);
  if (data?.['type'] !== 'tool' || state === null) return null;
  const { status } = state;
  if (status !== 'pending' && status !== 'running') return null;
  const time = member(state['time']);
  return {
    status,
    timed: time !== null,
    start: typeof time?.['start'] === 'number' ? time['start'] : null,
    metadata: member(state['metadata']) !== null,
    foreign: 'error' in state || (time !== null && 'end' in time) || ('metadata' in state && member(state['metadata']) === null) || ('time' in state && time === null) || 'interrupted' in (member(state['metadata']) ?? {}),
  };
}

/** The shape of a reply without an end; null when it has one, or an error, or is no reply. */
export function readOpenReply(db: SqliteDatabase, tables: Tables, id: string): OpenReply | null {
  const data = parsed(db, tables, 'message', id);
  const time = member(data?.['time']);
  if (data === null || data['role'] !== 'assistant' || (time?.['completed'] ?? null) !== null || (data['error'] ?? null) !== null) return null;
  return { foreign: time === null || 'completed' in time || 'error' in data };
}
