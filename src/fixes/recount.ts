import type { Finding } from '../model/finding.ts';
import type { HermesSnapshot } from '../stores/hermes/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';
import { mayNotWrite, recountSession } from './hermes/rows.ts';

function plan(finding: Finding, snapshot: HermesSnapshot): FixOutcome {
  const refusal = mayNotWrite(snapshot);
  if (refusal) return refusal;
  const actions = finding.session === null ? [] : recountSession(snapshot, finding.session);
  if (finding.session === null || actions.length === 0) return { left: 'the store has no counters' };
  return {
    steps: [
      {
        target: finding.session,
        session: finding.session,
        title: 'Set the counters of the session to what its live rows say.',
        consequences: ['Lists and limits show the true numbers. No message is touched.'],
        alternatives: [],
        actions,
      },
    ],
  };
}

export default defineFix({
  meta: { id: 'recount', class: 'safe', title: "sets a session's counters to its live rows", checks: ['session/counter-drift'] },
  hermes: plan,
});
