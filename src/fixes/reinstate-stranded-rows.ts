import type { Finding } from '../model/finding.ts';
import type { Action, CellMap } from '../model/step.ts';
import type { HermesSnapshot } from '../stores/hermes/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';
import { flagRows, mayNotWrite, numbersOf, recountSession, withoutCjkTriggers } from './hermes/rows.ts';

const recover = 'sessionfsck recover writes the rows out as they are';

/**
 * Makes stranded rows live again in their place. Ids cannot be inserted in the middle, so the rows, and behind them every live row that
 * follows their place, are written again under new ids; the originals are set aside, as the product does with a row that a copy replaced.
 */
function plan(finding: Finding, snapshot: HermesSnapshot): FixOutcome {
  const refusal = mayNotWrite(snapshot);
  if (refusal) return refusal;
  const { session } = finding;
  const stranded = numbersOf(finding, 'rows');
  const { placeAfter } = finding.evidence;
  if (session === null || stranded.length === 0) return { left: 'the rows are not known', alternatives: [recover] };
  if (typeof placeAfter !== 'number') {
    return { left: 'the summary that passed them over was summarized in turn: their place in the conversation is gone', alternatives: [recover, 'tell the agent again what they say'] };
  }
  const following = snapshot.liveRowsAfter(session, placeAfter);
  const order = [...stranded, ...following];
  const set: CellMap = { active: 1, compacted: 0, ...(snapshot.columns.messages.has('display_order') ? { display_order: null } : {}) };
  const actions: Action[] = [
    ...withoutCjkTriggers(snapshot),
    flagRows(snapshot, order, { active: 0, compacted: 0 }),
    { kind: 'clone-rows', database: snapshot.ref.path, table: 'messages', keyColumn: 'id', rows: order, set },
    ...recountSession(snapshot, session),
  ];
  return {
    steps: [
      {
        target: JSON.stringify([session, finding.evidence['carrier'] ?? null]),
        session,
        title: `Make ${stranded.length} stranded ${stranded.length === 1 ? 'row' : 'rows'} live again behind row ${placeAfter}; ${following.length} later live ${following.length === 1 ? 'row is' : 'rows are'} written again behind them.`,
        consequences: [
          'The model gets them in the order in which they were said. Row numbers of the later rows change; the old rows are set aside, none is deleted.',
          'The context grows by these rows; the next request misses the prompt cache.',
          ...(snapshot.cjkTriggers().length > 0 ? ['The CJK search index is marked stale: hermes sessions optimize-storage builds it again.'] : []),
        ],
        alternatives: ['tell the agent again what they say', recover],
        actions,
      },
    ],
  };
}

export default defineFix({
  meta: { id: 'reinstate-stranded-rows', class: 'judgement', title: 'makes rows that a compaction archived unseen live again', checks: ['compaction/stranded-rows'] },
  hermes: plan,
});
