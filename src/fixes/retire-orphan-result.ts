import type { Finding } from '../model/finding.ts';
import type { HermesSnapshot } from '../stores/hermes/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';
import { flagRows, mayNotWrite, numbersOf, recountSession } from './hermes/rows.ts';

/** Sets results without their call aside: what the product leaves out of each request anyway. */
function plan(finding: Finding, snapshot: HermesSnapshot): FixOutcome {
  const refusal = mayNotWrite(snapshot);
  if (refusal) return refusal;
  const rows = numbersOf(finding, 'rows');
  if (finding.session === null || rows.length === 0) return { left: 'the rows are not known' };
  if (snapshot.rowFlags(rows).length !== rows.length) return { left: 'the store has no flags by which a row can be set aside', alternatives: ['Hermes drops such results in memory before each request'] };
  return {
    steps: [
      {
        target: finding.session,
        session: finding.session,
        title: `Set ${rows.length} tool ${rows.length === 1 ? 'result' : 'results'} without a call aside.`,
        consequences: ['The model no longer gets them; display and search no longer show them. The rows stay in the database.', 'The counters of the session are set to its live rows.'],
        alternatives: ['leave them: Hermes drops such results in memory before each request'],
        actions: [flagRows(snapshot, rows, { active: 0, compacted: 0 }), ...recountSession(snapshot, finding.session)],
      },
    ],
  };
}

export default defineFix({
  meta: { id: 'retire-orphan-result', class: 'judgement', title: 'sets tool results without their call aside', checks: ['tool/orphan-result'] },
  hermes: plan,
});
