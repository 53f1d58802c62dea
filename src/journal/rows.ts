import { quoteName, restoreCell, type Bound, type StoredCell } from '../io/sqlite-cells.ts';
import type { SqliteDatabase } from '../io/sqlite.ts';
import { faultPoint } from '../io/faults.ts';
import { FriendlyError } from '../model/errors.ts';
import { exact, pairs } from './capture.ts';
import { keyExpressions, type TableShape } from './schema.ts';

/** Reads and writes single rows by the key that the row log names. Statements are prepared once. */
export type RowAccess = {
  /** The cells of these columns, or null when there is no such row. */
  read(table: string, key: readonly StoredCell[], columns: readonly string[]): StoredCell[] | null;
  write(table: string, key: readonly StoredCell[], cells: { [column: string]: StoredCell }): void;
  insert(table: string, key: readonly StoredCell[], cells: { [column: string]: StoredCell }): void;
  remove(table: string, key: readonly StoredCell[]): void;
  /** The names of `cells`, in the table's order. */
  ordered(table: string, cells: { [column: string]: StoredCell }): string[];
  columns(table: string): string[];
};

export function rowAccess(db: SqliteDatabase, shapes: ReadonlyMap<string, TableShape>, path: string): RowAccess {
  const statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>();
  const prepared = (sql: string): ReturnType<SqliteDatabase['prepare']> => {
    const known = statements.get(sql);
    if (known) return known;
    const fresh = db.prepare(sql);
    if (statements.size > 500) statements.clear();
    statements.set(sql, fresh);
    return fresh;
  };
  const shapeOf = (table: string): TableShape => {
    const shape = shapes.get(table);
    if (!shape) throw new FriendlyError(`${path} has no table ${table} any more`);
    return shape;
  };
  const where = (shape: TableShape, key: readonly StoredCell[]): { sql: string; values: Bound[] } => {
    const restored = key.map(restoreCell);
    return { sql: keyExpressions(shape).map((expression, index) => `${expression} IS ${restored[index]?.sql ?? '?'}`).join(' AND '), values: restored.map(({ value }) => value) };
  };
  const change = (sql: string, values: readonly Bound[], what: string): void => {
    faultPoint('statement', path);
    const { changes } = prepared(sql).run(values);
    if (changes !== 1) throw new FriendlyError(`${what}: ${changes} rows instead of 1`);
  };
  const ordered = (table: string, cells: { [column: string]: StoredCell }): string[] => shapeOf(table).columns.filter((column) => Object.hasOwn(cells, column));
  return {
    ordered,
    columns: (table) => shapeOf(table).columns,
    read(table, key, columns) {
      const shape = shapeOf(table);
      const { sql, values } = where(shape, key);
      const list = columns.length > 0 ? columns.map((column) => exact(quoteName(column))).join(', ') : '1';
      const row = prepared(`SELECT ${list} FROM main.${quoteName(table)} WHERE ${sql}`).raw(true).safeIntegers(true).get(values) as unknown[] | undefined;
      return row === undefined ? null : pairs(row, 0, columns.length);
    },
    write(table, key, cells) {
      const { sql, values } = where(shapeOf(table), key);
      const names = ordered(table, cells);
      const restored = names.map((name) => restoreCell(cells[name] ?? null));
      change(`UPDATE main.${quoteName(table)} SET ${names.map((name, index) => `${quoteName(name)} = ${restored[index]?.sql ?? '?'}`).join(', ')} WHERE ${sql}`, [...restored.map(({ value }) => value), ...values], `a row of ${table}`);
    },
    insert(table, key, cells) {
      const shape = shapeOf(table);
      const names = ordered(table, cells);
      const restored = [...(shape.rowid === null ? [] : key.map(restoreCell)), ...names.map((name) => restoreCell(cells[name] ?? null))];
      const columns = [...(shape.rowid === null ? [] : [shape.rowid]), ...names.map(quoteName)];
      change(`INSERT INTO main.${quoteName(table)} (${columns.join(', ')}) VALUES (${restored.map(({ sql }) => sql).join(', ')})`, restored.map(({ value }) => value), `a row of ${table}`);
    },
    remove(table, key) {
      const { sql, values } = where(shapeOf(table), key);
      change(`DELETE FROM main.${quoteName(table)} WHERE ${sql}`, values, `a row of ${table}`);
    },
  };
}
