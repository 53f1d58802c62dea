import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';
import { byteDamageSeverity, namedLines, placeOf } from '../shared/openclaw-transcript.ts';

function* oversizedLines(digest: TranscriptDigest, snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  const oversized = digest.damaged.filter((line) => line.kind === 'oversized');
  const first = oversized[0];
  const severity = byteDamageSeverity(digest, snapshot, 'warning');
  if (!first || severity === null) return;
  const lineNumbers = oversized.map((line) => line.line);
  yield {
    ...placeOf(digest, first.line),
    severity,
    message: `${lineNumbers.length === 1 ? '1 line is' : `${lineNumbers.length} lines are`} longer than 64 MiB: ${namedLines(lineNumbers)}. Counted, not parsed, so the other checks did not see ${lineNumbers.length === 1 ? 'it' : 'them'}.`,
    details: oversized.slice(0, 5).map((line) => `line ${line.line}, byte ${line.offset}: ${line.bytes} bytes`),
    evidence: { lineNumbers, bytes: oversized.map((line) => line.bytes) },
    record: digest.file.name,
  };
}

export default defineCheck({
  meta: {
    id: 'transcript/oversized-line',
    severity: 'warning',
    title: 'a line of a transcript is longer than 64 MiB',
    products: ['openclaw'],
    fix: noFix,
    affects: 'every reader: it holds the whole file in memory, and fails where a line is longer than a string may be',
  },
  openclaw: { session: oversizedLines },
});
