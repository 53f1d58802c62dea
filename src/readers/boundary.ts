import { day, instantOf, wallTime, type Zone } from '../model/zone.ts';

const hour = 3_600_000;

/**
 * How a reader finds yesterday's boundary while today's is still to come. `carried`: it moves today's boundary one calendar day
 * back, so a wall time that the clock skipped today is carried over to yesterday (OpenClaw before PR #142482 of 2026-09-08).
 * `wall`: it reads yesterday's wall time afresh.
 */
export type BoundaryArithmetic = 'carried' | 'wall';

/** The last local `atHour:00` at or before `now`, in ms since the epoch (OpenClaw format notes §3.2). */
export function boundaryBefore(now: number, atHour: number, zone: Zone, arithmetic: BoundaryArithmetic): number {
  const local = wallTime(now, zone);
  const midnight = Math.floor(local / day) * day;
  const today = instantOf(midnight + atHour * hour, zone);
  if (now >= today) return today;
  const yesterday = arithmetic === 'carried' ? wallTime(today, zone) - day : midnight - day + atHour * hour;
  return instantOf(yesterday, zone);
}

/** The first local `atHour:00` after `since`, in ms since the epoch. */
export function boundaryAfter(since: number, atHour: number, zone: Zone): number {
  const midnight = Math.floor(wallTime(since, zone) / day) * day;
  for (let ahead = 0; ahead < 3; ahead++) {
    const boundary = instantOf(midnight + ahead * day + atHour * hour, zone);
    if (boundary > since) return boundary;
  }
  return since + day;
}
