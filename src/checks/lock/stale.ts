import type { FindingDraft } from '../../model/check.ts';
import type { Confidence } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import type { LockFile, OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { shortName } from '../shared/openclaw-names.ts';

/** The product itself takes a lock for stale after half an hour (format notes §1.2). */
const tooOldMs = 30 * 60_000;

/** Why a lock is stale, or null. A live process keeps its lock however old; one of another host cannot be judged. */
export function staleReason(lock: LockFile, now: number): { why: string; confidence: Confidence } | null {
  const since = lock.createdAt ?? lock.modifiedAt;
  const old = now - since > tooOldMs;
  switch (lock.process) {
    case 'gone':
      return { why: `process ${lock.pid} is gone`, confidence: 'certain' };
    case 'recycled':
      return { why: `process ${lock.pid} is another one than the one that took it`, confidence: 'certain' };
    case 'alive':
      return null;
    case 'unknown':
      if (lock.pid !== null || !old) return null;
      return { why: lock.problem === 'not-json' || lock.problem === 'not-object' ? 'it does not say who took it and is older than 30 minutes' : 'it names no process and is older than 30 minutes', confidence: 'likely' };
  }
}

function* staleLocks(snapshot: OpenclawSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const keys = new Map(snapshot.entries.filter((entry) => entry.sessionId !== null).map((entry) => [entry.sessionId, entry.key]));
  for (const lock of snapshot.locks) {
    const stale = staleReason(lock, context.now);
    if (stale === null) continue;
    const taken = isoTime(lock.createdAt);
    yield {
      session: lock.sessionId,
      sessionKey: keys.get(lock.sessionId) ?? null,
      confidence: stale.confidence,
      message: `The lock on ${shortName(lock.guards)} is stale: ${stale.why}${taken === null ? '' : ` (taken ${taken})`}.`,
      location: { path: lock.path },
      evidence: { file: lock.name, pid: lock.pid, createdAt: taken, process: lock.process, problem: lock.problem },
      record: lock.name,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'lock/stale',
    severity: 'warning',
    title: 'a lock file whose process is gone, recycled, or too old',
    products: ['openclaw'],
    fix: { id: 'remove-stale-lock', class: 'safe' },
    affects: 'readers of the JSONL era: they wait for it, and answer late or not at all',
  },
  openclaw: { store: staleLocks },
});
