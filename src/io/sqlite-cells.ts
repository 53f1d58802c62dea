import { isUtf8 } from 'node:buffer';
import { FriendlyError } from '../model/errors.ts';
import type { Cell, Computed } from '../model/step.ts';

/** A value as it goes to and comes from SQLite, with its storage class kept: integers as bigint, reals as number, blobs as Buffer. */
export type Bound = null | bigint | number | string | Buffer;

/** A value as the journal keeps it: exact, also for text that is not UTF-8 and for reals that JSON has no word for. */
export type StoredCell = null | string | number | { $integer: string } | { $blob: string } | { $text: string } | { $real: string };

export function isComputed(cell: Cell): cell is Computed {
  return typeof cell === 'object' && cell !== null && ('$count' in cell || '$arrayLengths' in cell || '$token' in cell);
}

/** What a plan's value is bound as. Whole numbers are integers; a REAL column makes them reals by itself. */
export function bindCell(cell: Cell): Bound {
  if (cell === null || typeof cell === 'string') return cell;
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? BigInt(cell) : cell;
  if ('$integer' in cell) return BigInt(cell.$integer);
  if ('$blob' in cell) return Buffer.from(cell.$blob, 'base64');
  throw new FriendlyError('a computed value cannot stand here: the plan was edited');
}

/** True when a value read from the database is the one that a plan names. */
export function sameCell(read: Bound, cell: Cell): boolean {
  const wanted = bindCell(cell);
  if (Buffer.isBuffer(wanted)) return Buffer.isBuffer(read) && read.equals(wanted);
  if (typeof wanted === 'bigint' || typeof wanted === 'number') return (typeof read === 'bigint' || typeof read === 'number') && Number(read) === Number(wanted) && (typeof read === 'number' || typeof wanted === 'number' || read === wanted);
  return read === wanted;
}

/** For the journal. `text` comes as its bytes. */
export function storeCell(type: string, value: Bound): StoredCell {
  switch (type) {
    case 'text':
      if (!Buffer.isBuffer(value)) return value === null ? null : String(value);
      return isUtf8(value) ? value.toString('utf8') : { $text: value.toString('base64') };
    case 'blob':
      return { $blob: Buffer.isBuffer(value) ? value.toString('base64') : '' };
    case 'integer':
      return { $integer: String(value) };
    case 'real':
      return typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0) ? value : { $real: Object.is(value, -0) ? '-0' : String(value) };
    default:
      return null;
  }
}

/** The SQL placeholder and the value that give a stored cell back. */
export function restoreCell(cell: StoredCell): { sql: string; value: Bound } {
  if (cell === null || typeof cell === 'string' || typeof cell === 'number') return { sql: '?', value: cell };
  if ('$integer' in cell) return { sql: '?', value: BigInt(cell.$integer) };
  if ('$blob' in cell) return { sql: '?', value: Buffer.from(cell.$blob, 'base64') };
  if ('$text' in cell) return { sql: 'CAST(? AS TEXT)', value: Buffer.from(cell.$text, 'base64') };
  return { sql: '?', value: cell.$real === 'NaN' ? null : Number(cell.$real) };
}

/** A name as SQL takes it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
