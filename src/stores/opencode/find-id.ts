import type { SqliteDatabase } from '../../io/sqlite.ts';
import { number, text, type Tables } from './tables.ts';
import type { IdRowPlace } from './types.ts';

const places = [
  { table: 'message', session: 'session_id' },
  { table: 'part', session: 'session_id' },
  { table: 'session', session: 'id' },
] as const;

/** The row that has this id, found by its primary key, or null. */
export function findIdRow(db: SqliteDatabase, tables: Tables, id: string): IdRowPlace | null {
  for (const { table, session } of places) {
    if (!tables.has(table, 'id', session, 'time_created')) continue;
    const row = db.prepare<[string], unknown[]>(`SELECT ${session}, time_created FROM ${table} WHERE id = ?`).raw().get(id);
    if (row) return { table, sessionId: text(row[0]), time: number(row[1]) };
  }
  return null;
}
