import { randomBytes } from 'node:crypto';
import { bindCell, isComputed, quoteName, sameCell } from '../io/sqlite-cells.ts';
import { faultPoint } from '../io/faults.ts';
import { RefusedError } from '../model/errors.ts';
import type { Action, Cell, CellMap, Computed } from '../model/step.ts';
import { isProtectedTable } from '../stores/protected-tables.ts';
import { editCell, editedCell } from './edit-cell.ts';
import { mapIds } from './map-ids.ts';
import { keyText, readRow, run, shapeOf, update, whereOf, type Context } from './row-statements.ts';
import { checkShift, shiftRows } from './shift-rows.ts';
import { planAgain } from './advice.ts';

export type DatabaseAction = Extract<Action, { database: string }>;

function requireBefore(context: Context, table: string, key: CellMap, before: CellMap): void {
  const columns = Object.keys(before);
  shapeOf(context, table, [...Object.keys(key), ...columns]);
  const row = readRow(context, table, key, columns);
  for (const [index, column] of columns.entries()) {
    if (!sameCell(row[index] ?? null, before[column] ?? null)) throw new RefusedError(`${keyText(table, key)}: ${column} is no longer what the plan saw`, planAgain);
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
        if (isProtectedTable(action.table)) throw new RefusedError(`rows of ${action.table} are never deleted`, planAgain);
        for (const row of action.rows) requireBefore(context, action.table, row.key, row.before);
        break;
      case 'edit-json-cell':
        editedCell(context, action);
        break;
      case 'clone-rows':
        shapeOf(context, action.table, [action.keyColumn, ...Object.keys(action.set)]);
        for (const row of action.rows) readRow(context, action.table, { [action.keyColumn]: row }, []);
        break;
      case 'shift-rows':
        checkShift(context, action);
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
  if (row?.sql !== trigger.sql) throw new RefusedError(`trigger ${trigger.name} is no longer what the plan saw`, planAgain);
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

function compute(context: Context, cell: Computed): bigint | string {
  if ('$token' in cell) return randomBytes(16).toString('hex');
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
 * Does all actions inside the open transaction. Triggers go first, then plain writes, then room is made for new rows, then clones, deletions and mappings;
 * computed cells are worked out last, so that they count what is there in the end.
 */
export function runActions(context: Context, actions: readonly DatabaseAction[]): void {
  const later: (() => void)[] = [];
  const rank: Record<DatabaseAction['kind'], number> = { 'drop-triggers': 0, 'edit-json-cell': 1, 'update-rows': 2, 'shift-rows': 3, 'insert-rows': 4, 'clone-rows': 5, 'delete-rows': 6, 'map-ids': 7 };
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
      case 'shift-rows':
        shiftRows(context, action);
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
