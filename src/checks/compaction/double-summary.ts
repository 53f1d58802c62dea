import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import { liveSummaries } from '../../readers/hermes/summaries.ts';
import type { HermesSnapshot, SessionDigest } from '../../stores/hermes/types.ts';
import { defineCheck } from '../check.ts';
import { digestBlocks, idsOf, messageAt, rowsText } from '../shared/hermes.ts';

function* doubleSummaries(digest: SessionDigest, snapshot: HermesSnapshot): Iterable<FindingDraft> {
  const { messages, session } = digest;
  const live = liveSummaries(messages, digestBlocks(digest), snapshot.columns.messages.has('_compressed_summary'));
  if (live.length === 0) return;
  const carriers = idsOf(digest, live);
  const texts = new Set(live.map((index) => messages.texts[index]));
  const times = live.map((index) => isoTime((messages.timestamps[index] ?? Number.NaN) * 1000) ?? 'an unknown time');
  const same = texts.size === 1;
  yield {
    session: session.id,
    sessionKey: session.sessionKey,
    message: same
      ? `The model gets the same summary ${carriers.length} times (${rowsText(carriers)}).`
      : `The model gets ${carriers.length}${texts.size === carriers.length ? ' different' : ''} summaries of the same conversation${texts.size === carriers.length ? '' : `, ${texts.size} of them different`} (${rowsText(carriers)}).`,
    details: [
      `Written ${times.slice(0, 4).join(', ')}${times.length > 4 ? ` and ${times.length - 4} more` : ''}.`,
      same ? 'A commit was repeated. The first copy can stay; the others say nothing new.' : 'Two compactions were published side by side, the second by a holder of an older state. Which one is right only somebody who reads both can say.',
    ],
    location: messageAt(snapshot, carriers.at(-1)),
    evidence: { carriers, sameText: same },
    fix: same ? { id: 'retire-duplicate', class: 'safe' } : noFix,
  };
}

export default defineCheck({
  meta: {
    id: 'compaction/double-summary',
    severity: 'error',
    title: 'two or more live summaries in one session',
    products: ['hermes'],
    fix: noFix,
    affects: 'every Hermes build: the model reads contradicting or repeated history',
  },
  hermes: { session: doubleSummaries },
});
