/** ISO 8601 in UTC with milliseconds, or null when the time is not one that a calendar holds. */
export function isoTime(ms: number | null | undefined): string | null {
  if (ms === null || ms === undefined || !Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return null;
  return new Date(ms).toISOString();
}

/** ms since the epoch of an ISO text, or null. */
export function parseTime(text: unknown): number | null {
  if (typeof text !== 'string') return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
