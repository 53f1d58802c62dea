// Written by scripts/index-checks.mjs; do not edit.
import type { Check } from './check.ts';
import archiveLiveArchived from './archive/live-archived.ts';
import compactionDeadBranch from './compaction/dead-branch.ts';
import compactionDoubleSummary from './compaction/double-summary.ts';
import compactionForkedContinuation from './compaction/forked-continuation.ts';
import compactionIllegalRowState from './compaction/illegal-row-state.ts';
import compactionLiveDuplicates from './compaction/live-duplicates.ts';
import compactionOrphanedEnd from './compaction/orphaned-end.ts';
import compactionStaleLock from './compaction/stale-lock.ts';
import compactionStrandedRows from './compaction/stranded-rows.ts';
import configInvalid from './config/invalid.ts';
import dbCorrupt from './db/corrupt.ts';
import dbDanglingReference from './db/dangling-reference.ts';
import dbInvalidJson from './db/invalid-json.ts';
import dbOrphanRows from './db/orphan-rows.ts';
import dbOversizedWal from './db/oversized-wal.ts';
import dbSearchDrift from './db/search-drift.ts';
import dbUnfinishedTurn from './db/unfinished-turn.ts';
import dbUnknownSchema from './db/unknown-schema.ts';
import historyDroppedMessages from './history/dropped-messages.ts';
import historyUnindexedMessages from './history/unindexed-messages.ts';
import indexCorrupt from './index/corrupt.ts';
import indexDanglingEntry from './index/dangling-entry.ts';
import indexOrphanTranscript from './index/orphan-transcript.ts';
import indexStaleSessionFile from './index/stale-session-file.ts';
import indexStuckRunning from './index/stuck-running.ts';
import lockStale from './lock/stale.ts';
import migrationUnimportedRows from './migration/unimported-rows.ts';
import orderArmedRevert from './order/armed-revert.ts';
import orderClockSkewInversion from './order/clock-skew-inversion.ts';
import orderIdWrapInversion from './order/id-wrap-inversion.ts';
import orderNextPromptSilent from './order/next-prompt-silent.ts';
import orderSwallowedPrompt from './order/swallowed-prompt.ts';
import orderWedgedSession from './order/wedged-session.ts';
import resetIntradayRepeat from './reset/intraday-repeat.ts';
import resetOverdue from './reset/overdue.ts';
import resetResurrected from './reset/resurrected.ts';
import resetUnexplained from './reset/unexplained.ts';
import resetZoneMismatch from './reset/zone-mismatch.ts';
import sessionCounterDrift from './session/counter-drift.ts';
import sessionEndedButWritten from './session/ended-but-written.ts';
import sessionMissingParent from './session/missing-parent.ts';
import sessionParentCycle from './session/parent-cycle.ts';
import sessionStaleRoute from './session/stale-route.ts';
import storeOtherBackend from './store/other-backend.ts';
import storeQuarantinedCopy from './store/quarantined-copy.ts';
import toolOrphanResult from './tool/orphan-result.ts';
import toolUnansweredCall from './tool/unanswered-call.ts';
import transcriptBadEncoding from './transcript/bad-encoding.ts';
import transcriptBrokenParent from './transcript/broken-parent.ts';
import transcriptDuplicateId from './transcript/duplicate-id.ts';
import transcriptDuplicateTurns from './transcript/duplicate-turns.ts';
import transcriptHeaderMismatch from './transcript/header-mismatch.ts';
import transcriptMalformedLine from './transcript/malformed-line.ts';
import transcriptMisplacedAppend from './transcript/misplaced-append.ts';
import transcriptMissingHeader from './transcript/missing-header.ts';
import transcriptOversizedLine from './transcript/oversized-line.ts';
import transcriptParentCycle from './transcript/parent-cycle.ts';
import transcriptSequenceGap from './transcript/sequence-gap.ts';
import transcriptTruncatedTail from './transcript/truncated-tail.ts';
import watermarkMalformed from './watermark/malformed.ts';
import watermarkOrphaned from './watermark/orphaned.ts';

/** Every check, in the order of their ids. */
export const allChecks: readonly Check[] = [
  archiveLiveArchived,
  compactionDeadBranch,
  compactionDoubleSummary,
  compactionForkedContinuation,
  compactionIllegalRowState,
  compactionLiveDuplicates,
  compactionOrphanedEnd,
  compactionStaleLock,
  compactionStrandedRows,
  configInvalid,
  dbCorrupt,
  dbDanglingReference,
  dbInvalidJson,
  dbOrphanRows,
  dbOversizedWal,
  dbSearchDrift,
  dbUnfinishedTurn,
  dbUnknownSchema,
  historyDroppedMessages,
  historyUnindexedMessages,
  indexCorrupt,
  indexDanglingEntry,
  indexOrphanTranscript,
  indexStaleSessionFile,
  indexStuckRunning,
  lockStale,
  migrationUnimportedRows,
  orderArmedRevert,
  orderClockSkewInversion,
  orderIdWrapInversion,
  orderNextPromptSilent,
  orderSwallowedPrompt,
  orderWedgedSession,
  resetIntradayRepeat,
  resetOverdue,
  resetResurrected,
  resetUnexplained,
  resetZoneMismatch,
  sessionCounterDrift,
  sessionEndedButWritten,
  sessionMissingParent,
  sessionParentCycle,
  sessionStaleRoute,
  storeOtherBackend,
  storeQuarantinedCopy,
  toolOrphanResult,
  toolUnansweredCall,
  transcriptBadEncoding,
  transcriptBrokenParent,
  transcriptDuplicateId,
  transcriptDuplicateTurns,
  transcriptHeaderMismatch,
  transcriptMalformedLine,
  transcriptMisplacedAppend,
  transcriptMissingHeader,
  transcriptOversizedLine,
  transcriptParentCycle,
  transcriptSequenceGap,
  transcriptTruncatedTail,
  watermarkMalformed,
  watermarkOrphaned,
];
