// Written by scripts/index-fixes.mjs; do not edit.
import type { Fix } from './fix.ts';
import abortUnansweredCall from './abort-unanswered-call.ts';
import clearStuckStatus from './clear-stuck-status.ts';
import convertPostwrapIds from './convert-postwrap-ids.ts';
import disarmRevert from './disarm-revert.ts';
import dropOrphanedWatermark from './drop-orphaned-watermark.ts';
import quarantineLine from './quarantine-line.ts';
import rebuildIndex from './rebuild-index.ts';
import rekeyPrewrapIds from './rekey-prewrap-ids.ts';
import relinkTranscript from './relink-transcript.ts';
import removeStaleLock from './remove-stale-lock.ts';
import reparentEntry from './reparent-entry.ts';
import restoreArchive from './restore-archive.ts';
import restoreHeader from './restore-header.ts';

/** Every fix, in the order of their ids. */
export const allFixes: readonly Fix[] = [
  abortUnansweredCall,
  clearStuckStatus,
  convertPostwrapIds,
  disarmRevert,
  dropOrphanedWatermark,
  quarantineLine,
  rebuildIndex,
  rekeyPrewrapIds,
  relinkTranscript,
  removeStaleLock,
  reparentEntry,
  restoreArchive,
  restoreHeader,
];
