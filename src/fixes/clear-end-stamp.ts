import type { Finding } from '../model/finding.ts';
import type { HermesSnapshot } from '../stores/hermes/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';
import { mayNotWrite } from './hermes/rows.ts';

/** What the product's own recovery does with a session that a broken hand-over left closed. */
function plan(finding: Finding, snapshot: HermesSnapshot): FixOutcome {
  const refusal = mayNotWrite(snapshot);
  if (refusal) return refusal;
  const { session } = finding;
  const before = session === null ? {} : snapshot.sessionCells(session, ['ended_at', 'end_reason']);
  if (session === null || before['ended_at'] === undefined || before['ended_at'] === null) return { left: 'the session is open by now' };
  return {
    steps: [
      {
        target: session,
        session,
        title: 'Take the end stamp off the session.',
        consequences: ['It takes messages again, and its next compression makes the continuation that is missing.'],
        alternatives: ['begin a new session and leave this one closed'],
        actions: [{ kind: 'update-rows', database: snapshot.ref.path, table: 'sessions', rows: [{ key: { id: session }, before, after: { ended_at: null, end_reason: null } }] }],
      },
    ],
  };
}

export default defineFix({
  meta: { id: 'clear-end-stamp', class: 'judgement', title: 'reopens a session that a broken compression closed', checks: ['compaction/orphaned-end'] },
  hermes: plan,
});
