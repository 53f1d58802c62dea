import { columnsOf, tablesOf } from '../../io/sqlite-snapshot.ts';
import type { SqliteDatabase } from '../../io/sqlite.ts';

/** Newest `schema_version` whose meaning is known (Hermes format notes §2.8). Columns decide, never this number. */
export const newestSchema = 31;

export type Columns = {
  tables: ReadonlySet<string>;
  sessions: ReadonlySet<string>;
  messages: ReadonlySet<string>;
  /** Where (session_id, id) of the messages is looked up: the table itself, or a temporary one where the store lacks the index. */
  idSource: string;
};

export function readColumns(db: SqliteDatabase): Columns {
  const messages = columnsOf(db, 'messages');
  return { tables: tablesOf(db), sessions: columnsOf(db, 'sessions'), messages, idSource: messages.has('session_id') ? idSource(db) : 'messages' };
}

/** Without an index on the session every question would read the whole table: then a temporary table, in memory, stands in. */
function idSource(db: SqliteDatabase): string {
  const firsts = db.prepare<[], string | null>("SELECT (SELECT name FROM pragma_index_info(i.name) WHERE seqno = 0) FROM pragma_index_list('messages') i WHERE i.partial = 0").pluck().all();
  if (firsts.includes('session_id')) return 'messages';
  db.pragma('query_only = OFF');
  db.exec('CREATE TEMP TABLE sessionfsck_ids (session_id, id INTEGER, PRIMARY KEY (session_id, id)) WITHOUT ROWID; INSERT INTO sessionfsck_ids SELECT session_id, id FROM messages WHERE session_id IS NOT NULL');
  db.pragma('query_only = ON');
  return 'temp.sessionfsck_ids';
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
