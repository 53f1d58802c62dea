import type { Finding } from '../model/finding.ts';
import type { CellMap } from '../model/step.ts';
import type { HermesSnapshot } from '../stores/hermes/types.ts';
import type { OpenclawSnapshot } from '../stores/openclaw/types.ts';
import { parseTime } from '../model/time.ts';
import { defineFix, type FixOutcome } from './fix.ts';

function planFile(finding: Finding, snapshot: OpenclawSnapshot): FixOutcome {
  const lock = snapshot.locks.find((one) => one.name === finding.evidence['file']);
  if (!lock) return { left: 'the lock file is gone' };
  if (lock.process === 'alive') return { left: `process ${lock.pid} lives and holds it`, alternatives: ['stop the process; it removes its lock'] };
  return {
    steps: [
      {
        target: lock.name,
        session: finding.session,
        title: 'Move the lock out of the way.',
        consequences: ['Then the session can be written again. The lock file is kept in the journal.'],
        alternatives: [],
        actions: [{ kind: 'retire-file', path: lock.path, sha256: snapshot.hashes.file(lock.path) }],
      },
    ],
  };
}

/** `expiresAt` of the finding tells the row where one session has several. */
function planRow(finding: Finding, snapshot: HermesSnapshot): FixOutcome {
  const expires = parseTime(finding.evidence['expiresAt']);
  const table = finding.location.table;
  const lock = snapshot.locks().find((one) => one.sessionId === (finding.session ?? finding.location.row) && (table === undefined || one.table === table) && (expires === null || one.expiresAt === expires));
  if (!lock) return { left: 'the lock is gone' };
  const key: CellMap = lock.table === 'compression_locks' ? { session_id: lock.sessionId } : { conversation_id: lock.sessionId };
  return {
    steps: [
      {
        target: JSON.stringify([lock.table, lock.sessionId]),
        session: finding.session,
        title: `Remove the row of ${lock.table} whose holder is gone.`,
        consequences: ['Then the session can be compacted and written again.'],
        alternatives: ['wait: Hermes takes over an expired lock the next time it needs it'],
        actions: [{ kind: 'delete-rows', database: snapshot.ref.path, table: lock.table, rows: [{ key, before: { holder: lock.holder, expires_at: lock.storedExpiry } }] }],
      },
    ],
  };
}

export default defineFix({
  meta: { id: 'remove-stale-lock', class: 'safe', title: 'moves a lock whose holder is gone out of the way', checks: ['lock/stale', 'compaction/stale-lock'] },
  openclaw: planFile,
  hermes: planRow,
});
