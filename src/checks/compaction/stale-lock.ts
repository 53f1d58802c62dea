import type { FindingDraft } from '../../model/check.ts';
import { isoTime } from '../../model/time.ts';
import type { HermesSnapshot } from '../../stores/hermes/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';

function* staleLocks(snapshot: HermesSnapshot, context: CheckContext): Iterable<FindingDraft> {
  for (const lock of snapshot.locks()) {
    const expired = lock.expiresAt !== null && lock.expiresAt < context.now;
    if (!expired && lock.holderState !== 'gone') continue;
    const what = lock.table === 'compression_locks' ? 'compression lock' : 'turn lease';
    const expiresAt = isoTime(lock.expiresAt);
    yield {
      session: lock.sessionId,
      sessionKey: snapshot.session(lock.sessionId)?.sessionKey ?? null,
      message: expired
        ? `A ${what} ran out at ${expiresAt ?? 'an unknown time'} and was never released.`
        : `A ${what} is held by a process that is gone; it would run out at ${expiresAt ?? 'an unknown time'}.`,
      details: [
        `Holder ${lock.holder}, acquired ${isoTime(lock.acquiredAt) ?? 'at an unknown time'}.`,
        lock.table === 'compression_locks' ? 'Whatever was compressing stopped before it was done; older builds refuse messages while the lock is there.' : 'A turn stopped before it was done.',
      ],
      location: { path: snapshot.ref.path, table: lock.table, row: lock.sessionId },
      evidence: { expiresAt, acquiredAt: isoTime(lock.acquiredAt), holder: lock.holder, table: lock.table, holderGone: lock.holderState === 'gone' },
      record: `${lock.table} ${lock.sessionId}`,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'compaction/stale-lock',
    severity: 'warning',
    title: 'a compression lock or turn lease outlived its holder',
    products: ['hermes'],
    fix: { id: 'remove-stale-lock', class: 'safe' },
    affects: 'builds before #87484 refuse messages while a compression lock exists; later ones delay the next compression',
  },
  hermes: { store: staleLocks },
});
