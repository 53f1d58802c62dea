import { compareIds, epochStart, epochOf, formatOfId } from '../../ids/index.ts';
import type { MessageRow } from '../../stores/opencode/types.ts';

/** How one slice of a session lies around an epoch boundary. Times in ms. */
export type Straddle = {
  boundary: number;
  /** Rows before and at or after the boundary, by `time_created`. */
  before: MessageRow[];
  after: MessageRow[];
  /** Rows after the boundary whose ids sort below some row before it. */
  misplaced: MessageRow[];
  /** Rows with v2 ids. */
  v2: MessageRow[];
  /** Rows after the boundary with v1 ids, when there are v2 rows as well. */
  v1After: MessageRow[];
};

/** Boundaries are only counted where clocks of these products can have been. */
const firstEpoch = 25;
const lastEpoch = 60;

/** The epoch boundaries between two times (ms). */
export function boundariesBetween(first: number, last: number): number[] {
  const boundaries: number[] = [];
  for (let epoch = Math.max(firstEpoch, epochOf(first) + 1); epoch <= Math.min(lastEpoch, epochOf(last)); epoch++) boundaries.push(epochStart(epoch));
  return boundaries;
}

/**
 * The newest boundary that the rows (in time order) straddle with ids out of order across it, or null: rows on both sides whose
 * ids agree with the times (an import, a fork, re-keyed rows) do not count.
 */
export function straddle(rows: readonly MessageRow[]): Straddle | null {
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return null;
  for (const boundary of boundariesBetween(first.time, last.time).reverse()) {
    const before = rows.filter((row) => row.time < boundary);
    const after = rows.filter((row) => row.time >= boundary);
    const greatest = before.reduce((max, row) => (compareIds(row.id, max) > 0 ? row.id : max), '');
    const misplaced = after.filter((row) => compareIds(row.id, greatest) < 0);
    if (misplaced.length === 0 || before.length === 0 || !acrossEpochs(before, misplaced)) continue;
    const v2 = rows.filter((row) => formatOfId(row.id, row.time) === 'v2');
    const v1After = v2.length === 0 ? [] : after.filter((row) => formatOfId(row.id, row.time) === 'v1');
    return { boundary, before, after, misplaced, v2, v1After };
  }
  return null;
}

/** Only ids with a clock wrap: rows with opaque ids on one side are out of order for another reason. */
function acrossEpochs(before: readonly MessageRow[], misplaced: readonly MessageRow[]): boolean {
  const clocked = (rows: readonly MessageRow[]): boolean => rows.some((row) => formatOfId(row.id, row.time) !== 'opaque');
  return clocked(before) && clocked(misplaced);
}

/** The rows of each stretch between boundaries, in the order given. */
export function byEpoch(rows: readonly MessageRow[]): MessageRow[][] {
  const stretches = new Map<number, MessageRow[]>();
  for (const row of rows) {
    const epoch = epochOf(row.time);
    const stretch = stretches.get(epoch);
    if (stretch) stretch.push(row);
    else stretches.set(epoch, [row]);
  }
  return [...stretches.values()];
}
