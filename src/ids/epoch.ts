/**
 * The clock field of a v1 id holds the lowest 36 bits of ms, so it starts again every 2^36 ms (795 days). One such period is
 * an epoch, counted from 1970 (opencode format notes §1.4).
 */
export const epochMs = 2 ** 36;

/** The epoch that a time (ms) lies in. */
export function epochOf(ms: number): number {
  return Math.floor(ms / epochMs);
}

/** The first ms of an epoch: `epochStart(26)` is 2026-08-14T11:19:55.136Z. */
export function epochStart(epoch: number): number {
  return epoch * epochMs;
}

/** The last wrap at or before a time (ms). */
export function wrapBefore(ms: number): number {
  return epochStart(epochOf(ms));
}

/** The first wrap after a time (ms). */
export function wrapAfter(ms: number): number {
  return epochStart(epochOf(ms) + 1);
}
