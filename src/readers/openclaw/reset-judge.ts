import type { Confidence } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import { localText, spanText, utc, type Zone } from '../../model/zone.ts';
import type { CauseTried, JudgedEvent, ResetCause, ResetVerdict } from '../reset-event.ts';
import { matchZones, type ZoneMatch } from '../zone-match.ts';
import { isDailyIn, offsetsThatFit, policyDayOf, tryPolicy, type PolicyTrial } from './policy-trial.ts';
import { explainDeletion, suspects, tryFailure, tryManual } from './reset-causes.ts';
import type { JudgeContext, OpenclawEnd } from './reset-end.ts';
import { policyText } from './reset-policy.ts';

type Timed = OpenclawEnd & { at: number };

/** A daily reset of a session younger than this surprises people, ms. */
const young = 6 * 3_600_000;

/** The verdict that the stated zone gives, before other zones are tried. */
type Draft = { end: Timed; policy: PolicyTrial; tried: CauseTried[]; cause: ResetCause | null; deciding: string; sure: boolean };

/**
 * Judges the ends of a store's sessions against the policy in `zone`; those that it leaves unexplained are tried in UTC, in the
 * zones that the configuration names, and in offsets that several of them share. Order is kept.
 */
export function judgeOpenclaw(ends: readonly OpenclawEnd[], zone: Zone, named: readonly Zone[], context: JudgeContext): JudgedEvent[] {
  const drafts = ends.map((end): Draft | null => (isoTime(end.at) === null || end.at === null ? null : draft({ ...end, at: end.at }, zone)));
  const open = drafts.flatMap((found) => (found !== null && found.cause === null ? [found] : []));
  const settled = drafts.flatMap((found) => (found?.cause === 'daily' ? [{ fits: (other: Zone) => isDailyIn(found.end, other) }] : []));
  const matches = matchZones(open.map(({ end }) => ({ fits: (other) => isDailyIn(end, other) })), zone, named, settled);
  const matchOf = new Map(open.map((found, index) => [found, matches[index] ?? null]));
  return ends.map((end, index) => {
    const found = drafts[index] ?? null;
    return found === null ? untimed(end) : finish(found, found.cause === null ? (matchOf.get(found) ?? null) : null, zone, context);
  });
}

function draft(end: Timed, zone: Zone): Draft {
  const policy = tryPolicy(end, zone);
  if (end.kind === 'delete-archive') {
    const { cause, why, sure } = explainDeletion(end);
    const never = policy.tried.map((one): CauseTried => ({ cause: one.cause, holds: false, why: 'resets never write .deleted' }));
    return { end, policy, tried: [{ cause, holds: true, why }, ...never], cause, deciding: why, sure };
  }
  if (end.stillCurrent) {
    const why = 'not an end: an entry still names this session as its current one (see archive/live-archived)';
    return { end, policy, tried: [{ cause: 'other', holds: true, why }], cause: 'other', deciding: why, sure: false };
  }
  const stated = statedCause(end);
  const rule = ruleOf(end);
  const manual = rule === null ? tryManual(end) : [];
  const failure = rule === null ? tryFailure(end) : [];
  // A command or a call leaves its own trace, so it goes before a rule that would also have ended the session.
  const all = [...(stated ? [stated] : []), ...policy.tried, ...manual, ...failure];
  const ruled = rule ?? policy.cause;
  const holding = stated ?? manual.find((one) => one.holds) ?? (ruled ? policy.tried.find((one) => one.cause === ruled && one.holds) : undefined) ?? failure.find((one) => one.holds);
  const rest = all.filter((one) => one !== holding);
  return {
    end,
    policy,
    tried: [...(holding ? [holding] : []), ...rest, ...(holding ? [] : suspects(end, policy))],
    cause: holding?.cause ?? null,
    deciding: holding?.why ?? unexplainedBecause(all),
    sure: holding !== undefined && holding.cause !== 'failure',
  };
}

/** A reset row in the log says its reason; a daily or idle one is still checked against the policy. */
function statedCause(end: OpenclawEnd): CauseTried | null {
  switch (end.rowReason) {
    case 'new':
    case 'reset':
      return { cause: 'manual', holds: true, why: `its reset row says ${end.rowReason}` };
    case 'cron-stale':
      return { cause: 'other', holds: true, why: 'its reset row says cron-stale: a cron job begins each run afresh' };
    case 'compaction':
      return { cause: 'compaction', holds: true, why: 'its window was ended by a compaction' };
    case 'switch':
    case 'fork':
    case 'rewind':
      return { cause: 'switch', holds: true, why: `its window was left by a ${end.rowReason}` };
    case 'recovery':
      return { cause: 'failure', holds: true, why: 'its window was ended by a recovery' };
    case 'idle':
      return end.policy.idleMinutes ? null : { cause: 'idle', holds: true, why: 'its reset row says idle; no idle limit is configured now to check it against' };
    case 'daily':
      return null;
    default:
      if (end.kind !== 'window') return null;
      return { cause: 'other', holds: true, why: `its chat moved on to another session${end.rowReason === null ? ', and the database records no reason' : `: ${end.rowReason}`}` };
  }
}

/** A reset row that says daily or idle is explained by that rule alone. */
function ruleOf(end: OpenclawEnd): 'daily' | 'idle' | null {
  return end.kind === 'reset-row' && (end.rowReason === 'daily' || end.rowReason === 'idle') ? end.rowReason : null;
}

