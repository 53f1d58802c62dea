// Written by scripts/index-fixes.mjs; do not edit.
import type { Fix } from './fix.ts';
import convertPostwrapIds from './convert-postwrap-ids.ts';
import disarmRevert from './disarm-revert.ts';
import dropOrphanedWatermark from './drop-orphaned-watermark.ts';
import rekeyPrewrapIds from './rekey-prewrap-ids.ts';
import removeStaleLock from './remove-stale-lock.ts';

/** Every fix, in the order of their ids. */
export const allFixes: readonly Fix[] = [
  convertPostwrapIds,
  disarmRevert,
  dropOrphanedWatermark,
  rekeyPrewrapIds,
  removeStaleLock,
];
