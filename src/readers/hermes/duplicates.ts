import { Flag, type MessageColumns } from '../../stores/hermes/digest-types.ts';
import { addRow, emptyIndex, keyFor, rowsWith, type RowIndex } from './row-index.ts';
import { isBookkeeping, role, stateOf } from './view.ts';

/** A live row that says again what an earlier live row says. Indexes into the session's rows. */
export type Twin = {
  copy: number;
  first: number;
  /** exact: equal to the fraction of a second. block: equal, whole seconds, inside a repeated block. replay: new times, written at machine speed. */
  kind: 'exact' | 'block' | 'replay';
};

/** A replayed block is at least this long. */
const runLength = 3;
/** Faster than anybody talks: at least ten rows a second. */
const replaySeconds = 0.1;
/** How many earlier places of equal rows are tried; keeps a session of a million times `ok` linear. */
const places = 8;

/**
 * The same logical message live twice (Hermes format notes §4b). Rows of a live summary are left to the check of double
 * summaries. Not twins: equal words at different times; equal short messages of one second, unless the rows around them
 * repeat as well; copies whose original is archived.
 */
export function liveTwins(m: MessageColumns): Twin[] {
  const kept = new Int32Array(m.count);
  let count = 0;
  for (let i = 0; i < m.count; i++) {
    const flags = m.flags[i] ?? 0;
    if (stateOf(flags) === 'live' && !(flags & Flag.summary) && !isBookkeeping(m, i)) kept[count++] = i;
  }
  const rows = kept.subarray(0, count);
  const text = (p: number): number => keyFor(m.roles[rows[p] ?? 0] ?? 0, m.texts[rows[p] ?? 0] ?? 0, m.callIds[rows[p] ?? 0] ?? 0, 1);
  const time = (p: number): number => m.timestamps[rows[p] ?? 0] ?? Number.NaN;
  const repeated = timesSaidTwice(rows.length, time);
  const firstOf = firstCopies(rows.length, (p) => (repeated.has(time(p)) ? keyFor(text(p), time(p), 2) : 0));
  const accepted = new Map<number, Twin>();
  const accept = (p: number, first: number, kind: Twin['kind']): void => {
    if (!accepted.has(p)) accepted.set(p, { copy: rows[p] ?? 0, first: rows[first] ?? 0, kind });
  };
  for (let p = 0; p < rows.length; p++) {
    const first = firstOf[p] ?? -1;
    if (first !== -1 && isTelling(m, rows[p] ?? 0)) accept(p, first, 'exact');
  }
  spreadToNeighbours(firstOf, accepted, accept);
  acceptRuns(firstOf, accept);
  findReplays(rows.length, text, time, (p) => accepted.has(p), accept);
  return [...accepted.entries()].sort((a, b) => a[0] - b[0]).map(([, twin]) => twin);
}

/** The times that more than one row has: rows of other times need no second look. */
function timesSaidTwice(count: number, time: (p: number) => number): Set<number> {
  const sorted = new Float64Array(count);
  for (let p = 0; p < count; p++) sorted[p] = time(p);
  sorted.sort();
  const found = new Set<number>();
  for (let p = 1; p < count; p++) if (sorted[p] === sorted[p - 1]) found.add(sorted[p] ?? 0);
  return found;
}

/** For each row the first one with its key, or -1. Only first ones are entered, so that a chain never grows with the number of copies. */
function firstCopies(count: number, keyOf: (p: number) => number): Int32Array {
  const firstOf = new Int32Array(count).fill(-1);
  const firsts = new Map<number, number>();
  for (let p = 0; p < count; p++) {
    const key = keyOf(p);
    if (key === 0) continue;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, p);
    else firstOf[p] = first;
  }
  return firstOf;
}

/** Equal rows that cannot have come about twice: a time with a fraction, or the same tool call. */
function isTelling(m: MessageColumns, row: number): boolean {
  const time = m.timestamps[row] ?? Number.NaN;
  if (Number.isFinite(time) && !Number.isInteger(time)) return true;
  return (m.roles[row] === role.tool && (m.callIds[row] ?? 0) !== 0) || (m.callCounts[row] ?? 0) > 0;
}

/** A row of a whole second counts when the row before or after it is a twin at the same distance. */
function spreadToNeighbours(firstOf: Int32Array, accepted: ReadonlyMap<number, Twin>, accept: (p: number, first: number, kind: Twin['kind']) => void): void {
  const matches = (p: number, neighbour: number): boolean => accepted.has(neighbour) && (firstOf[neighbour] ?? -1) - (firstOf[p] ?? -1) === neighbour - p;
  for (let p = 1; p < firstOf.length; p++) if (firstOf[p] !== -1 && matches(p, p - 1)) accept(p, firstOf[p] ?? 0, 'block');
  for (let p = firstOf.length - 2; p >= 0; p--) if (firstOf[p] !== -1 && matches(p, p + 1)) accept(p, firstOf[p] ?? 0, 'block');
}

/** Three equal rows of whole seconds in a row, each as far from its first copy, are a block written again. */
function acceptRuns(firstOf: Int32Array, accept: (p: number, first: number, kind: Twin['kind']) => void): void {
  for (let p = 0; p < firstOf.length; ) {
    let end = p;
    while (end < firstOf.length && firstOf[end] !== -1 && (end === p || firstOf[end] === (firstOf[end - 1] ?? 0) + 1)) end++;
    // A run that overlaps its own first copies is one text said many times within a second.
    if (end - p >= runLength && (firstOf[p] ?? 0) + (end - p) <= p) for (let i = p; i < end; i++) accept(i, firstOf[i] ?? 0, 'block');
    p = Math.max(end, p + 1);
  }
}

/** Blocks that were written again with new times: equal rows in equal order, the later ones at machine speed, the first ones not. */
function findReplays(count: number, text: (p: number) => number, time: (p: number) => number, known: (p: number) => boolean, accept: (p: number, first: number, kind: Twin['kind']) => void): void {
  let earlier: RowIndex | null = null;
  let entered = 0;
  for (let p = 0; p + runLength <= count; p++) {
    if (known(p) || !(Math.abs(time(p + 1) - time(p)) <= replaySeconds) || !(Math.abs(time(p + 2) - time(p + 1)) <= replaySeconds)) continue;
    earlier ??= emptyIndex(count);
    for (; entered < p; entered++) addRow(earlier, entered, text(entered));
    let tried = 0;
    let best = 0;
    let from = -1;
    for (const candidate of rowsWith(earlier, text(p))) {
      let length = 1;
      while (p + length < count && candidate + length < p && text(candidate + length) === text(p + length) && Math.abs(time(p + length) - time(p + length - 1)) <= replaySeconds) length++;
      if (length > best && Math.abs(time(candidate + length - 1) - time(candidate)) > 2 * replaySeconds * length) {
        best = length;
        from = candidate;
      }
      if (++tried >= places) break;
    }
    if (best < runLength) continue;
    for (let i = 0; i < best; i++) accept(p + i, from + i, 'replay');
    p += best - 1;
  }
}
