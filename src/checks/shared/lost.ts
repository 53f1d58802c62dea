import { compareByTime, formatOfId, readId, timeNear } from '../../ids/index.ts';
import type { LostMessage, OpencodeSnapshot, RevertEvent } from '../../stores/opencode/types.ts';

/** What is left of one message outside the tables. Times in ms. */
export type LostOne = { messageId: string; firstTime: number; lastTime: number; sources: LostMessage[] };

/** The messages of one session that have no row and that nobody meant to remove. */
export type LostSession = { sessionId: string; messages: LostOne[] };

const v1Tail = 14;
const v2Tail = 9;

/** The random tails of ids: re-keyed rows keep theirs, 14 characters of it, or 9 in a v2 id. */
function tailsOf(ids: readonly string[]): (id: string) => boolean {
  const long = new Set<string>();
  const short = new Set<string>();
  for (const id of ids) {
    if (formatOfId(id) === 'v2') short.add(id.slice(-v2Tail));
    else if (id.length > v1Tail) long.add(id.slice(-v1Tail));
  }
  return (id) => formatOfId(id) !== 'opaque' && (long.has(id.slice(-v1Tail)) || short.has(id.slice(-v2Tail)));
}

/** The answers about the event log that many messages of one session ask for, each asked once. */
function remembered(snapshot: OpencodeSnapshot): Pick<OpencodeSnapshot, 'revertEvents' | 'loggedTime'> {
  const events = new Map<string, RevertEvent[]>();
  const times = new Map<string, number | null>();
  return {
    revertEvents(sessionId) {
      const known = events.get(sessionId) ?? snapshot.revertEvents(sessionId);
      events.set(sessionId, known);
      return known;
    },
    loggedTime(sessionId, messageId) {
      const key = `${sessionId} ${messageId}`;
      const known = times.get(key);
      if (known !== undefined) return known;
      const time = snapshot.loggedTime(sessionId, messageId);
      times.set(key, time);
      return time;
    },
  };
}

/**
 * True when the user took the message away: it was removed while no undo was pending, or by an undo whose point does not lie
 * behind it. A cleanup that goes by id also removes rows that lie before the point by time: those are losses.
 */
function removedOnPurpose(log: ReturnType<typeof remembered>, record: LostMessage): boolean {
  if (record.removedAt === null) return false;
  const { removedAt } = record;
  const point = log.revertEvents(record.sessionId).findLast((move) => move.seq < removedAt)?.messageId ?? null;
  if (point === null) return true;
  const pointTime = log.loggedTime(record.sessionId, point);
  if (pointTime === null || record.records === 0) return true;
  return compareByTime({ time: record.firstTime, id: record.messageId }, { time: pointTime, id: point }) >= 0;
}

/** Rows of one process get id and time within moments; an import mints the ids anew and copies the times. */
const sameMomentMs = 60_000;

/** True for a row of an earlier import of an imported session: each later one deletes those rows and writes them again under new ids. */
function wasImported(snapshot: OpencodeSnapshot, { sessionId, messageId, firstTime }: LostMessage): boolean {
  if (!snapshot.importedSessions().has(sessionId) || !snapshot.sessions().has(sessionId)) return false;
  const reading = readId(messageId, firstTime);
  return reading !== null && Math.abs(timeNear(reading, firstTime) - firstTime) > sameMomentMs;
}

/** Messages without a row that the search index, the event log or the JSON files still have, by session; user's own removals and re-keyed rows left out. */
export function lostBySession(snapshot: OpencodeSnapshot): LostSession[] {
  const sessions = new Map<string, Map<string, LostOne>>();
  const onPurpose = new Set<string>();
  const log = remembered(snapshot);
  for (const record of snapshot.lostMessages()) {
    const { sessionId, messageId } = record;
    if (removedOnPurpose(log, record)) onPurpose.add(`${sessionId} ${messageId}`);
    if (record.records === 0 || wasImported(snapshot, record)) continue;
    const messages = sessions.get(sessionId) ?? new Map<string, LostOne>();
    sessions.set(sessionId, messages);
    const known = messages.get(messageId);
    if (known === undefined) messages.set(messageId, { messageId, firstTime: record.firstTime, lastTime: record.lastTime, sources: [record] });
    else known.sources.push(record);
  }
  const lost: LostSession[] = [];
  for (const [sessionId, messages] of sessions) {
    const present = tailsOf(snapshot.messageIds(sessionId));
    const left = [...messages.values()].filter(({ messageId }) => !onPurpose.has(`${sessionId} ${messageId}`) && !present(messageId));
    if (left.length > 0) lost.push({ sessionId, messages: left });
  }
  return lost;
}
