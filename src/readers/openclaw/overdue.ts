import type { Zone } from '../../model/zone.ts';
import { boundaryAfter } from '../boundary.ts';
import type { ResetPolicy, ResetRules } from './reset-policy.ts';

/** A session that took a message after it should have ended. Times are ms. */
export type Overdue = { by: 'daily' | 'idle'; deadline: number; message: number };

/** A run that is still active at the boundary defers the reset; messages that close behind it prove nothing, ms. */
const deferral = 5 * 60_000;

const notChats = /:(cron|subagent|acp|heartbeat|hook|explicit|run):|^(cron|hook):|:heartbeat$/;

/**
 * Whether the reader should have ended this session at a message that it took: the first boundary after its start, or a silence
 * over the limit, followed by a person's message. Null for keys that no message of a person arrives at, for ends that older
 * builds judged by their last write, and where a CLI provider owns the session and no policy is configured.
 */
export function overdueOf(
  session: { sessionKey: string | null; startedAt: number | null; lastUser: number | null; longestSilence: { from: number; to: number } | null; cliBound: boolean },
  policy: ResetPolicy,
  rules: ResetRules,
  zone: Zone,
): Overdue | null {
  const { sessionKey, startedAt, lastUser, longestSilence } = session;
  if (sessionKey === null || notChats.test(sessionKey) || startedAt === null || lastUser === null) return null;
  if (rules.compares === 'updatedAt' || (session.cliBound && !policy.configured)) return null;
  if (policy.mode === 'none') return null;
  const found: Overdue[] = [];
  if (policy.mode === 'daily') {
    const deadline = boundaryAfter(startedAt, policy.atHour, zone);
    if (lastUser > deadline + deferral) found.push({ by: 'daily', deadline, message: lastUser });
  }
  if (policy.idleMinutes !== null && policy.idleMinutes > 0 && longestSilence !== null) {
    const deadline = longestSilence.from + policy.idleMinutes * 60_000;
    if (longestSilence.to > deadline + deferral) found.push({ by: 'idle', deadline, message: longestSilence.to });
  }
  return found.sort((a, b) => a.deadline - b.deadline)[0] ?? null;
}
