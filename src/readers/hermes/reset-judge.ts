import type { Confidence } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import { localClock, localIso, localText, minutesText, spanText, utc, wallDate, wallTime, type Zone } from '../../model/zone.ts';
import type { HermesConfig } from '../../stores/hermes/types.ts';
import type { Arithmetic, CauseTried, JudgedEvent, ResetCause, ResetVerdict } from '../reset-event.ts';
import { matchZones, type ZoneMatch } from '../zone-match.ts';
import { recoverable, type HermesEnd } from './lineage-events.ts';
import { hermesPolicy, hermesPolicyText, provenPolicy, staleAt, type HermesPolicy } from './reset-policy.ts';

export type HermesJudgeContext = { zoneGiven: boolean; now: number; configRead: boolean };

type Trial = { tried: CauseTried[]; daily: boolean; idle: boolean; boundary: number | null; arithmetic: Arithmetic };
type Draft = { end: HermesEnd; at: number; policy: HermesPolicy; trial: Trial; tried: CauseTried[]; cause: ResetCause | null; deciding: string; sure: boolean; zoned: boolean };

/** End reasons that state a deliberate act or another process of the product. */
const statedCauses: { [reason: string]: { cause: ResetCause; why: string } } = {
  session_switch: { cause: 'switch', why: 'stamped session_switch: /resume or a switch went to another session' },
  new_session: { cause: 'manual', why: 'stamped new_session: /new' },
  suspended: { cause: 'other', why: 'stamped suspended: /stop, or a stuck loop was stopped' },
  resume_pending_expired: { cause: 'other', why: 'stamped resume_pending_expired: a resume after a restart waited for over an hour' },
  branched: { cause: 'switch', why: 'stamped branched: a branch took over' },
  orphaned_compression: { cause: 'compaction', why: 'stamped orphaned_compression: swept after a compaction without continuation' },
  superseded_by_repair: { cause: 'doctor', why: 'stamped superseded_by_repair' },
  recovered: { cause: 'doctor', why: 'stamped recovered' },
};

/**
 * Judges the ends of a Hermes store's sessions: what the product stamped, checked against the policy in `zone`; ends that may be
 * undone and sessions that never ended are judged by the policy alone. What `zone` does not explain is tried in other zones.
 */
export function judgeHermes(ends: readonly HermesEnd[], config: HermesConfig, zone: Zone, named: readonly Zone[], context: HermesJudgeContext): JudgedEvent[] {
  const drafts = ends.map((end) => draft(end, config, zone));
  const open = drafts.filter((found) => found.cause === null && found.zoned);
  const settled = drafts.filter((found) => found.cause === 'daily' && found.zoned).map((found) => ({ fits: (other: Zone) => isDailyIn(found, other) }));
  const matches = matchZones(open.map((found) => ({ fits: (other) => isDailyIn(found, other) })), zone, named, settled);
  const matchOf = new Map(open.map((found, index) => [found, matches[index] ?? null]));
  return drafts.map((found) => finish(found, matchOf.get(found) ?? null, zone, context));
}

/** The last time at which the session was used, as far as its rows tell. */
function usedUntil(end: HermesEnd): number | null {
  return end.lastActivity ?? end.startedAt;
}

function isDailyIn({ end, at, policy }: Draft, zone: Zone): boolean {
  const used = usedUntil(end);
  return used !== null && policy.mode !== 'none' && staleAt(at, used, policy, zone).daily;
}