function unexplainedBecause(tried: readonly CauseTried[]): string {
  const daily = tried.find((one) => one.cause === 'daily')?.why;
  const idle = tried.find((one) => one.cause === 'idle')?.why;
  return [daily, idle].filter((why) => why !== undefined).join('; ');
}

function finish(found: Draft, match: ZoneMatch | null, zone: Zone, context: JudgeContext): JudgedEvent {
  const { end, policy } = found;
  const remarks: string[] = [];
  const verdict: ResetVerdict = found.cause !== null ? 'explained' : match ? 'zone-mismatch' : 'unexplained';
  const byPolicy = found.cause === 'daily' || found.cause === 'idle' || found.cause === null;
  let doubts = found.sure || found.cause === null ? 0 : 1;
  const doubt = (text: string): void => {
    doubts++;
    remarks.push(text);
  };
  if (byPolicy && !context.configRead) doubt('the configuration could not be read: the default policy is assumed');
  if (byPolicy && context.configWrittenAt !== null && context.configWrittenAt > end.at) {
    doubt(`the policy was written ${spanText(context.configWrittenAt - end.at)} after this end: another one may have been in force`);
  }
  if (byPolicy && !context.zoneGiven && end.policy.mode === 'daily') doubt(`the zone ${zone.name} is this host's: name the zone of the host that wrote the store with --zone`);
  if (end.at > context.now + 60_000) doubt('its time lies in the future: a clock was wrong');
  if (end.startedAt !== null && end.startedAt > end.at) doubt('it ends before it begins: a clock was wrong');
  if (end.kind === 'window') doubt('its end is not recorded: the beginning of the next window stands for it');
  if (end.kind === 'reset-row' && end.policy.source === 'its reset row') doubt('the configuration has no daily rule now: 04:00, the default hour, is assumed');
  if (found.cause === null && end.successor === null && end.kind === 'reset-archive') {
    doubt('no successor is left: a command or a reset call leaves its traces there and cannot be ruled out');
    if (end.sessionKey === null) doubt('nothing names its chat: the policy of a direct chat was assumed');
  }
  if (end.kind === 'orphan') doubt('its end is not recorded: the beginning of the next session stands for it');
  if (found.cause === 'daily' && end.startedAt !== null && end.at - end.startedAt < young) {
    remarks.push('Young, but stale by the rule: resets are lazy, the first message after the boundary makes them.');
    const offsets = offsetsThatFit(end);
    if (offsets.length <= 3) remarks.push(`That holds only where the host's clock stood at UTC${offsets.map((hours) => (hours === 0 ? '' : `${hours > 0 ? '+' : ''}${hours} h`)).join(' or ')}; elsewhere it is unexplained.`);
  }
  if (match) {
    doubts += match.shared > 1 ? 1 : 2;
    const shared = match.shared > 1 ? `${match.shared} ends of this store` : 'it';
    const boundary = tryPolicy(end, match.zone).boundary;
    remarks.push(`${match.zone.name} would explain ${shared}${boundary === null ? '' : `: ${String(end.policy.atHour).padStart(2, '0')}:00 there was ${localText(boundary, utc, true)} UTC`}; ${because(match)}`);
  }
  const confidence: Confidence = doubts === 0 ? 'certain' : doubts === 1 ? 'likely' : 'suspect';
  const trial = match ? tryPolicy(end, match.zone) : policy;
  return {
    ...plain(end),
    verdict,
    cause: found.cause ?? (match ? 'daily' : null),
    confidence,
    deciding: found.deciding,
    tried: found.tried,
    remarks,
    arithmetic: { ...policy.arithmetic, ...(end.row === null ? {} : { eventId: end.row.id, seq: end.row.seq, reason: end.rowReason }), ...(match ? { matchingZone: match.zone.name, matchingBoundary: trial.arithmetic.boundary ?? null } : {}) },
    matchingZone: match?.zone.name ?? null,
    policy: policyText(end.policy),
    policyDay: policyDayOf(end.at, end.policy.atHour, zone),
    unruly: found.cause === 'delete' || found.cause === null,
    statedReason: end.rowReason,
    boundary: policy.boundary,
  };
}

function because(match: ZoneMatch): string {
  switch (match.because) {
    case 'utc':
      return 'UTC is what containers run in';
    case 'named':
      return 'the configuration names that zone, though resets follow only the host';
    case 'offset':
      return 'no configuration names it';
  }
}

function untimed(end: OpenclawEnd): JudgedEvent {
  const why = 'its name holds no possible time, so no rule can be tried';
  return {
    ...plain(end),
    at: null,
    verdict: 'unexplained',
    cause: null,
    confidence: 'suspect',
    deciding: why,
    tried: [],
    remarks: [],
    arithmetic: {},
    matchingZone: null,
    policy: policyText(end.policy),
    policyDay: null,
    unruly: false,
    statedReason: end.rowReason,
    boundary: null,
  };
}

function plain(end: OpenclawEnd): Omit<JudgedEvent, 'verdict' | 'cause' | 'confidence' | 'deciding' | 'tried' | 'remarks' | 'arithmetic' | 'matchingZone' | 'policy' | 'policyDay' | 'unruly' | 'statedReason' | 'boundary'> {
  const { product, kind, sessionKey, sessionId, at, archive, path, startedAt, lastActivity, lastUser, rows, next } = end;
  return { product, kind, sessionKey, sessionId, at, archive, path, startedAt, lastActivity, lastUser, rows, next };
}
