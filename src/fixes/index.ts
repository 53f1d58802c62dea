// Written by scripts/index-fixes.mjs; do not edit.
import type { Fix } from './fix.ts';
import abortUnansweredCall from './abort-unanswered-call.ts';
import clearEndStamp from './clear-end-stamp.ts';
import clearStuckStatus from './clear-stuck-status.ts';
import convertPostwrapIds from './convert-postwrap-ids.ts';
import disarmRevert from './disarm-revert.ts';
import dropOrphanedWatermark from './drop-orphaned-watermark.ts';
import healRowState from './heal-row-state.ts';
import nullMissingParent from './null-missing-parent.ts';
import quarantineLine from './quarantine-line.ts';
import rebuildIndex from './rebuild-index.ts';
import recount from './recount.ts';
import reinstateStrandedRows from './reinstate-stranded-rows.ts';
import rekeyPrewrapIds from './rekey-prewrap-ids.ts';
import relinkTranscript from './relink-transcript.ts';
import removeStaleLock from './remove-stale-lock.ts';
import reparentEntry from './reparent-entry.ts';
import restoreArchive from './restore-archive.ts';
import restoreHeader from './restore-header.ts';
import retireDuplicate from './retire-duplicate.ts';
import retireOrphanResult from './retire-orphan-result.ts';

/** Every fix, in the order of their ids. */
export const allFixes: readonly Fix[] = [
  abortUnansweredCall,
  clearEndStamp,
  clearStuckStatus,
  convertPostwrapIds,
  disarmRevert,
  dropOrphanedWatermark,
  healRowState,
  nullMissingParent,
  quarantineLine,
  rebuildIndex,
  recount,
  reinstateStrandedRows,
  rekeyPrewrapIds,
  relinkTranscript,
  removeStaleLock,
  reparentEntry,
  restoreArchive,
  restoreHeader,
  retireDuplicate,
  retireOrphanResult,
];
