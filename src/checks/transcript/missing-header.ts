import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';
import { byteDamageSeverity, kindOfRow, placeOf } from '../shared/openclaw-transcript.ts';

function* missingHeader(digest: TranscriptDigest, snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  if (digest.file.kind === 'window' || (digest.header !== null && digest.header.id !== null)) return;
  const severity = byteDamageSeverity(digest, snapshot, 'error');
  if (severity === null) return;
  if (digest.rows.length === 0) {
    yield* emptyTranscript(digest, snapshot);
    return;
  }
  let headerLine: number | null = null;
  for (let row = 0; row < digest.rows.length && headerLine === null; row++) if (kindOfRow(digest, row) === 'session') headerLine = digest.rows.line[row]!;
  const found = digest.header !== null ? 'a header without an id' : `a row of type ${kindOfRow(digest, 0)}`;
  yield {
    ...placeOf(digest, 1),
    severity,
    ...(severity === 'info' ? { fix: noFix } : {}),
    message: `The transcript does not begin with a session header but with ${found}: ${digest.rows.length} rows have no session to belong to.`,
    details: headerLine === null ? [] : [`a header stands in line ${headerLine}`],
    evidence: { rows: digest.rows.length, headerLine: digest.header === null ? headerLine : 1, rowsHaveIds: digest.rows.id[0] !== null, ...(digest.byteOrderMark ? { byteOrderMark: true } : {}) },
    record: digest.file.name,
  };
}

/** A file without any row: nothing to read for a session that, by its entry, was in use. */
function* emptyTranscript(digest: TranscriptDigest, snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  if (digest.file.kind !== 'live' || digest.damaged.length > 0 || digest.readError !== null) return;
  const entry = digest.sessionKey === null ? null : snapshot.entryOf(digest.sessionKey);
  if (entry === null || entry.sessionId !== digest.sessionId || entry.initializationPending || snapshot.writerAlive(digest.sessionId)) return;
  const began = entry.sessionStartedAt;
  const spoke = entry.lastInteractionAt;
  if (began === null || spoke === null || spoke - began < 1000) return;
  yield {
    ...placeOf(digest, 1),
    confidence: 'likely',
    fix: noFix,
    message: `The transcript is empty (${digest.bytes} bytes) although its session was in use: whatever it held is gone.`,
    details: ['a failed rewrite leaves such a file; look for .bak copies, checkpoints and the trajectory beside it'],
    evidence: { rows: 0, headerLine: null, bytes: digest.bytes },
    record: digest.file.name,
  };
}

export default defineCheck({
  meta: {
    id: 'transcript/missing-header',
    severity: 'error',
    title: 'the first row of a transcript is not a session header',
    products: ['openclaw'],
    fix: { id: 'restore-header', class: 'judgement' },
    affects: 'every reader: it shows an empty session, or takes the rows for a version 1 list and numbers them anew',
  },
  openclaw: { session: missingHeader },
});
