import { bindCell, quoteName, type Bound } from '../io/sqlite-cells.ts';
import type { SqliteDatabase } from '../io/sqlite.ts';
import { faultPoint } from '../io/faults.ts';
import { RefusedError } from '../model/errors.ts';
import type { CellMap } from '../model/step.ts';
import type { TableShape } from './schema.ts';
import { planAgain } from './advice.ts';

/** A database inside the transaction that changes it. */
export type Context = { db: SqliteDatabase; shapes: ReadonlyMap<string, TableShape>; path: string };

/** The shape of a table that has these columns. Throws RefusedError. */
export function shapeOf(context: Context, table: string, columns: readonly string[]): TableShape {
  const shape = context.shapes.get(table);
  if (!shape) throw new RefusedError(`${context.path} has no table ${table} that rows can be written to`, planAgain);
  const unknown = columns.find((column) => !shape.columns.includes(column));
  if (unknown !== undefined) throw new RefusedError(`table ${table} of ${context.path} has no column ${unknown}`, planAgain);
  return shape;
}

/** `a IS ? AND b IS ?`, with the values. An empty key would mean every row: refused. */
export function whereOf(key: CellMap): { sql: string; values: Bound[] } {
  const columns = Object.keys(key);
  if (columns.length === 0) throw new RefusedError('a change names no row', planAgain);
  return { sql: columns.map((column) => `${quoteName(column)} IS ?`).join(' AND '), values: columns.map((column) => bindCell(key[column] ?? null)) };
}

/** A row as messages name it. */
export function keyText(table: string, key: CellMap): string {
  return `${table} row ${Object.values(key).map(String).join(', ')}`;
}

/** The cells of exactly one row. Throws RefusedError where there is none, or more than one. */
export function readRow(context: Context, table: string, key: CellMap, columns: readonly string[]): Bound[] {
  const { sql, values } = whereOf(key);
  const list = columns.length > 0 ? columns.map(quoteName).join(', ') : '1';
  const rows = context.db.prepare(`SELECT ${list} FROM ${quoteName(table)} WHERE ${sql} LIMIT 2`).raw(true).safeIntegers(true).all(...values) as Bound[][];
  const row = rows[0];
  if (!row) throw new RefusedError(`${keyText(table, key)} is not there any more`, planAgain);
  if (rows.length > 1) throw new RefusedError(`${keyText(table, key)} names more than one row`, planAgain);
  return row;
}

/** Runs one statement that must change `expected` rows. */
export function run(context: Context, sql: string, values: readonly Bound[], expected: number, what: string): void {
  faultPoint('statement', context.path);
  const { changes } = context.db.prepare(sql).run(...values);
  if (changes !== expected) throw new RefusedError(`${what}: ${changes} rows would change instead of ${expected}`, planAgain);
}

/** Sets cells of one row. */
export function update(context: Context, table: string, key: CellMap, after: CellMap): void {
  const columns = Object.keys(after);
  if (columns.length === 0) return;
  const { sql, values } = whereOf(key);
  run(context, `UPDATE ${quoteName(table)} SET ${columns.map((column) => `${quoteName(column)} = ?`).join(', ')} WHERE ${sql}`, [...columns.map((column) => bindCell(after[column] ?? null)), ...values], 1, keyText(table, key));
}

