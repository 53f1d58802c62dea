import { quoteName } from '../io/sqlite-cells.ts';
import { faultPoint } from '../io/faults.ts';
import { RefusedError } from '../model/errors.ts';
import type { Action } from '../model/step.ts';
import { shapeOf, whereOf, type Context } from './row-statements.ts';
import { planAgain } from './advice.ts';

type ShiftAction = Extract<Action, { kind: 'shift-rows' }>;

/** Numbers that are read ahead at a time. */
const chunk = 10_000;

/** The shifts in ascending order, checked: whole numbers that only make room. */
function ordered({ shifts, table }: ShiftAction): { from: number; by: number }[] {
  const usable = shifts.length > 0 && shifts.every(({ from, by }) => Number.isSafeInteger(from) && Number.isSafeInteger(by) && by > 0);
  if (!usable) throw new RefusedError(`rows of ${table} would be moved by no whole number`, planAgain);
  return [...shifts].sort((a, b) => a.from - b.from);
}

function selection(action: ShiftAction): { condition: string; values: (string | number | bigint | Buffer | null)[] } {
  const { sql, values } = whereOf(action.where);
  return { condition: `${sql} AND ${quoteName(action.column)} >= ?`, values };
}

/** Throws RefusedError unless exactly the rows that the plan saw would move. */
export function checkShift(context: Context, action: ShiftAction): void {
  const { table, column, where } = action;
  shapeOf(context, table, [column, ...Object.keys(where)]);
  const least = ordered(action)[0]?.from ?? 0;
  const { condition, values } = selection(action);
  const name = quoteName(column);
  const row = context.db
    .prepare(`SELECT count(*), count(DISTINCT ${name}), total(typeof(${name}) <> 'integer') FROM ${quoteName(table)} WHERE ${condition}`)
    .raw(true)
    .safeIntegers(false)
    .get(...values, BigInt(least)) as [number, number, number];
  if (row[0] !== action.rows || row[1] !== row[0] || row[2] !== 0) throw new RefusedError(`${row[0]} rows of ${table} reach ${column} ${least}, where the plan saw ${action.rows}`, planAgain);
}

/** Moves the rows, the greatest number first. */
export function shiftRows(context: Context, action: ShiftAction): void {
  const shifts = ordered(action);
  const least = shifts[0]?.from ?? 0;
  const { condition, values } = selection(action);
  const name = quoteName(action.column);
  const read = context.db.prepare(`SELECT ${name} FROM ${quoteName(action.table)} WHERE ${condition} AND ${name} < ? ORDER BY ${name} DESC LIMIT ${chunk}`).pluck(true).safeIntegers(false);
  const move = context.db.prepare(`UPDATE ${quoteName(action.table)} SET ${name} = ? WHERE ${whereOf(action.where).sql} AND ${name} = ?`);
  let below = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const numbers = read.all(...values, BigInt(least), BigInt(below)) as number[];
    for (const number of numbers) {
      const by = shifts.reduce((sum, shift) => (shift.from <= number ? sum + shift.by : sum), 0);
      faultPoint('statement', context.path);
      const { changes } = move.run(BigInt(number + by), ...values, BigInt(number));
      if (changes !== 1) throw new RefusedError(`${changes} rows of ${action.table} have ${action.column} ${number}, where one was expected`, planAgain);
    }
    const last = numbers.at(-1);
    if (last === undefined) return;
    below = last;
  }
}
