import { editJson, pathText } from '../io/json-edit.ts';
import { bindCell, isComputed, quoteName, sameCell, type Bound } from '../io/sqlite-cells.ts';
import type { SqliteDatabase } from '../io/sqlite.ts';
import { faultPoint } from '../io/faults.ts';
import { RefusedError } from '../model/errors.ts';
import type { Action, Cell, CellMap, Computed } from '../model/step.ts';
import { isProtectedTable } from '../stores/protected-tables.ts';
import { mapIds } from './map-ids.ts';
import type { TableShape } from './schema.ts';

export type DatabaseAction = Extract<Action, { database: string }>;

type Context = { db: SqliteDatabase; shapes: ReadonlyMap<string, TableShape>; path: string };

const again = 'the store changed since the plan, or the plan was edited: make a new plan';

function shapeOf(context: Context, table: string, columns: readonly string[]): TableShape {
  const shape = context.shapes.get(table);
  if (!shape) throw new RefusedError(`${context.path} has no table ${table} that rows can be written to`, again);
  const unknown = columns.find((column) => !shape.columns.includes(column));
  if (unknown !== undefined) throw new RefusedError(`table ${table} of ${context.path} has no column ${unknown}`, again);
  return shape;
}

/** `a IS ? AND b IS ?`, with the values. An empty key would mean every row: refused. */
export function whereOf(key: CellMap): { sql: string; values: Bound[] } {
  const columns = Object.keys(key);
  if (columns.length === 0) throw new RefusedError('a change names no row', again);
  return { sql: columns.map((column) => `${quoteName(column)} IS ?`).join(' AND '), values: columns.map((column) => bindCell(key[column] ?? null)) };
}

function keyText(table: string, key: CellMap): string {
  return `${table} row ${Object.values(key).map(String).join(', ')}`;
}

function readRow(context: Context, table: string, key: CellMap, columns: readonly string[]): Bound[] {
  const { sql, values } = whereOf(key);
  const list = columns.length > 0 ? columns.map(quoteName).join(', ') : '1';
  const rows = context.db.prepare(`SELECT ${list} FROM ${quoteName(table)} WHERE ${sql} LIMIT 2`).raw(true).safeIntegers(true).all(...values) as Bound[][];
  const row = rows[0];
  if (!row) throw new RefusedError(`${keyText(table, key)} is not there any more`, again);
  if (rows.length > 1) throw new RefusedError(`${keyText(table, key)} names more than one row`, again);
  return row;
}

function requireBefore(context: Context, table: string, key: CellMap, before: CellMap): void {
  const columns = Object.keys(before);
  shapeOf(context, table, [...Object.keys(key), ...columns]);
  const row = readRow(context, table, key, columns);
  for (const [index, column] of columns.entries()) {
    if (!sameCell(row[index] ?? null, before[column] ?? null)) throw new RefusedError(`${keyText(table, key)}: ${column} is no longer what the plan saw`, again);
  }
}

/** Everything that must be true before the first write of any action. Throws RefusedError. */
export function checkPreconditions(context: Context, actions: readonly DatabaseAction[]): void {
  for (const action of actions) {
    switch (action.kind) {
      case 'update-rows':
        for (const row of action.rows) {
          shapeOf(context, action.table, Object.keys(row.after));
          requireBefore(context, action.table, row.key, row.before);
        }
        break;
      case 'delete-rows':
        if (isProtectedTable(action.table)) throw new RefusedError(`rows of ${action.table} are never deleted`, again);
        for (const row of action.rows) requireBefore(context, action.table, row.key, row.before);
        break;
      case 'edit-json-cell':
        editedCell(context, action);
        break;
      case 'clone-rows':
        shapeOf(context, action.table, [action.keyColumn, ...Object.keys(action.set)]);
        for (const row of action.rows) readRow(context, action.table, { [action.keyColumn]: row }, []);
        break;
      case 'insert-rows':
        for (const row of action.rows) shapeOf(context, action.table, Object.keys(row));
        break;
      case 'map-ids':
        for (const column of action.columns) shapeOf(context, column.table, [column.column, ...Object.keys(column.where ?? {})]);
        break;
      case 'drop-triggers':
        for (const trigger of action.triggers) requireTrigger(context, trigger);
        break;
    }
  }
}

