import { Flag, type MessageColumns } from '../../stores/hermes/digest-types.ts';
import { indexRows, keyFor, rowsWith, type RowIndex } from './row-index.ts';
import { isBookkeeping } from './view.ts';

/**
 * What one in-place commit wrote: rows with consecutive ids, in the order head copies, carrier, carried tail, clones (Hermes
 * format notes §3.4). Everything is an index into the session's rows.
 */
export type Block = {
  /** First and last row of the block; the last counts. */
  start: number;
  end: number;
  carrier: number;
  /** First row that this commit could archive: where the block before it begins. The generation ends before `start`. */
  generationStart: number;
  /** For each row from `start` to `end`: the row it copies, or -1 (the carrier; a copy whose original is not known). */
  origins: Int32Array;
};

/** A copy without a time of its own gets the commit's time, then a microsecond more for each row. */
const tightStep = 2e-6;
const tightBase = 2e-6;
/** Older builds took the clock anew for each row. */
const looseStep = 1e-3;
const looseBase = 0.05;
/** How many rows of equal time or equal words are tried for one copy, and how far back words alone are looked for: keeps odd sessions linear. */
const tries = 512;
const reach = 4096;
/** How many changed copies in a row are bridged when an exact copy follows. */
const bridge = 3;

const at = (array: Float64Array | Uint8Array, index: number): number => array[index] ?? 0;

type Lookup = {
  byUid: RowIndex | null;
  byTime: RowIndex;
  byText: () => RowIndex;
};

function lookupOf(m: MessageColumns, from: number, to: number): Lookup {
  let hasUids = false;
  for (let i = from; i < to && !hasUids; i++) hasUids = at(m.uids, i) !== 0;
  let text: RowIndex | null = null;
  return {
    byUid: hasUids ? indexRows(from, to, (i) => at(m.uids, i)) : null,
    byTime: indexRows(from, to, (i) => timeKey(m, i)),
    byText: () => (text ??= indexRows(from, to, (i) => textKey(m, i))),
  };
}

function timeKey(m: MessageColumns, i: number): number {
  const time = m.timestamps[i] ?? Number.NaN;
  return Number.isNaN(time) ? 0 : keyFor(at(m.roles, i), time, at(m.callIds, i));
}

function textKey(m: MessageColumns, i: number): number {
  return keyFor(at(m.roles, i), at(m.texts, i), at(m.callIds, i), 1);
}

/** Rows that begin a block: flagged, or, where an older build wrote them, recognised by their text and place. */
export function isCarrier(m: MessageColumns, i: number): boolean {
  const flags = at(m.flags, i);
  if (flags & Flag.summary) return true;
  if (!(flags & Flag.summaryHead)) return false;
  // Without the flag only a row that stands where a commit writes counts: somebody may quote a summary.
  const before = at(m.flags, i - 1);
  return i > 0 && ((before & Flag.active) === 0 || (i + 1 < m.count && copiesEarlier(m, i + 1, i)));
}

function copiesEarlier(m: MessageColumns, row: number, carrier: number): boolean {
  if (at(m.ids, row) !== at(m.ids, carrier) + 1) return false;
  for (let i = Math.max(0, carrier - reach); i < carrier; i++) if (sameWords(m, i, row) && m.timestamps[i] === m.timestamps[row]) return true;
  return false;
}

/** The original that a row copies: by uid, by everything, then by role, time and tool call alone (redacted and re-rendered copies). The latest that is still free. */
function originOf(m: MessageColumns, row: number, lookup: Lookup, before: number, taken: ReadonlySet<number>): { row: number; exact: boolean } | null {
  if (lookup.byUid) for (const candidate of rowsWith(lookup.byUid, at(m.uids, row))) if (candidate < before && !taken.has(candidate)) return { row: candidate, exact: true };
  let loose = -1;
  let tried = 0;
  for (const candidate of rowsWith(lookup.byTime, timeKey(m, row))) {
    if (++tried > tries) break;
    if (candidate >= before || taken.has(candidate)) continue;
    if (at(m.texts, candidate) === at(m.texts, row)) return { row: candidate, exact: true };
    if (loose === -1) loose = candidate;
  }
  return loose === -1 ? null : { row: loose, exact: false };
}

