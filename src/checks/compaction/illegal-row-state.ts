import type { FindingDraft } from '../../model/check.ts';
import { stateOf } from '../../readers/hermes/view.ts';
import type { HermesSnapshot, SessionDigest } from '../../stores/hermes/types.ts';
import { defineCheck } from '../check.ts';
import { idsOf, messageAt, rowsText } from '../shared/hermes.ts';

function* illegalStates(digest: SessionDigest, snapshot: HermesSnapshot): Iterable<FindingDraft> {
  const both: number[] = [];
  const unhealed: number[] = [];
  for (let i = 0; i < digest.messages.count; i++) {
    const state = stateOf(digest.messages.flags[i] ?? 0);
    if (state === 'illegal') both.push(i);
    else if (state === 'unhealed') unhealed.push(i);
  }
  if (both.length + unhealed.length === 0) return;
  const rows = idsOf(digest, [...both, ...unhealed].sort((a, b) => a - b));
  yield {
    session: digest.session.id,
    sessionKey: digest.session.sessionKey,
    message: `${rows.length} ${rows.length === 1 ? 'row is' : 'rows are'} in a state that Hermes never writes (${rowsText(rows)}).`,
    details: [
      ...(unhealed.length > 0 ? [`${unhealed.length} with active NULL (${rowsText(idsOf(digest, unhealed))}): hidden from the model and from the display until a build heals them to 1.`] : []),
      ...(both.length > 0 ? [`${both.length} live and summarized away at once (${rowsText(idsOf(digest, both))}): the model gets them beside a summary that may hold them already. Which flag is right is not recorded.`] : []),
    ],
    location: messageAt(snapshot, rows[0]),
    evidence: { rows, activeNull: unhealed.length, activeAndCompacted: both.length },
    fix: { id: 'heal-row-state', class: both.length === 0 ? 'safe' : 'judgement' },
  };
}

export default defineCheck({
  meta: {
    id: 'compaction/illegal-row-state',
    severity: 'warning',
    title: 'a row is live and archived at once, or neither',
    products: ['hermes'],
    fix: { id: 'heal-row-state', class: 'judgement' },
    affects: 'every Hermes build: such rows are hidden, or given to the model beside their summary',
  },
  hermes: { session: illegalStates },
});
