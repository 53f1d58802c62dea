import { zoneNamed } from '../../model/zone.ts';
import { boundaryIgnored, resurrectionOf, type Resurrection } from '../../readers/hermes/expiry.ts';
import { hermesChains, type HermesChain } from '../../readers/hermes/lineage-events.ts';
import { judgeHermes } from '../../readers/hermes/reset-judge.ts';
import { hermesPolicy, hermesPolicyText } from '../../readers/hermes/reset-policy.ts';
import type { Lineage, Segment } from '../../readers/reset-event.ts';
import { zonesNamedIn } from '../../readers/zone-match.ts';
import type { HermesSnapshot, SessionRow } from '../../stores/hermes/types.ts';
import { once, zoneOf, type JudgeOptions, type OverdueSession, type ResetFacts } from './reset-facts.ts';

/** Judges every end that a Hermes store tells of. */
export function hermesResets(snapshot: HermesSnapshot, options: JudgeOptions): ResetFacts {
  return once(snapshot, options, () => {
    const { config } = snapshot;
    const zone = zoneOf(options);
    const chains = hermesChains(snapshot);
    const ends = chains.flatMap((chain) => chain.ends.filter((end) => end !== null));
    const events = judgeHermes(ends, config, zone, zonesNamedIn({ timezone: config.timezone }, zoneNamed), {
      zoneGiven: options.zoneGiven,
      now: options.now,
      configRead: config.files.every((file) => file.problem === null),
    });
    const eventOf = new Map(ends.map((end, index) => [end, events[index]!]));
    const lineages = chains.map((chain): Lineage => {
      const segments = chain.sessions.map((row, index): Segment => {
        const activity = snapshot.activity(row.id);
        const end = chain.ends[index] ?? null;
        return {
          sessionId: row.id,
          startedAt: row.startedAt,
          lastActivity: activity.lastMessageAt,
          lastUser: activity.lastUserAt,
          rows: activity.messages,
          end: end === null ? null : (eventOf.get(end) ?? null),
          live: row.id === chain.current || (end === null && row.endedAt === null),
          compactions: [],
          path: snapshot.databases[0]?.path ?? snapshot.ref.path,
        };
      });
      const policy = hermesPolicy(config.reset, chain.sessionKey ?? '', options.now);
      return { sessionKey: chain.sessionKey, policy: hermesPolicyText(policy), configured: policy.configured, segments };
    });
    return { events, lineages, overdue: overdueSessions(snapshot, chains, options) };
  });
}

/**
 * Sessions that were used across a boundary which should have ended them. Newer builds ignore the configured policy, so only a
 * store in which the policy ended another session at that time or later shows that it was in force.
 */
function overdueSessions(snapshot: HermesSnapshot, chains: readonly HermesChain[], options: JudgeOptions): OverdueSession[] {
  const zone = zoneOf(options);
  const { reset } = snapshot.config;
  let provenUntil = -Infinity;
  for (const { sessions } of chains) {
    for (const row of sessions) if (row.endReason === 'daily' && row.endedAt !== null) provenUntil = Math.max(provenUntil, row.endedAt);
  }
  const found: OverdueSession[] = [];
  for (const { sessionKey, sessions } of chains) {
    if (sessionKey === null) continue;
    for (const row of sessions) {
      const activity = snapshot.activity(row.id);
      const policy = hermesPolicy(reset, sessionKey, activity.lastUserAt);
      if (!policy.configured || row.expiryFinalized || row.startedAt === null) continue;
      const deadline = boundaryIgnored(row, activity, policy, zone);
      if (deadline === null || deadline > provenUntil) continue;
      found.push({ sessionKey, sessionId: row.id, path: snapshot.databases[0]?.path ?? snapshot.ref.path, startedAt: row.startedAt, policy: hermesPolicyText(policy), by: 'daily', deadline, message: activity.lastUserAt ?? deadline });
    }
  }
  return found;
}

export type ResurrectedSession = Resurrection & { row: SessionRow };

/** Sessions whose expiry was processed and that went on. */
export function* resurrectedSessions(snapshot: HermesSnapshot, options: JudgeOptions): Iterable<ResurrectedSession> {
  const zone = zoneOf(options);
  for (const row of snapshot.sessions()) {
    if (!row.expiryFinalized) continue;
    const activity = snapshot.activity(row.id);
    const found = resurrectionOf(row, activity, hermesPolicy(snapshot.config.reset, row.sessionKey ?? '', activity.lastUserAt), zone);
    if (found) yield { ...found, row };
  }
}
