import type { SqliteDatabase } from '../../io/sqlite.ts';
import { number, type Tables } from './tables.ts';

/** How many rows of a session's main agent lie before, and at or after a time (ms). */
export function countSides(db: SqliteDatabase, tables: Tables, sessionId: string, boundary: number): { before: number; after: number } {
  if (!tables.has('message', 'session_id', 'time_created')) return { before: 0, after: 0 };
  const slice = tables.has('message', 'agent_id') ? "AND agent_id = 'main'" : '';
  const count = (side: string): number => number(db.prepare<[string, number], unknown>(`SELECT count(*) FROM message WHERE session_id = ? AND time_created ${side} ? ${slice}`).pluck().get(sessionId, boundary));
  return { before: count('<'), after: count('>=') };
}
