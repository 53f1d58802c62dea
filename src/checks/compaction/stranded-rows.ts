import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import type { Block } from '../../readers/hermes/blocks.ts';
import { writtenDuring, type Coverage } from '../../readers/hermes/coverage.ts';
import { role } from '../../readers/hermes/view.ts';
import { Flag } from '../../stores/hermes/digest-types.ts';
import type { HermesSnapshot, SessionDigest } from '../../stores/hermes/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { strandedBy } from '../shared/hermes-stranded.ts';
import { digestBlocks, idsOf, messageAt, rowsText } from '../shared/hermes.ts';

function* strandedRows(digest: SessionDigest, snapshot: HermesSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (!snapshot.columns.messages.has('active') || !snapshot.columns.messages.has('compacted')) {
    context.skip('the store has no columns active and compacted: it was never compacted in place');
    return;
  }
  for (const block of digestBlocks(digest)) {
    const { coverage, stranded } = strandedBy(digest, snapshot, block);
    if (stranded.length > 0) yield finding(digest, snapshot, coverage, stranded);
    else if (coverage.carried.length === 0 && coverage.archived > 0) yield* byTime(digest, snapshot, block);
  }
}

/** No tail was carried: only the log can say which rows came while the summary was being made. */
function* byTime(digest: SessionDigest, snapshot: HermesSnapshot, block: Block): Iterable<FindingDraft> {
  const { messages, session } = digest;
  const during = writtenDuring(messages, block, snapshot.compressionRuns().filter((run) => run.sessionId === session.id));
  if (!during || during.rows.length === 0) return;
  const rows = idsOf(digest, during.rows);
  const carrier = messages.ids[block.carrier] ?? 0;
  yield {
    session: session.id,
    sessionKey: session.sessionKey,
    confidence: 'suspect',
    message: `${rows.length} ${rows.length === 1 ? 'row was' : 'rows were'} archived by the compaction at row ${carrier} although written while its summary was being made; nothing was carried over word for word, so only times speak.`,
    details: [`${rowsText(rows, 'Row')}. By the log the summary was begun ${isoTime(during.began * 1000) ?? 'at an unknown time'} and written ${isoTime((messages.timestamps[block.carrier] ?? Number.NaN) * 1000) ?? 'at an unknown time'}.`, 'Read the summary: if it speaks of them, nothing is lost.'],
    location: messageAt(snapshot, rows[0]),
    evidence: { rows, carrier, newestCarriedOriginal: null, placeAfter: null, shape: 'by-time', summaryBegan: isoTime(during.began * 1000) },
    fix: noFix,
    record: carrier,
  };
}

function finding(digest: SessionDigest, snapshot: HermesSnapshot, coverage: Coverage, stranded: readonly number[]): FindingDraft {
  const { messages, session } = digest;
  const rows = idsOf(digest, stranded);
  const carrier = messages.ids[coverage.block.carrier] ?? 0;
  const newest = messages.ids[coverage.newestCarried] ?? 0;
  const time = (index: number): string => isoTime((messages.timestamps[index] ?? Number.NaN) * 1000) ?? 'an unknown time';
  const turns = stranded.filter((index) => messages.roles[index] === role.user).length;
  const displayed = stranded.every((index) => (messages.flags[index] ?? 0) & Flag.compacted);
  const wholeTurn = turns > 0 && stranded.length > turns;
  return {
    session: session.id,
    sessionKey: session.sessionKey,
    confidence: coverage.shape === 'after-tail' && wholeTurn ? 'certain' : 'likely',
    message: `${rows.length} ${rows.length === 1 ? 'row was' : 'rows were'} archived by the compaction at row ${carrier}, but its summary never saw ${rows.length === 1 ? 'it' : 'them'}: the model has lost ${turns === 0 ? (rows.length === 1 ? 'it' : 'them') : `${turns} ${turns === 1 ? 'prompt' : 'prompts'} and what followed`}.`,
    details: [
      `${rowsText(rows, 'Row')}, written ${time(stranded[0] ?? 0)} to ${time(stranded.at(-1) ?? 0)}; summary written ${time(coverage.block.carrier)}.`,
      coverage.shape === 'gap'
        ? `The compaction carried rows up to ${newest} over word for word and copied later rows behind them; these lie between and have no copy.`
        : `The newest row that was carried over word for word is ${newest}. What is carried is the end of what was held, so newer rows were not held: another surface wrote them meanwhile.`,
      displayed ? 'Display and search still show them; only the model does not get them.' : 'They are flagged like rows that were taken back: display and search do not show them either.',
    ],
    location: messageAt(snapshot, rows[0]),
    evidence: { rows, carrier, newestCarriedOriginal: newest, placeAfter: copyOfNewest(digest, coverage), shape: coverage.shape, carried: coverage.carried.length, cloned: coverage.cloned.length, archived: coverage.archived },
    record: carrier,
  };
}

/** The live row behind which the stranded ones belong: the copy of the newest carried original. Null when the summary is no longer live. */
function copyOfNewest({ messages }: SessionDigest, { block, newestCarried }: Coverage): number | null {
  if (!((messages.flags[block.carrier] ?? 0) & Flag.active)) return null;
  const offset = block.origins.indexOf(newestCarried);
  return offset === -1 ? null : (messages.ids[block.start + offset] ?? null);
}

export default defineCheck({
  meta: {
    id: 'compaction/stranded-rows',
    severity: 'error',
    title: 'a compaction archived rows that its summary never saw',
    products: ['hermes'],
    fix: { id: 'reinstate-stranded-rows', class: 'judgement' },
    affects: 'every Hermes build: the model no longer gets these rows',
  },
  hermes: { session: strandedRows },
});