function tryPolicy(end: HermesEnd, at: number, policy: HermesPolicy, zone: Zone): Trial {
  const used = usedUntil(end);
  const base: Arithmetic = { zone: zone.name, mode: policy.mode, policyFrom: policy.source, atHour: policy.mode === 'daily' || policy.mode === 'both' ? policy.atHour : null, compares: 'updated_at', endReason: end.row.endReason, sessionStartedAt: isoTime(end.startedAt), lastInteraction: isoTime(used), nextStart: isoTime(end.next?.startedAt) };
  if (policy.mode === 'none') {
    const why = `no time ends a session: the policy is none (${policy.source})`;
    return { tried: [{ cause: 'idle', holds: false, why }, { cause: 'daily', holds: false, why }], daily: false, idle: false, boundary: null, arithmetic: base };
  }
  if (used === null) {
    const why = 'nothing tells when the session was used last';
    return { tried: [{ cause: 'idle', holds: false, why }, { cause: 'daily', holds: false, why }], daily: false, idle: false, boundary: null, arithmetic: base };
  }
  const stale = staleAt(at, used, policy, zone);
  const { boundary } = stale;
  const tried: CauseTried[] = [];
  const asUtc = (ms: number): string => (zone.name === 'UTC' ? ' UTC' : ` (${localClock(ms, utc)} UTC)`);
  if (policy.mode === 'idle' || policy.mode === 'both') {
    tried.push({ cause: 'idle', holds: stale.idle, why: `${minutesText(stale.silence)} of silence since ${localText(used, zone, true)}, ${stale.idle ? 'over' : 'not over'} the limit of ${policy.idleMinutes} min` });
  } else tried.push({ cause: 'idle', holds: false, why: 'no idle limit applies' });
  if (boundary === null) tried.push({ cause: 'daily', holds: false, why: 'no daily rule applies' });
  else {
    const place = `${String(policy.atHour).padStart(2, '0')}:00 of ${zone.name}, ${localText(boundary, zone, true)}${asUtc(boundary)}`;
    tried.push({ cause: 'daily', holds: stale.daily, why: stale.daily ? `last used ${localText(used, zone, true)}, before the boundary of ${place}` : `no boundary was crossed: the last ${place}, lies ${spanText(used - boundary)} before the last use at ${localClock(used, zone)}` });
  }
  return {
    tried,
    daily: stale.daily,
    idle: stale.idle,
    boundary,
    arithmetic: { ...base, boundary: isoTime(boundary), boundaryLocal: boundary === null ? null : localIso(boundary, zone), silenceMinutes: Math.round(stale.silence / 600) / 100, idleLimitMinutes: policy.mode === 'daily' ? null : policy.idleMinutes },
  };
}

function draft(end: HermesEnd, config: HermesConfig, zone: Zone): Draft {
  const reason = end.row.endReason;
  const policy = provenPolicy(hermesPolicy(config.reset, end.sessionKey ?? '', end.at), reason);
  // A close that may be undone, and a missing end, were decided by the message that began the next session.
  const later = end.next?.startedAt ?? null;
  const at = (end.unstamped || (reason !== null && recoverable.has(reason)) ? later : null) ?? end.at ?? later ?? 0;
  const trial = tryPolicy(end, at, policy, zone);
  const result = (cause: ResetCause | null, deciding: string, sure: boolean, first: CauseTried | null, zoned = false): Draft => ({
    end,
    at,
    policy,
    trial,
    tried: [...(first ? [first] : []), ...trial.tried.filter((one) => one.why !== first?.why)],
    cause,
    deciding,
    sure,
    zoned,
  });
  const explained = (cause: ResetCause, why: string, sure = true): Draft => result(cause, why, sure, { cause, holds: true, why });
  if (end.passage === 'continuation') return explained('compaction', 'ended by a compaction; the next session is its continuation');
  if (end.passage === 'branch') return explained('switch', 'the next session is a branch of it');
  const byPolicy = trial.idle ? trial.tried.find((one) => one.cause === 'idle') : trial.daily ? trial.tried.find((one) => one.cause === 'daily') : undefined;
  const both = trial.tried.map((one) => one.why).join('; ');
  if (reason === 'daily' || reason === 'idle') {
    const holding = trial.tried.find((one) => one.cause === reason && one.holds);
    if (holding) return result(reason, `stamped ${reason}: ${holding.why}`, true, holding);
    return result(null, `stamped ${reason}, but ${trial.tried.find((one) => one.cause === reason)?.why ?? both}`, true, null, reason === 'daily');
  }
  if (reason === 'session_reset') {
    if (byPolicy) return result(byPolicy.cause, `stamped session_reset: ${byPolicy.why}`, false, byPolicy);
    return explained('manual', 'stamped session_reset: /new or /reset');
  }
  if (reason !== null && Object.hasOwn(statedCauses, reason)) {
    const known = statedCauses[reason];
    if (known) return explained(known.cause, known.why);
  }
  if (reason !== null && !recoverable.has(reason)) return explained('other', `stamped ${reason.slice(0, 60)}`, false);
  if (byPolicy) return result(byPolicy.cause, `${reason === null ? 'never stamped' : `stamped ${reason}`}: ${byPolicy.why}`, false, byPolicy);
  const suspect: CauseTried =
    reason === null
      ? { cause: 'other', holds: false, suspect: true, why: 'a session that never ended while another began on its key: split routing (upstream #82616)' }
      : { cause: 'other', holds: false, suspect: true, why: `${reason} may be undone, and was not: the routing was lost, the key changed, or the database was not to be had` };
  const draftOf = result(null, both, true, null, true);
  return { ...draftOf, tried: [...draftOf.tried, suspect] };
}

