import type { Finding } from '../model/finding.ts';
import type { HermesSnapshot } from '../stores/hermes/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';
import { flagRows, mayNotWrite, numbersOf, recountSession } from './hermes/rows.ts';

/** Sets the later copies aside, as the product does with a row that a copy replaced; the first copy stays live. */
function plan(finding: Finding, snapshot: HermesSnapshot): FixOutcome {
  const refusal = mayNotWrite(snapshot);
  if (refusal) return refusal;
  const summaries = finding.checkId === 'compaction/double-summary';
  const rows = summaries ? numbersOf(finding, 'carriers').slice(1) : numbersOf(finding, 'rows');
  if (finding.session === null || rows.length === 0 || snapshot.rowFlags(rows).some(({ active, compacted }) => active !== 1 || compacted !== 0)) return { left: 'the copies are not live any more' };
  const what = summaries ? 'summary' : 'message';
  return {
    steps: [
      {
        target: JSON.stringify([finding.session, what]),
        session: finding.session,
        title: `Set ${rows.length} repeated ${what} ${rows.length === 1 ? 'row' : 'rows'} aside; the first copies stay live.`,
        consequences: ['The model gets each of them once. The rows stay in the database; display and search no longer show the copies.', 'The counters of the session are set to its live rows.'],
        alternatives: [],
        actions: [flagRows(snapshot, rows, { active: 0, compacted: 0 }), ...recountSession(snapshot, finding.session)],
      },
    ],
  };
}

export default defineFix({
  meta: { id: 'retire-duplicate', class: 'safe', title: 'sets later copies of a live row aside', checks: ['compaction/live-duplicates', 'compaction/double-summary'] },
  hermes: plan,
});