type Stamp = 'tight' | 'loose' | 'own';

function stampOf(m: MessageColumns, row: number, carrier: number): Stamp {
  const distance = Math.abs(row - carrier);
  const delta = Math.abs((m.timestamps[row] ?? Number.NaN) - (m.timestamps[carrier] ?? Number.NaN));
  if (delta <= tightBase + distance * tightStep) return 'tight';
  return delta <= looseBase + distance * looseStep ? 'loose' : 'own';
}

/** The blocks of a session, in id order. Linear in the number of rows. */
export function reconstructBlocks(m: MessageColumns): Block[] {
  const carriers: number[] = [];
  for (let i = 0; i < m.count; i++) if (isCarrier(m, i)) carriers.push(i);
  const blocks: Block[] = [];
  let generationStart = 0;
  let claimed = -1;
  for (const [position, carrier] of carriers.entries()) {
    if (carrier <= claimed) continue;
    const lookup = lookupOf(m, generationStart, carrier);
    if (isHeadCopy(m, carrier, carriers[position + 1], lookup)) continue;
    const block = blockAround(m, carrier, generationStart, claimed, lookup);
    blocks.push(block);
    generationStart = block.start;
    claimed = block.end;
  }
  return blocks;
}

/** An older summary that a newer commit carries along as a head copy: an equal one lies before it, and copies lead without a gap to the next carrier. */
function isHeadCopy(m: MessageColumns, carrier: number, next: number | undefined, lookup: Lookup): boolean {
  if (next === undefined || at(m.ids, next) - at(m.ids, carrier) !== next - carrier || next - carrier > 64) return false;
  if (((at(m.flags, carrier) ^ at(m.flags, next)) & Flag.active) !== 0) return false;
  let equalBefore = false;
  for (const candidate of rowsWith(lookup.byText(), textKey(m, carrier))) equalBefore ||= candidate < carrier && (at(m.flags, candidate) & Flag.active) === 0;
  if (!equalBefore) return false;
  const taken = new Set<number>();
  for (let i = carrier + 1; i < next; i++) {
    if (stampOf(m, i, next) !== 'tight' && originOf(m, i, lookup, carrier, taken) === null) return false;
  }
  return true;
}

function blockAround(m: MessageColumns, carrier: number, generationStart: number, claimed: number, lookup: Lookup): Block {
  const origin = new Map<number, number>();
  const taken = new Set<number>();
  const link = (row: number, source: number): void => {
    origin.set(row, source);
    taken.add(source);
  };

  // Backwards: head copies. In a live block they are live as well, else rows that a prune wrote just before would pass for them.
  let start = carrier;
  const carrierLive = at(m.flags, carrier) & Flag.active;
  while (start - 1 > claimed && start - 1 >= generationStart && at(m.ids, start - 1) === at(m.ids, start) - 1) {
    const row = start - 1;
    if ((at(m.flags, row) & Flag.active) !== carrierLive) break;
    const found = originOf(m, row, lookup, row, taken);
    if (found === null && stampOf(m, row, carrier) !== 'tight') break;
    if (found) link(row, found.row);
    start = row;
  }

  // Forwards: the carried tail and the clones, as far as ids go on without a gap.
  let end = carrier;
  const restamped: number[] = [];
  for (let row = carrier + 1; row < m.count && at(m.ids, row) === at(m.ids, row - 1) + 1; row++) {
    const found = originOf(m, row, lookup, start, taken);
    // A carrier without an original is another commit's.
    if (isCarrier(m, row) && found === null) break;
    if (found) {
      link(row, found.row);
      end = row;
      continue;
    }
    const stamp = stampOf(m, row, carrier);
    if (stamp === 'tight' || (stamp === 'loose' && hasFreeText(m, row, lookup, start, taken))) {
      restamped.push(row);
      end = row;
      continue;
    }
    if (!exactCopyFollows(m, row, lookup, start, taken)) break;
    end = row;
  }
  alignRestamped(m, restamped, generationStart, start, taken, link);
  bridgeChanged(m, carrier, end, start, origin, taken);

  const origins = new Int32Array(end - start + 1).fill(-1);
  for (const [row, source] of origin) origins[row - start] = source;
  return { start, end, carrier, generationStart, origins };
}

