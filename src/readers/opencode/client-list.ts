import { compareFor, type OrderRules, type PlacedRow } from './rules.ts';

/** The terminal client keeps this many rows of a session. */
export const clientListLimit = 100;

/**
 * What the terminal client shows after a row arrives: it bisects its list in its own order, inserts, and drops the first row
 * when there are too many. Across a wrap the newest row lands on top and is the next to be dropped. The store is not touched.
 */
export function addToClientList<R extends PlacedRow>(list: readonly R[], row: R, rules: OrderRules, limit = clientListLimit): { list: R[]; dropped: R | null } {
  const compare = compareFor(rules);
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = list[middle];
    if (other !== undefined && compare(other, row) < 0) low = middle + 1;
    else high = middle;
  }
  const next = [...list.slice(0, low), row, ...list.slice(low)];
  if (next.length <= limit) return { list: next, dropped: null };
  const [dropped = null, ...rest] = next;
  return { list: rest, dropped };
}
