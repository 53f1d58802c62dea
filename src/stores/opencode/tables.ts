import { columnsOf, tablesOf } from '../../io/sqlite-snapshot.ts';
import type { Statement } from 'better-sqlite3';
import type { SqliteDatabase } from '../../io/sqlite.ts';

/** Which tables, columns and indexes this database has: versions differ, so every question looks first. */
export type Tables = {
  has(table: string, ...columns: string[]): boolean;
  hasIndex(name: string): boolean;
  names: ReadonlySet<string>;
};

export function inspectTables(db: SqliteDatabase): Tables {
  const names = tablesOf(db);
  const columns = new Map([...names].map((name) => [name, columnsOf(db, name)] as const));
  const indexes = new Set(db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'index'").pluck().all());
  return {
    names,
    has: (table, ...wanted) => {
      const present = columns.get(table);
      return present !== undefined && wanted.every((column) => present.has(column));
    },
    hasIndex: (name) => indexes.has(name),
  };
}

/** SQL that reads one field of a JSON column, NULL where the column is not JSON (it never throws on damaged data). */
export function field(column: string, path: string): string {
  return `CASE WHEN json_valid(${column}) THEN json_extract(${column}, '${path}') END`;
}

/** Any SQLite value as text: a hostile store may hold numbers or blobs where ids belong. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Buffer.isBuffer(value)) return value.toString('utf8');
  return value === null || value === undefined ? '' : String(value);
}

export function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : text(value);
}

/** Any SQLite value as a number of ms; 0 where it is none. */
export function number(value: unknown): number {
  const parsed = typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : Number(text(value));
  return Number.isFinite(parsed) ? parsed : 0;
}

const statements = new WeakMap<SqliteDatabase, Map<string, Statement<unknown[], unknown[]>>>();

/** A statement that gives rows as arrays, prepared once a database: questions are asked once a session. */
export function prepared(db: SqliteDatabase, sql: string): Statement<unknown[], unknown[]> {
  let known = statements.get(db);
  if (known === undefined) {
    known = new Map();
    statements.set(db, known);
  }
  let statement = known.get(sql);
  if (statement === undefined) {
    statement = db.prepare<unknown[], unknown[]>(sql).raw();
    known.set(sql, statement);
  }
  return statement;
}
