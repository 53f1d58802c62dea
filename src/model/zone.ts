import { FixedOffsetZone, IANAZone, type Zone as LuxonZone } from 'luxon';

/** A time zone by which wall times of a host are read. */
export type Zone = {
  /** IANA name, or `UTC+05:30` for a fixed offset. */
  name: string;
  /** ms that local wall time is ahead of UTC at an instant (ms since the epoch). */
  offsetAt(utc: number): number;
};

/** A wall time without a zone, as ms since 1970-01-01T00:00 of that wall clock. */
export type WallTime = number;

const minute = 60_000;
const hour = 60 * minute;
export const day = 24 * hour;
/** Days whose offsets are remembered for each zone; a decade fits. */
const rememberedDays = 5000;

function cached(name: string, zone: LuxonZone): Zone {
  const exact = (utc: number): number => Math.round(zone.offset(utc) * minute);
  if (zone.isUniversal) {
    const fixed = exact(0);
    return { name, offsetAt: () => fixed };
  }
  const edges = new Map<number, number>();
  const edge = (index: number): number => {
    let offset = edges.get(index);
    if (offset === undefined) {
      if (edges.size >= rememberedDays) edges.clear();
      offset = exact(index * day);
      edges.set(index, offset);
    }
    return offset;
  };
  return {
    name,
    offsetAt(utc) {
      const index = Math.floor(utc / day);
      const before = edge(index);
      // No zone changes its offset twice within one UTC day, so equal edges mean an equal day.
      return before === edge(index + 1) ? before : exact(utc);
    },
  };
}

const known = new Map<string, Zone | null>();

/** The zone of an IANA name, or null when there is none of that name. */
export function zoneNamed(name: string): Zone | null {
  let zone = known.get(name);
  if (zone === undefined) {
    if (/^(utc|gmt|etc\/utc|etc\/gmt|zulu|z)$/i.test(name)) zone = { name: 'UTC', offsetAt: () => 0 };
    else zone = IANAZone.isValidZone(name) ? cached(name, IANAZone.create(name)) : null;
    known.set(name, zone);
  }
  return zone;
}

export const utc: Zone = { name: 'UTC', offsetAt: () => 0 };

/** A zone that is always this many minutes ahead of UTC. */
export function zoneOfOffset(minutes: number): Zone {
  const zone = FixedOffsetZone.instance(minutes);
  return { name: minutes === 0 ? 'UTC' : `UTC${zone.formatOffset(0, 'short')}`, offsetAt: () => minutes * minute };
}

/** The wall time that a host in this zone shows at an instant. */
export function wallTime(ms: number, zone: Zone): WallTime {
  return ms + zone.offsetAt(ms);
}

/**
 * The instant at which a host in this zone shows a wall time, as ECMAScript's local Date decides it: the earlier one when the
 * clock shows it twice, and read with the offset before the change when the clock skips it.
 */
export function instantOf(wall: WallTime, zone: Zone): number {
  const before = zone.offsetAt(wall - day);
  const after = zone.offsetAt(wall + day);
  const first = wall - before;
  if (before === after || zone.offsetAt(first) === before) return first;
  const second = wall - after;
  return zone.offsetAt(second) === after ? second : first;
}

/** `2026-07-03` of a wall time, or null when no calendar holds it. */
export function wallDate(wall: WallTime): string | null {
  const date = new Date(wall);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, -14);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `03 Jul 04:23`, or with seconds `03 Jul 04:23:04`, of an instant as the host's clock showed it. */
export function localText(ms: number, zone: Zone, seconds = false): string {
  const date = new Date(wallTime(ms, zone));
  if (Number.isNaN(date.getTime())) return 'no such time';
  return `${String(date.getUTCDate()).padStart(2, '0')} ${months[date.getUTCMonth()]} ${date.toISOString().slice(11, seconds ? 19 : 16)}`;
}

/** `04:00:00` of an instant as the host's clock showed it. */
export function localClock(ms: number, zone: Zone): string {
  const date = new Date(wallTime(ms, zone));
  return Number.isNaN(date.getTime()) ? '--:--:--' : date.toISOString().slice(11, 19);
}

/** `2026-07-03T04:00:00.000+02:00`: local wall time with its offset. */
export function localIso(ms: number, zone: Zone): string | null {
  const date = new Date(wallTime(ms, zone));
  if (Number.isNaN(date.getTime())) return null;
  const offset = Math.round(zone.offsetAt(ms) / minute);
  const sign = offset < 0 ? '-' : '+';
  const size = Math.abs(offset);
  return `${date.toISOString().slice(0, -1)}${sign}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`;
}

/** `37 min`, `22 h 29 min`, `3 d 4 h`, `12 s`: a span in words, rounded to its last unit. */
export function spanText(ms: number): string {
  const size = Math.abs(ms);
  if (size < 1000) return `${Math.round(size)} ms`;
  const seconds = Math.round(size / 1000);
  if (seconds < 120) return `${seconds} s`;
  const total = Math.round(size / minute);
  if (total < 60) return `${total} min`;
  if (total < 48 * 60) {
    const rest = total % 60;
    return `${Math.floor(total / 60)} h${rest > 0 ? ` ${rest} min` : ''}`;
  }
  const hours = Math.round(size / hour);
  return `${Math.floor(hours / 24)} d${hours % 24 > 0 ? ` ${hours % 24} h` : ''}`;
}

/** A span compared with a limit in minutes: with a decimal, so that no rounding hides on which side it lies. */
export function minutesText(ms: number): string {
  const minutes = ms / minute;
  return minutes < 600 ? `${minutes.toFixed(1)} min` : `${spanText(ms)} (${Math.floor(minutes)} min)`;
}
