import { Flag, type MessageColumns } from '../../stores/hermes/digest-types.ts';
import type { Block } from './blocks.ts';
import { isBookkeeping, isInContext, role, stateOf } from './view.ts';

/**
 * Where rows lie that the commit archived although its compressor did not hold them. after-tail: newer than the newest row that
 * was carried over word for word. gap: between carried rows and clones. set-aside: the same, but flagged as if they
 * were the originals of the carried tail, which counts from the end (Hermes format notes §3.3, eras B and C).
 */
export type StrandedShape = 'after-tail' | 'gap' | 'set-aside';

/** One commit against the rows it archived. Indexes into the session's rows. */
export type Coverage = {
  block: Block;
  /** Rows of the generation that are archived now. */
  archived: number;
  headCopies: number;
  /** Originals of the carried tail, in order. */
  carried: number[];
  /** Originals of rows that came too late for the summary and were cloned behind it. */
  cloned: number[];
  newestCarried: number;
  /** Rows without a copy that no rule explains yet: whether their words stand in the carrier or in a merged copy is still to be asked. */
  uncovered: number[];
  shape: StrandedShape;
};

const state = (m: MessageColumns, i: number): ReturnType<typeof stateOf> => stateOf(m.flags[i] ?? 0);

/**
 * Which rows of its generation a commit covered, under whichever archiving rule wrote it: everything (A), the lease watermark (B),
 * the carried tail (C), the held cap (D) or exact coverage (E). Only in A to C rows can be stranded; D and E leave a copy of
 * each row that was not held, and with a copy nothing is missing. Rests on one fact: what a compressor carries word for word
 * is the end of what it held.
 */
export function coverageOf(m: MessageColumns, block: Block, absorbed: ReadonlyMap<number, number>, rewindCount: number | null): Coverage {
  const copied = new Set<number>();
  for (const origin of block.origins) if (origin !== -1) copied.add(origin);
  const isCovered = (i: number): boolean => {
    if (copied.has(i) || isBookkeeping(m, i) || (m.flags[i] ?? 0) & (Flag.summary | Flag.summaryHead | Flag.empty)) return true;
    const holder = absorbed.get(m.uids[i] ?? 0);
    return holder !== undefined && holder > i && (m.uids[i] ?? 0) !== 0;
  };

  const tail: number[] = [];
  const outOfOrder: number[] = [];
  for (let row = block.carrier + 1; row <= block.end; row++) {
    const origin = block.origins[row - block.start] ?? -1;
    if (origin === -1) continue;
    if (outOfOrder.length === 0 && origin > (tail.at(-1) ?? -1)) tail.push(origin);
    else outOfOrder.push(origin);
  }
  let archived = 0;
  for (let i = block.generationStart; i < block.start; i++) if (state(m, i) === 'archived') archived++;
  const coverage: Coverage = { block, archived, headCopies: block.carrier - block.start, carried: tail, cloned: outOfOrder, newestCarried: tail.at(-1) ?? -1, uncovered: [], shape: 'after-tail' };
  const first = tail[0];
  if (first === undefined) return coverage;

  // The first place behind a carried row where rows lack a copy parts what was carried from what was cloned behind it.
  for (let count = 1; count <= tail.length; count++) {
    const newest = tail[count - 1] ?? 0;
    const limit = tail[count] ?? block.start;
    const uncopied: number[] = [];
    const aside = tookPlaceOfTail(m, block, tail.slice(0, count), limit, rewindCount);
    let hasAside = false;
    for (let i = newest + 1; i < limit; i++) {
      if (isCovered(i)) continue;
      if (state(m, i) === 'archived') uncopied.push(i);
      else if (aside && state(m, i) === 'set-aside' && !isSaidLater(m, i, block.end)) {
        uncopied.push(i);
        hasAside = true;
      }
    }
    if (substantial(m, uncopied).length === 0) continue;
    const shape = hasAside ? 'set-aside' : count < tail.length ? 'gap' : 'after-tail';
    return { ...coverage, carried: tail.slice(0, count), cloned: [...tail.slice(count), ...outOfOrder], newestCarried: newest, uncovered: uncopied, shape };
  }
  return coverage;
}

