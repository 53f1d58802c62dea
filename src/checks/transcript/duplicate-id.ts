import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { DuplicateId, OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';
import { isTree, namedLines, placeOf, standingOf } from '../shared/openclaw-transcript.ts';

/** So many ids are told one by one; a transcript that was pasted into itself has thousands, which one more finding sums up. */
const toldSingly = 100;

function* duplicateIds(digest: TranscriptDigest, snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  if (digest.duplicates.length === 0 || !isTree(digest) || standingOf(digest, snapshot) !== 'read') return;
  const byId = new Map<string, DuplicateId[]>();
  for (const duplicate of digest.duplicates) {
    const known = byId.get(duplicate.id);
    if (known) known.push(duplicate);
    else byId.set(duplicate.id, [duplicate]);
  }
  const groups = [...byId.values()];
  for (const group of groups.slice(0, toldSingly)) yield oneId(digest, group);
  if (groups.length > toldSingly) yield manyIds(digest, groups.slice(toldSingly));
}

function linesOf(digest: TranscriptDigest, group: readonly DuplicateId[]): number[] {
  return [...new Set([group[0]!.first, ...group.map((duplicate) => duplicate.row)])].map((row) => digest.rows.line[row]!);
}

function oneId(digest: TranscriptDigest, group: readonly DuplicateId[]): FindingDraft {
  const { id } = group[0]!;
  const lineNumbers = linesOf(digest, group);
  const identical = group.every((duplicate) => duplicate.identical);
  return {
    ...placeOf(digest, lineNumbers[1]),
    severity: identical ? 'warning' : 'error',
    message: identical
      ? `Row ${id} stands ${lineNumbers.length} times, byte for byte the same: ${namedLines(lineNumbers)}.`
      : `${lineNumbers.length} different rows have the id ${id}: ${namedLines(lineNumbers)}. A reader keeps the last one, and what lies before it falls out of the talk.`,
    evidence: { id, lineNumbers, identical },
    record: `${digest.file.name} ${id}`,
  };
}

function manyIds(digest: TranscriptDigest, groups: readonly DuplicateId[][]): FindingDraft {
  const lineNumbers = groups.flatMap((group) => linesOf(digest, group).slice(1));
  const identical = groups.every((group) => group.every((duplicate) => duplicate.identical));
  return {
    ...placeOf(digest, lineNumbers[0]),
    severity: identical ? 'warning' : 'error',
    message: `${groups.length} further ids stand on several rows${identical ? ', each time byte for byte the same' : ''}.`,
    evidence: { id: null, ids: groups.length, lineNumbers: lineNumbers.slice(0, 1000), identical },
    record: `${digest.file.name} further`,
  };
}

export default defineCheck({
  meta: {
    id: 'transcript/duplicate-id',
    severity: 'error',
    title: 'one id on several rows of a transcript',
    products: ['openclaw'],
    fix: noFix,
    affects: 'every reader: it finds only one of the rows by this id',
  },
  openclaw: { session: duplicateIds },
});