function requireTrigger(context: Context, trigger: { name: string; sql: string }): void {
  const row = context.db.prepare<[string], { sql: string }>("SELECT sql FROM main.sqlite_master WHERE type = 'trigger' AND name = ?").get(trigger.name);
  if (row?.sql !== trigger.sql) throw new RefusedError(`trigger ${trigger.name} is no longer what the plan saw`, again);
}

function editedCell(context: Context, action: Extract<DatabaseAction, { kind: 'edit-json-cell' }>): string {
  shapeOf(context, action.table, [...Object.keys(action.key), action.column]);
  const [value] = readRow(context, action.table, action.key, [action.column]);
  if (typeof value !== 'string') throw new RefusedError(`${keyText(action.table, action.key)}: ${action.column} holds no text`, again);
  const first = action.edits[0];
  return editJson(value, action.edits, `${keyText(action.table, action.key)}, ${action.column}${first ? ` (${pathText(first.path)})` : ''}`);
}

function run(context: Context, sql: string, values: readonly Bound[], expected: number, what: string): void {
  faultPoint('statement', context.path);
  const { changes } = context.db.prepare(sql).run(...values);
  if (changes !== expected) throw new RefusedError(`${what}: ${changes} rows would change instead of ${expected}`, again);
}

function update(context: Context, table: string, key: CellMap, after: CellMap): void {
  const columns = Object.keys(after);
  if (columns.length === 0) return;
  const { sql, values } = whereOf(key);
  run(context, `UPDATE ${quoteName(table)} SET ${columns.map((column) => `${quoteName(column)} = ?`).join(', ')} WHERE ${sql}`, [...columns.map((column) => bindCell(after[column] ?? null)), ...values], 1, keyText(table, key));
}

const sameBound = (a: Bound | undefined, b: Bound | undefined): boolean => a === b || (Buffer.isBuffer(a) && Buffer.isBuffer(b) && a.equals(b));

/**
 * Changes one cell and nothing else of its row. What a trigger of the product sets on the way is put back: OpenClaw 2026.9
 * marks every entry that others write as not valid, and then refuses to list any chat of the store.
 */
function editCell(context: Context, action: Extract<DatabaseAction, { kind: 'edit-json-cell' }>): void {
  const text = editedCell(context, action);
  const others = shapeOf(context, action.table, [action.column]).columns.filter((column) => column !== action.column);
  const before = readRow(context, action.table, action.key, others);
  update(context, action.table, action.key, { [action.column]: text });
  const after = readRow(context, action.table, action.key, others);
  const moved = others.map((column, index) => ({ column, value: before[index] ?? null, now: after[index] })).filter(({ value, now }) => !sameBound(value, now));
  if (moved.length === 0) return;
  const { sql, values } = whereOf(action.key);
  run(context, `UPDATE ${quoteName(action.table)} SET ${moved.map(({ column }) => `${quoteName(column)} = ?`).join(', ')} WHERE ${sql}`, [...moved.map(({ value }) => value), ...values], 1, keyText(action.table, action.key));
}

function split(cells: CellMap): { plain: CellMap; computed: [string, Computed][] } {
  const plain: CellMap = {};
  const computed: [string, Computed][] = [];
  for (const [column, cell] of Object.entries(cells)) {
    if (isComputed(cell)) computed.push([column, cell]);
    else plain[column] = cell;
  }
  return { plain, computed };
}