function sameWords(m: MessageColumns, a: number, b: number): boolean {
  return at(m.texts, a) === at(m.texts, b) && at(m.roles, a) === at(m.roles, b) && at(m.callIds, a) === at(m.callIds, b);
}

function hasFreeText(m: MessageColumns, row: number, lookup: Lookup, before: number, taken: ReadonlySet<number>): boolean {
  let tried = 0;
  for (const candidate of rowsWith(lookup.byText(), textKey(m, row))) {
    if (candidate < before && !taken.has(candidate)) return true;
    if (++tried > tries) break;
  }
  return false;
}

function exactCopyFollows(m: MessageColumns, row: number, lookup: Lookup, before: number, taken: ReadonlySet<number>): boolean {
  for (let next = row + 1; next <= row + bridge && next < m.count && at(m.ids, next) === at(m.ids, next - 1) + 1; next++) {
    if (isCarrier(m, next)) return false;
    if (originOf(m, next, lookup, before, taken)?.exact) return true;
  }
  return false;
}

/** Copies that lost their time are matched by their text, from the last one backwards, so that order decides among equal words. */
function alignRestamped(m: MessageColumns, rows: readonly number[], from: number, before: number, taken: ReadonlySet<number>, link: (row: number, source: number) => void): void {
  let limit = before;
  const unmatched: [row: number, limit: number][] = [];
  for (const row of [...rows].reverse()) {
    let found = -1;
    for (let candidate = limit - 1; candidate >= Math.max(from, limit - reach); candidate--) {
      if (sameWords(m, candidate, row) && !taken.has(candidate)) {
        found = candidate;
        break;
      }
    }
    if (found === -1) {
      unmatched.push([row, limit]);
      continue;
    }
    link(row, found);
    limit = found;
  }
  // A copy that lost its time and its exact words: the nearest free row of its role below the copy that follows it.
  for (const [row, upper] of unmatched) {
    for (let candidate = upper - 1; candidate >= Math.max(from, upper - 64); candidate--) {
      if (taken.has(candidate) || isBookkeeping(m, candidate) || at(m.roles, candidate) !== at(m.roles, row)) continue;
      link(row, candidate);
      break;
    }
  }
}

/** Changed copies between exact ones stand for the rows between their originals, in order and by role. */
function bridgeChanged(m: MessageColumns, carrier: number, end: number, before: number, origin: Map<number, number>, taken: Set<number>): void {
  let last = -1;
  for (let row = carrier + 1; row <= end; row++) {
    const known = origin.get(row);
    if (known !== undefined) {
      last = known;
      continue;
    }
    let upper = before;
    for (let next = row + 1; next <= end; next++) {
      const source = origin.get(next);
      if (source !== undefined) {
        upper = source;
        break;
      }
    }
    for (let candidate = last === -1 ? upper - 1 : last + 1; candidate >= 0 && candidate < upper; candidate += last === -1 ? -1 : 1) {
      if (last === -1 && upper - candidate > 8) break;
      if (taken.has(candidate) || isBookkeeping(m, candidate) || at(m.roles, candidate) !== at(m.roles, row)) continue;
      origin.set(row, candidate);
      taken.add(candidate);
      last = candidate;
      break;
    }
  }
}
