import type { Json, ReadError } from '../model/finding.ts';
import { isoTime } from '../model/time.ts';
import type { Repeat } from '../readers/repeats.ts';
import type { JudgedEvent } from '../readers/reset-event.ts';
import { safeJson } from './printable.ts';
import type { StoreResets } from './resets.ts';

function eventJson(store: string, event: JudgedEvent): { [key: string]: Json } {
  return {
    store,
    sessionKey: event.sessionKey,
    sessionId: event.sessionId,
    at: isoTime(event.at),
    kind: event.kind,
    archive: event.archive,
    verdict: event.verdict,
    cause: event.cause,
    confidence: event.confidence,
    boundary: isoTime(event.boundary),
    policy: event.policy,
    policyDay: event.policyDay,
    sessionStartedAt: isoTime(event.startedAt),
    lastActivity: isoTime(event.lastActivity),
    rows: event.rows,
    next: event.next === null ? null : { sessionId: event.next.sessionId, startedAt: isoTime(event.next.startedAt) },
    statedReason: event.statedReason,
    matchingZone: event.matchingZone,
    reasons: [event.deciding, ...event.tried.filter((one) => one.why !== event.deciding).map((one) => `${one.suspect ? 'perhaps' : one.holds ? one.cause : `not ${one.cause}`}: ${one.why}`), ...event.remarks],
    tried: event.tried.map((one) => ({ cause: one.cause, holds: one.holds, suspect: one.suspect ?? false, why: one.why })),
    arithmetic: event.arithmetic,
  };
}

function repeatJson(store: string, repeat: Repeat): { [key: string]: Json } {
  return { store, sessionKey: repeat.sessionKey, policyDay: repeat.policyDay, changes: repeat.events.length, ends: repeat.events.map((event) => isoTime(event.at)) };
}

/** `resets --json`: one object with a list of ends and a list of repeats. */
export function renderResetsJson(stores: readonly StoreResets[], errors: readonly ReadError[]): string {
  return `${safeJson(
    {
      schemaVersion: 1,
      events: stores.flatMap((store) => store.events.map((event) => eventJson(store.id, event))),
      repeats: stores.flatMap((store) => store.repeats.map((repeat) => repeatJson(store.id, repeat))),
      errors: [...errors],
    },
    2,
  )}\n`;
}
