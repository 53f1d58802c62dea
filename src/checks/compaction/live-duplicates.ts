import type { FindingDraft } from '../../model/check.ts';
import { liveTwins } from '../../readers/hermes/duplicates.ts';
import type { HermesSnapshot, SessionDigest } from '../../stores/hermes/types.ts';
import { defineCheck } from '../check.ts';
import { idsOf, messageAt, rowsText } from '../shared/hermes.ts';

function* liveDuplicates(digest: SessionDigest, snapshot: HermesSnapshot): Iterable<FindingDraft> {
  const twins = liveTwins(digest.messages);
  if (twins.length === 0) return;
  const rows = idsOf(digest, twins.map((twin) => twin.copy));
  const firsts = [...new Set(twins.map((twin) => twin.first))].sort((a, b) => a - b);
  const firstCopies = idsOf(digest, firsts);
  const counts = { exact: 0, block: 0, replay: 0 };
  for (const twin of twins) counts[twin.kind]++;
  const allExact = counts.exact === twins.length;
  yield {
    session: digest.session.id,
    sessionKey: digest.session.sessionKey,
    confidence: counts.exact > 0 && counts.replay === 0 ? 'certain' : 'likely',
    message: `The model gets ${firstCopies.length} ${firstCopies.length === 1 ? 'message' : 'messages'} more than once: ${rows.length} later ${rows.length === 1 ? 'copy' : 'copies'} (${rowsText(rows)}).`,
    details: [
      `First copies: ${rowsText(firstCopies)}.`,
      ...(counts.exact > 0 ? [`${counts.exact} equal the first copy in every part, to the fraction of a second.`] : []),
      ...(counts.block > 0 ? [`${counts.block} have whole seconds only, but stand in a block that repeats as a whole.`] : []),
      ...(counts.replay > 0 ? [`${counts.replay} repeat a block of earlier rows with new times, written at ten rows a second or faster.`] : []),
    ],
    location: messageAt(snapshot, rows[0]),
    evidence: { rows, firstCopies, exact: counts.exact, inBlock: counts.block, replayed: counts.replay },
    fix: { id: 'retire-duplicate', class: allExact ? 'safe' : 'judgement' },
  };
}

export default defineCheck({
  meta: {
    id: 'compaction/live-duplicates',
    severity: 'error',
    title: 'the same message is live more than once',
    products: ['hermes'],
    fix: { id: 'retire-duplicate', class: 'safe' },
    affects: 'every Hermes build: the context holds the same words several times',
  },
  hermes: { session: liveDuplicates },
});
