import { compareByTime, compareIds } from '../../ids/index.ts';
import type { OrderRules, PlacedRow } from './rules.ts';

/**
 * The rows that a fork copies. With a cut point both kinds walk in order of time; by id the walk ends at the first row whose
 * id is not smaller (a point after the wrap gives an empty fork), by time at the point itself, or never when it is gone.
 */
export function forkedRows<R extends PlacedRow>(rows: readonly R[], cut: string | null, rules: OrderRules): R[] {
  const ordered = [...rows].sort(compareByTime);
  if (cut === null) return ordered;
  const end = ordered.findIndex((row) => (rules.order === 'time' ? row.id === cut : compareIds(row.id, cut) >= 0));
  return end < 0 ? ordered : ordered.slice(0, end);
}
