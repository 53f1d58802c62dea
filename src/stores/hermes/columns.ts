import { columnsOf, tablesOf } from '../../io/sqlite-snapshot.ts';
import type { SqliteDatabase } from '../../io/sqlite.ts';

/** Newest `schema_version` whose meaning is known (Hermes format notes §2.8). Columns decide, never this number. */
export const newestSchema = 31;

export type Columns = { tables: ReadonlySet<string>; sessions: ReadonlySet<string>; messages: ReadonlySet<string> };

export function readColumns(db: SqliteDatabase): Columns {
  return { tables: tablesOf(db), sessions: columnsOf(db, 'sessions'), messages: columnsOf(db, 'messages') };
}

/** An SQL expression for a column that a store may lack. */
export function columnOr(columns: ReadonlySet<string>, name: string, fallback: string): string {
  return columns.has(name) ? `"${name}"` : `${fallback} AS "${name}"`;
}

/** The single row of `schema_version`, or null. */
export function schemaVersion(db: SqliteDatabase, tables: ReadonlySet<string>): number | null {
  if (!tables.has('schema_version')) return null;
  const row = db.prepare<[], { version: unknown }>('SELECT max(version) AS version FROM schema_version').get();
  const version = Number(row?.version);
  return row?.version !== null && Number.isFinite(version) ? version : null;
}

/** A time column in seconds as ms; a text or another wrong value gives null. */
export function secondsToMs(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value * 1000) : null;
}