/** Seconds by which the log and the rows may disagree. */
const logTolerance = 2;
/** Zones lie a multiple of a quarter of an hour from UTC, between -12 and +14 hours. */
const zoneStep = 900;

/**
 * Where nothing was carried only timing speaks: archived rows that were written while the summary was being made. `runs` are
 * the compressions of this session as the log tells them, with wall clock times of an unnamed zone; the run that ended when the carrier was
 * written (but for a zone's offset) says how long before the carrier the compressor had read its history.
 */
export function writtenDuring(m: MessageColumns, block: Block, runs: readonly { endedAtWallClock: number; milliseconds: number }[]): { rows: number[]; began: number } | null {
  const committed = m.timestamps[block.carrier] ?? Number.NaN;
  const run = runs.find(({ endedAtWallClock }) => {
    const offset = endedAtWallClock / 1000 - committed;
    return offset > -12.1 * 3600 && offset < 14.1 * 3600 && Math.abs(offset - Math.round(offset / zoneStep) * zoneStep) <= 60;
  });
  if (!run) return null;
  const began = committed - run.milliseconds / 1000;
  const rows: number[] = [];
  for (let i = block.generationStart; i < block.start; i++) {
    const time = m.timestamps[i] ?? Number.NaN;
    if (state(m, i) === 'archived' && !isBookkeeping(m, i) && !((m.flags[i] ?? 0) & (Flag.summary | Flag.summaryHead | Flag.empty)) && time > began + logTolerance && time < committed) rows.push(i);
  }
  return { rows: substantial(m, rows), began };
}

/**
 * Builds that flag the originals of the carried tail as set aside count them from the newest row they archive, so rows that were not held
 * take the place of the true originals: exactly as many rows lie set aside before `limit` as were carried, while carried
 * originals are flagged archived. Never on a session that was rewound: rewound rows are set aside as well.
 */
function tookPlaceOfTail(m: MessageColumns, block: Block, carried: readonly number[], limit: number, rewindCount: number | null): boolean {
  if (rewindCount !== 0 || !carried.some((origin) => state(m, origin) === 'archived')) return false;
  const from = limit - carried.length;
  if (from < block.generationStart) return false;
  for (let i = from; i < limit; i++) if (state(m, i) !== 'set-aside') return false;
  return from === block.generationStart || state(m, from - 1) !== 'set-aside';
}

/** True when a live row behind the block says the very same: rows that were put back are set aside and written again further down. */
function isSaidLater(m: MessageColumns, i: number, end: number): boolean {
  for (let later = end + 1; later < m.count; later++) {
    if (m.texts[later] === m.texts[i] && m.roles[later] === m.roles[i] && m.timestamps[later] === m.timestamps[i] && isInContext(m.flags[later] ?? 0)) return true;
  }
  return false;
}

/**
 * Of rows without a copy, those that would be missed: a result whose call is not among them was dropped as unpaired, and so was an
 * assistant row that only calls and never got an answer. Empty unless somebody's words are among the rest.
 */
export function substantial(m: MessageColumns, rows: readonly number[]): number[] {
  const declared = new Set<number>();
  const answered = new Set<number>();
  for (const i of rows) {
    for (let c = m.callStarts[i] ?? 0; c < (m.callStarts[i + 1] ?? 0); c++) declared.add(m.declared[c] ?? 0);
    if (m.roles[i] === role.tool) answered.add(m.callIds[i] ?? 0);
  }
  const kept = rows.filter((i) => {
    if (m.roles[i] === role.tool) return declared.has(m.callIds[i] ?? 0);
    if (m.roles[i] !== role.assistant || (m.callCounts[i] ?? 0) === 0) return true;
    for (let c = m.callStarts[i] ?? 0; c < (m.callStarts[i + 1] ?? 0); c++) if (answered.has(m.declared[c] ?? 0)) return true;
    return false;
  });
  return kept.some((i) => m.roles[i] === role.user || (m.roles[i] === role.assistant && (m.callCounts[i] ?? 0) === 0)) ? kept : [];
}
