import type { Finding } from '../model/finding.ts';
import type { HermesSnapshot } from '../stores/hermes/types.ts';
import type { OpencodeSnapshot } from '../stores/opencode/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';
import { mayNotWrite } from './hermes/rows.ts';

function steps(session: string, database: string, table: string, column: string, missing: string): FixOutcome {
  return {
    steps: [
      {
        target: session,
        session,
        title: `Take the parent ${missing}, which does not exist, off the session.`,
        consequences: ['The session stands among the root sessions. Nothing else changes; what the parent held is not brought back.'],
        alternatives: ['put the parent session back from a backup'],
        actions: [{ kind: 'update-rows', database, table, rows: [{ key: { id: session }, before: { [column]: missing }, after: { [column]: null } }] }],
      },
    ],
  };
}

function planHermes(finding: Finding, snapshot: HermesSnapshot): FixOutcome {
  const refusal = mayNotWrite(snapshot);
  if (refusal) return refusal;
  const missing = finding.evidence['missing'];
  if (finding.session === null || typeof missing !== 'string' || snapshot.session(missing)) return { left: 'the parent is there by now' };
  return steps(finding.session, snapshot.ref.path, 'sessions', 'parent_session_id', missing);
}

function planOpencode(finding: Finding, snapshot: OpencodeSnapshot): FixOutcome {
  const missing = finding.evidence['missing'];
  if (finding.session === null || typeof missing !== 'string' || snapshot.sessions().has(missing)) return { left: 'the parent is there by now' };
  return steps(finding.session, snapshot.ref.path, 'session', 'parent_id', missing);
}

export default defineFix({
  meta: { id: 'null-missing-parent', class: 'safe', title: 'takes a parent that does not exist off a session', checks: ['session/missing-parent'] },
  opencode: planOpencode,
  mimocode: planOpencode,
  hermes: planHermes,
});
