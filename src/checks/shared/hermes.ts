import type { Location } from '../../model/finding.ts';
import type { HermesSnapshot, SessionDigest, SessionRow } from '../../stores/hermes/types.ts';
import { reconstructBlocks, type Block } from '../../readers/hermes/blocks.ts';

const blocksOf = new WeakMap<SessionDigest, Block[]>();

/** The blocks of a digest, computed once for all checks that ask for them. */
export function digestBlocks(digest: SessionDigest): Block[] {
  const known = blocksOf.get(digest);
  if (known) return known;
  const blocks = reconstructBlocks(digest.messages);
  blocksOf.set(digest, blocks);
  return blocks;
}

/** Row ids of indexes into a digest. */
export function idsOf(digest: SessionDigest, indexes: Iterable<number>): number[] {
  return [...indexes].map((index) => digest.messages.ids[index] ?? 0);
}

export function messageAt(snapshot: HermesSnapshot, row: number | undefined): Location {
  return row === undefined ? { path: snapshot.ref.path, table: 'messages' } : { path: snapshot.ref.path, table: 'messages', row };
}

export function sessionAt(snapshot: HermesSnapshot, session: SessionRow): Location {
  return { path: snapshot.ref.path, table: 'sessions', row: session.id };
}

/** `17 to 20` for a run, else `3, 5, 9`; at most eight numbers, then how many more. */
export function rowList(rows: readonly number[]): string {
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return 'none';
  if (rows.length > 2 && last - first === rows.length - 1) return `${first} to ${last}`;
  return rows.length > 8 ? `${rows.slice(0, 8).join(', ')} and ${rows.length - 8} more` : rows.join(', ');
}

/** `row 145`, `rows 17 to 20`. */
export function rowsText(rows: readonly number[], word = 'row'): string {
  return `${word}${rows.length === 1 ? '' : 's'} ${rowList(rows)}`;
}
