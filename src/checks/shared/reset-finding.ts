import type { FindingDraft } from '../../model/check.ts';
import type { Evidence } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import { localText, spanText, type Zone } from '../../model/zone.ts';
import type { JudgedEvent } from '../../readers/reset-event.ts';

/** `after 37 min, last row 03 Jul 05:58`: how old what ended was. */
export function ageText(event: JudgedEvent, zone: Zone): string {
  const age = event.at !== null && event.startedAt !== null && event.at >= event.startedAt ? ` after ${spanText(event.at - event.startedAt)}` : '';
  return event.lastActivity === null ? age : `${age}, last message ${localText(event.lastActivity, zone)}`;
}

/** The finding of one end that the policy of the stated zone does not explain. */
export function endFinding(event: JudgedEvent, zone: Zone, message: string): FindingDraft {
  const evidence: Evidence = {
    at: isoTime(event.at),
    sessionStartedAt: isoTime(event.startedAt),
    lastActivity: isoTime(event.lastActivity),
    policy: event.policy,
    boundary: isoTime(event.boundary),
    zone: zone.name,
    nextSession: event.next?.sessionId ?? null,
    nextStart: isoTime(event.next?.startedAt),
    tried: event.tried.map((one) => ({ cause: one.cause, holds: one.holds, suspect: one.suspect ?? false, why: one.why })),
  };
  if (event.product === 'openclaw') evidence.archive = event.archive;
  else evidence.endReason = event.statedReason;
  if (event.matchingZone !== null) evidence.matchingZone = event.matchingZone;
  return {
    session: event.sessionId,
    sessionKey: event.sessionKey,
    confidence: event.confidence,
    message,
    details: [...event.tried.map((one) => `${one.suspect ? 'perhaps' : `not ${one.cause}`}: ${one.why}`), ...event.remarks],
    location: event.product === 'hermes' ? { path: event.path, table: 'sessions', row: event.sessionId } : { path: event.path },
    evidence,
    record: event.archive ?? `${event.sessionId} ${event.at}`,
  };
}
