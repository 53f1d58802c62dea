import type { Zone } from '../../model/zone.ts';
import type { SessionActivity, SessionRow } from '../../stores/hermes/types.ts';
import { provenPolicy, staleAt, type HermesPolicy } from './reset-policy.ts';

/** An agent may still flush what it holds when its session is closed, ms. */
const flush = 120_000;

/** A session whose expiry was processed and that went on; times are ms. */
export type Resurrection = { expiredAt: number; by: 'end' | 'boundary'; message: number };

/**
 * Whether a session with `expiry_finalized` took a person's message after its expiry: after its end, or across a boundary that
 * its policy ends sessions at (upstream #61220, #67781). Null when it did not, or nothing tells.
 */
export function resurrectionOf(row: SessionRow, activity: SessionActivity, policy: HermesPolicy, zone: Zone): Resurrection | null {
  const { lastUserAt, firstMessageAt } = activity;
  if (!row.expiryFinalized || lastUserAt === null) return null;
  if (row.endedAt !== null) return lastUserAt > row.endedAt + flush ? { expiredAt: row.endedAt, by: 'end', message: lastUserAt } : null;
  const first = firstMessageAt ?? row.startedAt;
  if (first === null) return null;
  const { daily, boundary } = staleAt(lastUserAt, first, provenPolicy(policy, 'daily'), zone);
  return daily && boundary !== null ? { expiredAt: boundary, by: 'boundary', message: lastUserAt } : null;
}

/** The boundary that a session without an end was used across, under a policy that should have ended it there, or null. */
export function boundaryIgnored(row: SessionRow, activity: SessionActivity, policy: HermesPolicy, zone: Zone): number | null {
  const first = activity.firstMessageAt ?? row.startedAt;
  if (first === null || activity.lastUserAt === null) return null;
  const { daily, boundary } = staleAt(activity.lastUserAt, first, policy, zone);
  return daily && boundary !== null && activity.lastUserAt > boundary + flush ? boundary : null;
}
