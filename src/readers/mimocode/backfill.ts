import { compareFor, type OrderRules, type PlacedRow } from '../opencode/rules.ts';

/**
 * The parts that a walk of the search index still visits once it has passed `cursor`, in its order. By id, parts that are
 * written after a wrap while the walk runs sort before the cursor and are never visited.
 */
export function partsAhead<R extends PlacedRow>(parts: readonly R[], cursor: PlacedRow, rules: OrderRules): R[] {
  const compare = compareFor(rules);
  return parts.filter((part) => compare(part, cursor) > 0).sort(compare);
}
