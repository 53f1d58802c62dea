import { compareByTime, compareIds } from '../../ids/index.ts';
import type { RevertPoint } from '../../stores/opencode/types.ts';
import type { OrderRules, PlacedRow } from './rules.ts';

/** What the cleanup before the next prompt deletes, in the order in which it does. */
export type RevertCleanup<R> = { deletedMessages: R[]; deletedParts: string[]; left: R[] };

/**
 * The rows that go when the next prompt arrives while an undo point is set (read in 1.18.14 and 1.18.31). By id: every row
 * whose id is greater than the point's, and the point's own row, or of that row the parts from `partId` on; also when the
 * point's row is gone. By time: the point's row and what follows it; nothing when that row is gone.
 * `boundaryParts` are the part ids of the point's row in order of id.
 */
export function revertCleanup<R extends PlacedRow>(rows: readonly R[], revert: RevertPoint, rules: OrderRules, boundaryParts: readonly string[] = []): RevertCleanup<R> {
  const ordered = [...rows].sort(compareByTime);
  const at = ordered.findIndex((row) => row.id === revert.messageId);
  const keepsBoundary = revert.partId !== null && revert.partId !== '';
  const goes = (row: R, index: number): boolean => {
    if (index === at) return !keepsBoundary;
    return rules.order === 'time' ? at >= 0 && index > at : compareIds(row.id, revert.messageId) > 0;
  };
  const partAt = keepsBoundary && at >= 0 ? boundaryParts.indexOf(revert.partId ?? '') : -1;
  return {
    deletedMessages: ordered.filter(goes),
    deletedParts: partAt < 0 ? [] : boundaryParts.slice(partAt),
    left: ordered.filter((row, index) => !goes(row, index)),
  };
}
