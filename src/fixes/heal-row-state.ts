import type { Finding } from '../model/finding.ts';
import type { Action, CellMap } from '../model/step.ts';
import type { HermesSnapshot } from '../stores/hermes/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';
import { mayNotWrite, numbersOf, recountSession } from './hermes/rows.ts';

/** NULL becomes 1, as the product heals it; of two flags that exclude each other the row keeps the one by which the model gets it. */
function plan(finding: Finding, snapshot: HermesSnapshot): FixOutcome {
  const refusal = mayNotWrite(snapshot);
  if (refusal) return refusal;
  const wrong = snapshot.rowFlags(numbersOf(finding, 'rows')).filter(({ active, compacted }) => active === null || (active === 1 && compacted === 1));
  if (finding.session === null || wrong.length === 0) return { left: 'the rows are in a legal state by now' };
  const both = wrong.filter(({ active }) => active !== null).length;
  const flags: Action = {
    kind: 'update-rows',
    database: snapshot.ref.path,
    table: 'messages',
    rows: wrong.map(({ row, active, compacted }): { key: CellMap; before: CellMap; after: CellMap } => (active === null ? { key: { id: row }, before: { active }, after: { active: 1 } } : { key: { id: row }, before: { active, compacted }, after: { compacted: 0 } })),
  };
  return {
    steps: [
      {
        target: finding.session,
        session: finding.session,
        title: both === 0 ? `Make ${wrong.length} hidden ${wrong.length === 1 ? 'row' : 'rows'} live.` : `Make ${wrong.length} ${wrong.length === 1 ? 'row' : 'rows'} live and no longer archived.`,
        consequences: [
          ...(both < wrong.length ? ['Rows with active NULL are given to the model and shown again, as the product itself would do at its next start.'] : []),
          ...(both > 0 ? ['Rows with both flags stay in the context as they are now; if a summary covers them, the model reads them twice.'] : []),
          'The counters of the session are set to its live rows.',
        ],
        alternatives: both > 0 ? ['if the summary covers them, set active to 0 by hand instead'] : [],
        actions: [flags, ...recountSession(snapshot, finding.session)],
      },
    ],
  };
}

export default defineFix({
  meta: { id: 'heal-row-state', class: 'judgement', title: 'gives rows of an illegal state a legal one', checks: ['compaction/illegal-row-state'] },
  hermes: plan,
});