function finish(found: Draft, match: ZoneMatch | null, zone: Zone, context: HermesJudgeContext): JudgedEvent {
  const { end, policy, trial } = found;
  const remarks: string[] = [];
  let doubts = found.sure ? 0 : 1;
  const doubt = (text: string): void => {
    doubts++;
    remarks.push(text);
  };
  const verdict: ResetVerdict = found.cause !== null ? 'explained' : match ? 'zone-mismatch' : 'unexplained';
  const byPolicy = found.cause === 'daily' || found.cause === 'idle' || found.cause === null;
  if (byPolicy && !context.configRead) doubt('the configuration could not be read: the default policy is assumed');
  if (byPolicy && !context.zoneGiven && (policy.mode === 'daily' || policy.mode === 'both')) doubt(`the zone ${zone.name} is this host's: name the zone of the host that wrote the store with --zone`);
  if (found.at > context.now + 60_000) doubt('its time lies in the future: a clock was wrong');
  if (end.startedAt !== null && end.at !== null && end.startedAt > end.at) doubt('it ends before it begins: a clock was wrong');
  if (match) {
    doubts += match.shared > 1 ? 1 : 2;
    const there = tryPolicy(end, found.at, policy, match.zone).boundary;
    remarks.push(`${match.zone.name} would explain ${match.shared > 1 ? `${match.shared} ends of this store` : 'it'}${there === null ? '' : `: ${String(policy.atHour).padStart(2, '0')}:00 there was ${localText(there, utc, true)} UTC`}`);
  }
  const confidence: Confidence = doubts === 0 ? 'certain' : doubts === 1 ? 'likely' : 'suspect';
  const { product, kind, sessionKey, sessionId, at, archive, path, startedAt, lastActivity, lastUser, rows, next } = end;
  return {
    product, kind, sessionKey, sessionId, at, archive, path, startedAt, lastActivity, lastUser, rows, next,
    verdict,
    cause: found.cause ?? (match ? 'daily' : null),
    confidence,
    deciding: found.deciding,
    tried: found.tried,
    remarks,
    arithmetic: { ...trial.arithmetic, ...(match ? { matchingZone: match.zone.name, matchingBoundary: isoTime(tryPolicy(end, found.at, policy, match.zone).boundary) } : {}) },
    matchingZone: match?.zone.name ?? null,
    policy: hermesPolicyText(policy),
    policyDay: at === null ? null : wallDate(wallTime(at, zone) - policy.atHour * 3_600_000),
    unruly: found.cause === null,
    statedReason: end.row.endReason,
    boundary: trial.boundary,
  };
}
