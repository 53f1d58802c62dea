// Written by scripts/index-fixes.mjs; do not edit.
import type { Fix } from './fix.ts';
import dropOrphanedWatermark from './drop-orphaned-watermark.ts';
import removeStaleLock from './remove-stale-lock.ts';

/** Every fix, in the order of their ids. */
export const allFixes: readonly Fix[] = [
  dropOrphanedWatermark,
  removeStaleLock,
];
