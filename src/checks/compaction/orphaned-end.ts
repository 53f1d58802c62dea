import type { FindingDraft } from '../../model/check.ts';
import { isoTime } from '../../model/time.ts';
import { classifyEdge } from '../../readers/hermes/lineage.ts';
import type { HermesSnapshot } from '../../stores/hermes/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { sessionAt } from '../shared/hermes.ts';

function* orphanedEnds(snapshot: HermesSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const locked = new Set(snapshot.locks().filter((lock) => lock.expiresAt === null || lock.expiresAt >= context.now).map((lock) => lock.sessionId));
  for (const session of snapshot.sessions()) {
    if (session.endReason !== 'compression' || session.endedAt === null || locked.has(session.id)) continue;
    const children = snapshot.childrenOf(session.id);
    // As the product sees it: any child that is no branch, subagent, tool or reset continues the session, ended or not.
    if (children.some((child) => ['continuation', 'child'].includes(classifyEdge(child, session)))) continue;
    const { messages, lastMessageAt } = snapshot.activity(session.id);
    yield {
      session: session.id,
      sessionKey: session.sessionKey,
      message: `The session was ended by a compression at ${isoTime(session.endedAt) ?? 'an unknown time'}, but nothing continues it: it refuses every further message.`,
      details: [`${messages} rows, the last of ${isoTime(lastMessageAt) ?? 'an unknown time'}; no lock says that a compression is still at work.`, 'The hand-over was interrupted. Without the stamp the session takes messages again.'],
      location: sessionAt(snapshot, session),
      evidence: { endedAt: isoTime(session.endedAt), endReason: session.endReason, children: children.length },
    };
  }
}

export default defineCheck({
  meta: {
    id: 'compaction/orphaned-end',
    severity: 'error',
    title: 'ended by a compression that nothing continues',
    products: ['hermes'],
    fix: { id: 'clear-end-stamp', class: 'judgement' },
    affects: 'every Hermes build that rotates sessions: writes to it are refused',
  },
  hermes: { store: orphanedEnds },
});
