import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { rowFlag } from '../../stores/openclaw/digest-types.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';
import { kindOfRow, nameOfRow, placeOf, roleOfRow, standingOf } from '../shared/openclaw-transcript.ts';
import { findRepeatedTurns, type RepeatedRow, type TurnRow } from '../shared/repeated-turns.ts';

const reasons: Record<RepeatedRow['why'], string> = {
  key: 'the same text under the same idempotency key',
  time: 'the same text said in the same millisecond',
  sibling: 'the same text twice below one row, under ids of two formats',
  block: 'a block of three or more turns again, word for word',
};

function* duplicateTurns(digest: TranscriptDigest, snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  if (standingOf(digest, snapshot) !== 'read') return;
  const { rows } = digest;
  // Rows under one id are transcript/duplicate-id's.
  const copiesById = new Set(digest.duplicates.map((duplicate) => duplicate.row));
  const turns: TurnRow[] = [];
  for (let row = 0; row < rows.length; row++) {
    const role = roleOfRow(digest, row);
    if (kindOfRow(digest, row) !== 'message' || (role !== 'user' && role !== 'assistant')) continue;
    if ((rows.flags[row]! & (rowFlag.mirror | rowFlag.internal)) !== 0 || copiesById.has(row)) continue;
    turns.push({ row, role });
  }
  const repeated = findRepeatedTurns(turns, {
    hash: rows.contentHash,
    length: rows.contentLength,
    said: rows.messageTime,
    appended: rows.time,
    key: rows.keyHash,
    parent: rows.parent,
    idLength: (row) => rows.id[row]?.length ?? 0,
  });
  const first = repeated[0];
  if (!first) return;
  const share = Math.round((100 * repeated.length) / turns.length);
  const whys = new Map<RepeatedRow['why'], number>();
  for (const { why } of repeated) whys.set(why, (whys.get(why) ?? 0) + 1);
  const certain = whys.has('key') || whys.has('time');
  yield {
    ...placeOf(digest, rows.line[first.row]),
    confidence: certain ? 'certain' : 'likely',
    message: `${repeated.length} of ${turns.length} rows of talk (${share} %) were written again: the agent reads ${repeated.length === 1 ? 'it' : 'them'} twice and pays for ${repeated.length === 1 ? 'it' : 'them'} twice.`,
    details: [...whys].map(([why, number]) => `${number}: ${reasons[why]}`),
    evidence: {
      rows: repeated.slice(0, 1000).map(({ row }) => nameOfRow(digest, row)),
      firstCopies: repeated.slice(0, 1000).map((copy) => nameOfRow(digest, copy.first)),
      copies: repeated.length,
      talkRows: turns.length,
    },
    record: digest.file.name,
  };
}

export default defineCheck({
  meta: {
    id: 'transcript/duplicate-turns',
    severity: 'warning',
    title: 'the same turns of a talk were written again',
    products: ['openclaw'],
    fix: noFix,
    affects: 'every reader: the copies fill the context window and the disk',
  },
  openclaw: { session: duplicateTurns },
});
