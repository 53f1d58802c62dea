import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { DamagedLine, OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';
import { byteDamageSeverity, namedLines, placeOf } from '../shared/openclaw-transcript.ts';

function describe(line: DamagedLine): string {
  const what = line.nul ? 'holds NUL bytes' : line.kind === 'not-object' ? 'JSON, but no object' : 'not JSON';
  return `line ${line.line}, byte ${line.offset}: ${line.bytes} bytes, ${what}`;
}

function* malformedLines(digest: TranscriptDigest, snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  if (digest.file.kind === 'window') return;
  const damaged = digest.damaged.filter((line) => line.kind === 'malformed' || line.kind === 'not-object');
  const first = damaged[0];
  const severity = byteDamageSeverity(digest, snapshot, 'error');
  if (!first || severity === null) return;
  const lineNumbers = damaged.map((line) => line.line);
  const beyond = digest.rejected - digest.damaged.length;
  yield {
    ...placeOf(digest, first.line),
    severity,
    ...(severity === 'info' ? { fix: noFix } : {}),
    message: `${lineNumbers.length === 1 ? '1 line is' : `${lineNumbers.length + beyond} lines are`} no JSON object: ${namedLines(lineNumbers)}. Readers skip ${lineNumbers.length === 1 ? 'it' : 'them'} silently, and whatever stood there is gone from the talk.`,
    details: damaged.slice(0, 5).map(describe),
    evidence: { lineNumbers, lines: lineNumbers.length + beyond, bytes: damaged.reduce((sum, line) => sum + line.bytes, 0) },
    record: digest.file.name,
  };
}

export default defineCheck({
  meta: {
    id: 'transcript/malformed-line',
    severity: 'error',
    title: 'a line of a transcript is not a JSON object',
    products: ['openclaw'],
    fix: { id: 'quarantine-line', class: 'judgement' },
    affects: 'every reader: it skips the line; the product\'s own repair drops it without linking its children again',
  },
  openclaw: { session: malformedLines },
});
