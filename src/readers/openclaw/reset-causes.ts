import { isoTime } from '../../model/time.ts';
import { localClock, localIso, localText, minutesText, spanText, utc, wallDate, wallTime, zoneOfOffset, type Zone } from '../../model/zone.ts';
import type { Arithmetic, CauseTried } from '../reset-event.ts';
import type { OpenclawEnd } from './reset-end.ts';
import { freshnessAt } from './reset-policy.ts';

/** A command's row and the reset that it made lie within this, ms. */
const commandWithin = 120_000;
/** A reset call writes the successor's header about 1 ms before it names the archive; ms. */
const callWithin = 500;
/** A policy reset is followed by the first row of the message that made it; ms. */
const runFailedWithin = 60_000;

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

/** Commands and reset calls: what their traces are, and whether they are there. */
export function tryManual(end: OpenclawEnd & { at: number }): CauseTried[] {
  const { at, successor } = end;
  const first = successor?.firstUser ?? null;
  if (end.note !== null) return [{ cause: 'manual', holds: true, why: `a command: the product wrote the session note ${end.note} for it` }];
  if (first?.command && first.saidAt !== null && Math.abs(first.saidAt - at) <= commandWithin) {
    return [{ cause: 'manual', holds: true, why: `a command: the successor's first message is a reset command, ${spanText(first.saidAt - at)} ${first.saidAt <= at ? 'before' : 'after'} the end` }];
  }
  if (end.lastCommandAt !== null && at >= end.lastCommandAt && at - end.lastCommandAt <= commandWithin) {
    return [{ cause: 'manual', holds: true, why: `a command: the session's last message is a reset command, ${spanText(at - end.lastCommandAt)} before the end` }];
  }
  const command: CauseTried = { cause: 'manual', holds: false, why: successor === null ? 'no successor is left whose first message could be a reset command' : 'no command: neither the last message nor the first of the successor is one' };
  const headerAt = successor?.startedAt ?? null;
  if (successor !== null && headerAt !== null && end.kind === 'reset-archive') {
    const lead = at - headerAt;
    const later = first === null || first.saidAt === null || first.saidAt > at;
    if (lead >= 0 && lead <= callWithin && later && successor.familyNamesPredecessor !== true) {
      return [{ cause: 'manual', holds: true, why: `a reset call: the successor's header lies ${Math.round(lead)} ms before the archive's time, its first message comes later, and no family field names the old session` }];
    }
    const reason = lead < 0 ? `the successor's header lies ${spanText(lead)} after the archive's time, not before it` : lead > callWithin ? `the successor's header lies ${spanText(lead)} before the archive's time` : !later ? 'its first message was said before the end' : 'the family fields name the old session';
    return [command, { cause: 'manual', holds: false, why: `no reset call: ${reason}` }];
  }
  return [command];
}

/** A restart after a failed run, and an end in the middle of one. */
export function tryFailure(end: OpenclawEnd & { at: number }): CauseTried[] {
  const { at, run, successor } = end;
  if (successor !== null && successor.copied >= 2) {
    return [{ cause: 'failure', holds: true, why: `a restart by the runner: the successor begins with ${successor.copied} messages copied from the end of this session` }];
  }
  if (run?.status != null && /error|fail|overflow|corrupt/i.test(run.status) && run.lastAt !== null && Math.abs(at - run.lastAt) <= runFailedWithin) {
    return [{ cause: 'failure', holds: true, why: `a failed run: its trace ends as ${run.status.slice(0, 40)} ${spanText(at - run.lastAt)} before the end` }];
  }
  if (end.kind === 'orphan') {
    return [{ cause: 'failure', holds: true, why: 'left without an archive name: that is what a restart of the runner leaves, and any rollover before March 2026 (upstream #35481)' }];
  }
  return [{ cause: 'failure', holds: false, why: run === null ? 'no trace of a run is left' : 'no failed run and no copied messages' }];
}

/** Whole-hour offsets from UTC at which the host's clock would have crossed the boundary between the last message and the end. */
export function offsetsThatFit(end: OpenclawEnd & { at: number }): number[] {
  const hours: number[] = [];
  for (let offset = -12; offset <= 14; offset++) if (isDailyIn(end, zoneOfOffset(offset * 60))) hours.push(offset);
  return hours;
}

/** Known faults of the product that leave this shape; named, never taken for a cause. */
export function suspects(end: OpenclawEnd & { at: number }, policy: PolicyTrial): CauseTried[] {
  const { at, run } = end;
  const list: CauseTried[] = [];
  const suspect = (why: string): number => list.push({ cause: 'other', holds: false, suspect: true, why });
  if (policy.boundary !== null && end.startedAt !== null && end.startedAt < policy.boundary && end.lastUser !== null && end.lastUser >= policy.boundary) {
    suspect('a boundary was crossed some messages earlier: resets that come late are upstream #140053, or a run was still active at the boundary');
  }
  if (run !== null && !run.ended && run.lastAt !== null && at - run.lastAt < 600_000 && at >= run.lastAt) {
    suspect(`its run had not ended ${spanText(at - run.lastAt)} before: another writer may have taken over (upstream #95123, #98156, #119355)`);
  }
  if (end.sessionKey !== null && end.sessionKey.endsWith(':main') && end.kind === 'reset-archive') suspect('the main session rolls over after successful runs in 2026.6.11 (upstream #99964)');
  return list;
}

/** Why a `.deleted.` archive exists. A deletion is never the reset policy's work. */
export function explainDeletion(end: OpenclawEnd & { at: number }): { cause: 'cron-prune' | 'prune' | 'cap' | 'doctor' | 'delete'; why: string; sure: boolean } {
  const { at, burst } = end;
  const idleFor = end.lastRow === null ? null : at - end.lastRow;
  const others = burst > 1 ? `; ${burst} sessions went within a second` : '';
  if (end.stillCurrent) return { cause: 'doctor', why: 'an entry still names it as its current session: orphan handling took it for one that nobody owns (upstream #45255)', sure: false };
  if (end.cronRun && end.cronRetention !== null && idleFor !== null && idleFor >= end.cronRetention) {
    return { cause: 'cron-prune', why: `a cron run, last written ${spanText(idleFor)} before: over the retention of ${spanText(end.cronRetention)}${others}`, sure: true };
  }
  if (end.keyGone && idleFor !== null && idleFor >= end.pruneAfter) return { cause: 'prune', why: `unused for ${spanText(idleFor)}, over pruneAfter of ${spanText(end.pruneAfter)}, and its chat is gone${others}`, sure: false };
  if (end.historic && end.burstHistoric >= 3) return { cause: 'doctor', why: `one of ${end.burstHistoric} sessions that entries remember as history, all within a second: orphan handling (upstream #73471)`, sure: false };
  if (end.keyGone && burst >= 2 && end.entries >= end.maxEntries) return { cause: 'cap', why: `its chat is gone and ${end.entries} are left, the cap being ${end.maxEntries}${others}`, sure: false };
  return { cause: 'delete', why: `not the policy: resets never write .deleted. Somebody or some job deleted the session; who is not recorded${others}`, sure: true };
}

/** The policy day of a time: the local date of the boundary that begins it. */
export function policyDayOf(at: number, atHour: number, zone: Zone): string | null {
  return wallDate(wallTime(at, zone) - atHour * 3_600_000);
}
