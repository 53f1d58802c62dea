import { isoTime } from '../../model/time.ts';
import { localClock, localIso, localText, minutesText, spanText, utc, wallDate, wallTime, zoneOfOffset, type Zone } from '../../model/zone.ts';
import type { Arithmetic, CauseTried } from '../reset-event.ts';
import type { OpenclawEnd } from './reset-end.ts';
import { freshnessAt } from './reset-policy.ts';

export type PolicyTrial = { tried: CauseTried[]; cause: 'daily' | 'idle' | null; boundary: number | null; arithmetic: Arithmetic };

/** `04:00:00 (02:00:00 UTC)`, or one time where the zone is UTC. */
function both(ms: number, zone: Zone): string {
  return zone.name === 'UTC' ? `${localText(ms, zone, true)} UTC` : `${localText(ms, zone, true)} (${localClock(ms, utc)} UTC)`;
}

/** What the rules of the end's time compare: the start and the last use of its session, ms. */
function compared(end: OpenclawEnd): { started: number | null; lastInteraction: number | null } {
  const old = end.rules.compares === 'updatedAt';
  return { started: old ? (end.lastRow ?? end.startedAt) : end.startedAt, lastInteraction: old ? (end.lastRow ?? end.lastUser) : end.lastUser };
}

/** Whether a daily reset in this zone explains the end; the arithmetic of `tryPolicy` without its words, for many zones. */
export function isDailyIn(end: OpenclawEnd & { at: number }, zone: Zone): boolean {
  const { started, lastInteraction } = compared(end);
  if (end.policy.mode !== 'daily' || started === null) return false;
  const { dailyAt, idleAt } = freshnessAt(end.at, { started, lastInteraction }, end.policy, zone, end.rules.arithmetic);
  if (dailyAt === null || started >= dailyAt || (end.lastUser !== null && end.lastUser >= dailyAt)) return false;
  return idleAt === null || end.at <= idleAt || idleAt >= dailyAt;
}

/** Tries the two rules of the policy on an end in one zone. The earlier deadline names the reason when both hold. */
export function tryPolicy(end: OpenclawEnd & { at: number }, zone: Zone): PolicyTrial {
  const { at, policy, rules } = end;
  const old = rules.compares === 'updatedAt';
  const { started, lastInteraction } = compared(end);
  const fresh = freshnessAt(at, { started, lastInteraction }, policy, zone, rules.arithmetic);
  const since = lastInteraction ?? started;
  const silence = since === null ? null : at - since;
  const hour = `${String(policy.atHour).padStart(2, '0')}:00`;
  const arithmetic: Arithmetic = {
    zone: zone.name,
    mode: policy.mode,
    policyFrom: policy.source,
    atHour: policy.mode === 'daily' ? policy.atHour : null,
    boundary: isoTime(fresh.dailyAt),
    boundaryLocal: fresh.dailyAt === null ? null : localIso(fresh.dailyAt, zone),
    compares: rules.compares,
    sessionStartedAt: isoTime(end.startedAt),
    lastInteraction: isoTime(since),
    silenceMinutes: silence === null ? null : Math.round(silence / 600) / 100,
    idleLimitMinutes: policy.idleMinutes,
    idleDeadline: isoTime(fresh.idleAt),
    ageMinutes: end.startedAt === null ? null : Math.round((at - end.startedAt) / 600) / 100,
  };
  const tried: CauseTried[] = [];
  let dailyHolds = false;
  if (fresh.dailyAt === null) {
    tried.push({ cause: 'daily', holds: false, why: `no daily rule applies: the policy is ${policy.mode} (${policy.source})` });
  } else if (started === null) {
    tried.push({ cause: 'daily', holds: false, why: 'nothing tells when the session began' });
  } else {
    const boundary = fresh.dailyAt;
    const what = old ? 'was last written' : 'began';
    if (started >= boundary) {
      tried.push({ cause: 'daily', holds: false, why: `no ${hour} of ${zone.name} was crossed: the last one was ${both(boundary, zone)}, ${spanText(started - boundary)} before the session ${what} at ${both(started, zone)}` });
    } else if (end.lastUser !== null && end.lastUser >= boundary) {
      tried.push({ cause: 'daily', holds: false, why: `${hour} of ${zone.name} was crossed at ${both(boundary, zone)}, but the first message after it should have reset and did not: the session still took one at ${both(end.lastUser, zone)}` });
    } else {
      dailyHolds = true;
      tried.push({ cause: 'daily', holds: true, why: `${what} ${localText(started, zone, true)}, before the boundary of ${both(boundary, zone)}; no message between it and ${localClock(at, zone)}` });
    }
  }
  let idleHolds = false;
  if (policy.idleMinutes === null || policy.idleMinutes === 0 || policy.mode === 'none') {
    tried.push({ cause: 'idle', holds: false, why: policy.idleMinutes === 0 ? 'an idle limit of 0 means never' : 'no idle limit applies' });
  } else if (silence === null) {
    tried.push({ cause: 'idle', holds: false, why: 'nothing tells when the chat was used last' });
  } else {
    idleHolds = fresh.idleAt !== null && at > fresh.idleAt;
    tried.push({ cause: 'idle', holds: idleHolds, why: `${minutesText(silence)} of silence since ${localText(since ?? at, zone, true)}, ${idleHolds ? 'over' : 'not over'} the limit of ${policy.idleMinutes} min` });
  }
  let cause: PolicyTrial['cause'] = dailyHolds ? 'daily' : idleHolds ? 'idle' : null;
  if (dailyHolds && idleHolds && fresh.dailyAt !== null && fresh.idleAt !== null && fresh.idleAt < fresh.dailyAt) cause = 'idle';
  return { tried, cause, boundary: fresh.dailyAt, arithmetic };
}

/** Whole-hour offsets from UTC at which the host's clock would have crossed the boundary between the last message and the end. */
export function offsetsThatFit(end: OpenclawEnd & { at: number }): number[] {
  const hours: number[] = [];
  for (let offset = -12; offset <= 14; offset++) if (isDailyIn(end, zoneOfOffset(offset * 60))) hours.push(offset);
  return hours;
}

/** The policy day of a time: the local date of the boundary that begins it. */
export function policyDayOf(at: number, atHour: number, zone: Zone): string | null {
  return wallDate(wallTime(at, zone) - atHour * 3_600_000);
}