function compute(context: Context, cell: Computed): bigint {
  if ('$count' in cell) {
    const { sql, values } = whereOf(cell.$count.where);
    return context.db.prepare(`SELECT count(*) FROM ${quoteName(cell.$count.table)} WHERE ${sql}`).pluck(true).safeIntegers(true).get(...values) as bigint;
  }
  const { table, where, column } = cell.$arrayLengths;
  const { sql, values } = whereOf(where);
  const name = quoteName(column);
  return context.db
    .prepare(`SELECT coalesce(sum(CASE WHEN json_valid(${name}) THEN CASE WHEN json_type(${name}) = 'array' THEN json_array_length(${name}) ELSE 0 END ELSE 0 END), 0) FROM ${quoteName(table)} WHERE ${sql}`)
    .pluck(true)
    .safeIntegers(true)
    .get(...values) as bigint;
}

/**
 * Does all actions inside the open transaction. Triggers go first, then plain writes, then clones, deletions and mappings;
 * computed cells are worked out last, so that they count what is there in the end.
 */
export function runActions(context: Context, actions: readonly DatabaseAction[]): void {
  const later: (() => void)[] = [];
  const rank: Record<DatabaseAction['kind'], number> = { 'drop-triggers': 0, 'edit-json-cell': 1, 'update-rows': 2, 'insert-rows': 3, 'clone-rows': 4, 'delete-rows': 5, 'map-ids': 6 };
  for (const action of [...actions].sort((a, b) => rank[a.kind] - rank[b.kind])) {
    switch (action.kind) {
      case 'drop-triggers':
        for (const { name } of action.triggers) {
          faultPoint('statement', context.path);
          context.db.exec(`DROP TRIGGER main.${quoteName(name)}`);
        }
        break;
      case 'edit-json-cell':
        editCell(context, action);
        break;
      case 'update-rows':
        for (const row of action.rows) {
          const { plain, computed } = split(row.after);
          update(context, action.table, row.key, plain);
          for (const [column, cell] of computed) later.push(() => computedUpdate(context, action.table, row.key, column, cell));
        }
        break;
      case 'insert-rows':
        for (const row of action.rows) insert(context, action.table, row);
        break;
      case 'clone-rows':
        for (const row of action.rows) clone(context, action, row);
        break;
      case 'delete-rows':
        for (const row of action.rows) {
          const { sql, values } = whereOf(row.key);
          run(context, `DELETE FROM ${quoteName(action.table)} WHERE ${sql}`, values, 1, keyText(action.table, row.key));
        }
        break;
      case 'map-ids':
        mapIds(context, action);
        break;
    }
  }
  for (const job of later) job();
}

function computedUpdate(context: Context, table: string, key: CellMap, column: string, cell: Computed): void {
  const { sql, values } = whereOf(key);
  run(context, `UPDATE ${quoteName(table)} SET ${quoteName(column)} = ? WHERE ${sql}`, [compute(context, cell), ...values], 1, keyText(table, key));
}

function insert(context: Context, table: string, row: CellMap): void {
  const columns = Object.keys(row);
  const values = columns.map((column) => bindCell(row[column] as Cell));
  run(context, `INSERT INTO ${quoteName(table)} (${columns.map(quoteName).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`, values, 1, `a new row of ${table}`);
}

function clone(context: Context, action: Extract<DatabaseAction, { kind: 'clone-rows' }>, row: number): void {
  const shape = shapeOf(context, action.table, [action.keyColumn]);
  const copied = shape.columns.filter((column) => column !== action.keyColumn && !(column in action.set));
  const set = Object.keys(action.set);
  const target = [...copied, ...set].map(quoteName).join(', ');
  const source = [...copied.map(quoteName), ...set.map(() => '?')].join(', ');
  run(
    context,
    `INSERT INTO ${quoteName(action.table)} (${target}) SELECT ${source} FROM ${quoteName(action.table)} WHERE ${quoteName(action.keyColumn)} = ?`,
    [...set.map((column) => bindCell(action.set[column] as Cell)), BigInt(row)],
    1,
    `${action.table} row ${row}`,
  );
}
