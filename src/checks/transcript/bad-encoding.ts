import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';
import { byteDamageSeverity, namedLines, placeOf } from '../shared/openclaw-transcript.ts';

function* badEncoding(digest: TranscriptDigest, snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  const first = digest.badEncoding[0];
  const severity = byteDamageSeverity(digest, snapshot, 'warning');
  if (!first || severity === null) return;
  const lineNumbers = digest.badEncoding.map((line) => line.line);
  yield {
    ...placeOf(digest, first.line),
    severity,
    message: `${digest.badEncodingLines === 1 ? '1 line holds' : `${digest.badEncodingLines} lines hold`} bytes that are not UTF-8: ${namedLines(lineNumbers)}. Readers show replacement characters there, and a rewrite makes the loss final.`,
    evidence: { lineNumbers, lines: digest.badEncodingLines },
    record: digest.file.name,
  };
}

export default defineCheck({
  meta: {
    id: 'transcript/bad-encoding',
    severity: 'warning',
    title: 'a transcript holds bytes that are not UTF-8',
    products: ['openclaw'],
    fix: noFix,
    affects: 'every reader: the bytes become U+FFFD',
  },
  openclaw: { session: badEncoding },
});
