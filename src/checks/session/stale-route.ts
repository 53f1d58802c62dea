import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import type { HermesSnapshot, RoutingEntry, SessionRow } from '../../stores/hermes/types.ts';
import { defineCheck } from '../check.ts';

function* staleRoutes(snapshot: HermesSnapshot): Iterable<FindingDraft> {
  for (const entry of snapshot.routing()) {
    if (entry.sessionId === null) continue;
    const session = snapshot.session(entry.sessionId);
    if (session && (session.endedAt === null || isExpected(entry, session))) continue;
    const where = entry.source === 'table' ? 'gateway_routing' : 'sessions.json';
    const newer = newerSession(snapshot, entry, session);
    yield {
      session: entry.sessionId,
      sessionKey: entry.sessionKey,
      message: session
        ? `The gateway still sends this chat to session ${session.id}, which ended at ${isoTime(session.endedAt) ?? 'an unknown time'} (${session.endReason ?? 'no reason'}).`
        : `The gateway sends this chat to session ${entry.sessionId}, which does not exist.`,
      details: [
        ...(newer ? [`The newest session of this chat is ${newer.id}, begun ${isoTime(newer.startedAt) ?? 'at an unknown time'}.`] : []),
        `Read from ${where}. A running gateway keeps its routes in memory and writes them back: look again after it was stopped.`,
        'hermes sessions repair-routing (gateway stopped) settles what is unambiguous.',
      ],
      location: entry.source === 'table' ? { path: entry.path, table: 'gateway_routing', row: entry.sessionKey } : { path: entry.path },
      evidence: { sessionId: entry.sessionId, missing: session === undefined, endedAt: isoTime(session?.endedAt), endReason: session?.endReason ?? null, source: where, newestSession: newer?.id ?? null },
      record: entry.sessionKey,
    };
  }
}

/** A chat that was suspended, or whose expiry was processed, keeps its old session until the next message: resets are lazy. */
function isExpected(entry: RoutingEntry, session: SessionRow): boolean {
  return entry.suspended || entry.resumePending || entry.expiryFinalized || session.expiryFinalized;
}

function newerSession(snapshot: HermesSnapshot, entry: RoutingEntry, session: SessionRow | undefined): SessionRow | null {
  let newest: SessionRow | null = null;
  for (const candidate of snapshot.sessions()) {
    if (candidate.sessionKey !== entry.sessionKey || candidate.id === entry.sessionId) continue;
    if ((candidate.startedAt ?? 0) > (newest?.startedAt ?? session?.startedAt ?? 0)) newest = candidate;
  }
  return newest;
}

export default defineCheck({
  meta: {
    id: 'session/stale-route',
    severity: 'warning',
    title: 'a chat is routed to a session that is gone or ended',
    products: ['hermes'],
    fix: noFix,
    affects: "every Hermes gateway: the next message opens a new session, or goes to one that refuses it",
  },
  hermes: { store: staleRoutes },
});
