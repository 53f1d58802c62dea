import { compareByTime, compareIds } from '../../ids/index.ts';
import { readerAtLeast, type Reader } from '../../model/version.ts';

/** What tells one build from another where order matters. */
export type OrderRules = {
  /** id: newest means greatest id. time: newest means latest `time_created`, the id only breaks ties. */
  order: 'id' | 'time';
  /** The ids that new rows get. */
  mints: 'v1' | 'v2';
};

/** A row as far as its place is concerned. `time` in ms. */
export type PlacedRow = { id: string; time: number };

/** The release that orders by time (opencode #40990, #40991). */
export const firstByTime = '1.18.15';

/** Development builds carry their date instead of a release; the fix was on the main branch by then. */
const fixedSince = '202608140000';

/**
 * The rules of an opencode build. An unknown one is taken for a build that orders by id, as every build was that could
 * write to both sides of a wrap without a newer version in its rows.
 */
export function opencodeRules(reader: Reader): OrderRules {
  const stamp = /^0\.0\.0-.*?(\d{12})$/.exec(reader.version ?? '')?.[1];
  const byTime = stamp === undefined ? readerAtLeast(reader, firstByTime) : stamp >= fixedSince;
  return { order: byTime ? 'time' : 'id', mints: 'v1' };
}

/** Orders two rows as this build does; negative when `a` is older. */
export function compareFor(rules: OrderRules): (a: PlacedRow, b: PlacedRow) => number {
  return rules.order === 'time' ? compareByTime : (a, b) => compareIds(a.id, b.id);
}

/** The row that this build takes for the newest, or null. */
export function newestFor<R extends PlacedRow>(rows: Iterable<R>, rules: OrderRules): R | null {
  const compare = compareFor(rules);
  let newest: R | null = null;
  for (const row of rows) if (newest === null || compare(row, newest) > 0) newest = row;
  return newest;
}
