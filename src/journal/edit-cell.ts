import { isUtf8 } from 'node:buffer';
import { editJson, pathText } from '../io/json-edit.ts';
import { quoteName, type Bound } from '../io/sqlite-cells.ts';
import { unpackZstd } from '../io/zstd.ts';
import { RefusedError, errorMessage } from '../model/errors.ts';
import type { Action } from '../model/step.ts';
import { keyText, readRow, run, shapeOf, whereOf, type Context } from './row-statements.ts';
import { planAgain } from './advice.ts';

type EditAction = Extract<Action, { kind: 'edit-json-cell' }>;

/** A JSON text that one row holds packed may grow to this; a larger one is taken for a bomb. */
const maxUnpacked = 64 * 1024 * 1024;

const sameBound = (a: Bound | undefined, b: Bound | undefined): boolean => a === b || (Buffer.isBuffer(a) && Buffer.isBuffer(b) && a.equals(b));

/** The text that the cell would hold after the edits, and whether it lay compressed. Throws RefusedError where a before-value does not hold. */
export function editedCell(context: Context, { table, key, column, edits, packed }: EditAction): { text: string; unpacked: boolean } {
  const columns = packed ? [column, packed.column] : [column];
  shapeOf(context, table, [...Object.keys(key), ...columns, ...(packed ? [packed.bytes, ...packed.clear] : [])]);
  const name = keyText(table, key);
  const row = readRow(context, table, key, columns);
  const stored = row[1];
  const unpacked = row[0] === null && Buffer.isBuffer(stored);
  const text = unpacked ? unpack(stored, name) : row[0];
  if (typeof text !== 'string') throw new RefusedError(`${name}: ${column} holds no text`, planAgain);
  if (!unpacked && text.includes('\u{fffd}')) requireUtf8(context, table, key, column);
  const first = edits[0];
  return { text: editJson(text, edits, `${name}, ${column}${first ? ` (${pathText(first.path)})` : ''}`), unpacked };
}

function unpack(stored: Buffer, name: string): string {
  let bytes: Buffer;
  try {
    bytes = unpackZstd(stored, maxUnpacked);
  } catch (error) {
    throw new RefusedError(`${name} cannot be unpacked: ${errorMessage(error)}`, planAgain);
  }
  if (!isUtf8(bytes)) throw new RefusedError(`${name} is not UTF-8: its other bytes could not be kept`, planAgain);
  return bytes.toString('utf8');
}

/** A text that is not UTF-8 comes out of SQLite changed: written back, its other bytes would not be what they were. */
function requireUtf8(context: Context, table: string, key: EditAction['key'], column: string): void {
  const { sql, values } = whereOf(key);
  const bytes = context.db.prepare(`SELECT CAST(${quoteName(column)} AS BLOB) FROM ${quoteName(table)} WHERE ${sql}`).pluck(true).get(...values);
  if (!Buffer.isBuffer(bytes) || !isUtf8(bytes)) throw new RefusedError(`${keyText(table, key)}: ${column} is not UTF-8: its other bytes could not be kept`, planAgain);
}

function write(context: Context, { table, key }: EditAction, cells: ReadonlyMap<string, Bound>): void {
  const { sql, values } = whereOf(key);
  run(context, `UPDATE ${quoteName(table)} SET ${[...cells.keys()].map((column) => `${quoteName(column)} = ?`).join(', ')} WHERE ${sql}`, [...cells.values(), ...values], 1, keyText(table, key));
}

/**
 * Changes one JSON text and nothing else of its row but what says how it is stored. What a trigger of the product sets on the
 * way is put back: OpenClaw 2026.9 marks every entry that others write as not valid, and then refuses to list any chat of the
 * store.
 */
export function editCell(context: Context, action: EditAction): void {
  const { table, key, column, packed } = action;
  const { text, unpacked } = editedCell(context, action);
  const cells = new Map<string, Bound>([[column, text]]);
  if (packed) {
    const [bytes] = readRow(context, table, key, [packed.bytes]);
    if (unpacked || bytes !== null) cells.set(packed.bytes, BigInt(Buffer.byteLength(text)));
    if (unpacked) for (const name of [packed.column, ...packed.clear]) cells.set(name, null);
  }
  const others = shapeOf(context, table, [column]).columns.filter((name) => !cells.has(name));
  const before = readRow(context, table, key, others);
  write(context, action, cells);
  const after = readRow(context, table, key, others);
  const moved = new Map(others.flatMap((name, index): [string, Bound][] => (sameBound(before[index], after[index]) ? [] : [[name, before[index] ?? null]])));
  if (moved.size > 0) write(context, action, moved);
}
