import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { byteDamageSeverity, lastRowTime, placeOf } from '../shared/openclaw-transcript.ts';

/** A file that was written this short a time ago may be in the middle of an append. */
const freshMs = 10_000;
/** A copy made a moment ago is no live file: the rows in it are old. */
const liveRowMs = 24 * 3_600_000;

function mayBeLive(digest: TranscriptDigest, snapshot: OpenclawSnapshot, now: number): boolean {
  if (digest.file.kind !== 'live') return false;
  if (snapshot.writerAlive(digest.sessionId)) return true;
  const age = digest.file.modifiedAt === null ? Infinity : now - digest.file.modifiedAt;
  const lastRow = lastRowTime(digest) ?? now;
  return age >= 0 && age < freshMs && now - lastRow < liveRowMs;
}

function* truncatedTail(digest: TranscriptDigest, snapshot: OpenclawSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const cut = digest.damaged.findLast((line) => line.kind === 'unfinished');
  const severity = byteDamageSeverity(digest, snapshot, 'warning');
  if (!cut || severity === null || digest.readError !== null || mayBeLive(digest, snapshot, context.now)) return;
  yield {
    ...placeOf(digest, cut.line),
    severity,
    ...(severity === 'info' ? { fix: noFix } : {}),
    message: `The last line (${cut.line}) breaks off after ${cut.bytes === 1 ? '1 byte' : `${cut.bytes} bytes`}, and no writer is alive: its row was never finished.`,
    details: [
      `begins at byte ${cut.offset} of the file${cut.nul ? '; it holds NUL bytes, as after a power cut' : ''}`,
      'the next append would be glued to it, and both rows would be lost',
    ],
    evidence: { lineNumber: cut.line, bytes: cut.bytes },
    record: digest.file.name,
  };
}

export default defineCheck({
  meta: {
    id: 'transcript/truncated-tail',
    severity: 'warning',
    title: 'the last line of a transcript is unfinished and nobody writes it',
    products: ['openclaw'],
    fix: { id: 'quarantine-line', class: 'judgement' },
    affects: 'every reader: the last row is skipped',
  },
  openclaw: { session: truncatedTail },
});
