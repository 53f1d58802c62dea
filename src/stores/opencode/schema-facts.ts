import type { SqliteDatabase } from '../../io/sqlite.ts';
import type { SchemaFacts } from '../snapshot.ts';
import { textOrNull, type Tables } from './tables.ts';

/** Newest migrations that were looked at, by the time in their names. */
const newestKnown = { opencode: '20260703', mimocode: '20260930' };

/** The newest migration that the database has seen, as a time of 14 digits (opencode format notes §2.3). */
export function readSchemaFacts(db: SqliteDatabase, tables: Tables, path: string, product: 'opencode' | 'mimocode'): SchemaFacts {
  const version = newestMigration(db, tables);
  const known = newestKnown[product];
  return { path, version, newestKnown: known, newer: version !== null && /^\d{8}/.test(version) && version.slice(0, 8) > known };
}

function newestMigration(db: SqliteDatabase, tables: Tables): string | null {
  if (tables.has('migration', 'id')) return textOrNull(db.prepare("SELECT max(id) FROM migration WHERE id GLOB '[0-9]*'").pluck().get());
  if (!tables.has('__drizzle_migrations', 'created_at')) return null;
  const ms = Number(db.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() ?? Number.NaN);
  return Number.isFinite(ms) && ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14) : null;
}
