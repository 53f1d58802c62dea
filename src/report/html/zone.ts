import { DateTime } from 'luxon';

/** The local instants of an hour of the day between two times (ms), in a zone; at most 400. */
export function localHours(from: number, to: number, hour: number, zone: string): number[] {
  const found: number[] = [];
  let day = DateTime.fromMillis(from, { zone }).startOf('day').minus({ days: 1 });
  for (let i = 0; i < 402 && found.length < 400; i++) {
    const instant = day.set({ hour }).toMillis();
    if (instant > to) break;
    if (instant >= from) found.push(instant);
    day = day.plus({ days: 1 });
  }
  return found;
}

/** `3 Jul 04:23` in a zone. */
export function shortTime(ms: number, zone: string): string {
  return DateTime.fromMillis(ms, { zone, locale: 'en-GB' }).toFormat('d LLL HH:mm');
}

/** `3 Jul 2026` in a zone. */
export function shortDay(ms: number, zone: string): string {
  return DateTime.fromMillis(ms, { zone, locale: 'en-GB' }).toFormat('d LLL yyyy');
}

/** `2026-11-30 03:00 Europe/Berlin`. */
export function longTime(ms: number, zone: string): string {
  return `${DateTime.fromMillis(ms, { zone }).toFormat('yyyy-LL-dd HH:mm')} ${zone}`;
}

/** `26 min`, `22 h 29 min`, `3 days`. */
export function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return minutes % 60 === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.round(minutes / 1440)} days`;
}
