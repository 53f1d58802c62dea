import { utc, zoneOfOffset, type Zone } from '../model/zone.ts';

/** An end that the stated zone leaves unexplained; `fits` says whether the policy would explain it in another zone. */
export type Unmatched = { fits(zone: Zone): boolean };

export type ZoneMatch = {
  zone: Zone;
  /** Why this zone may be tried at all. */
  because: 'utc' | 'named' | 'offset';
  /** How many of the unexplained ends it explains. */
  shared: number;
};

/** Offsets that hosts have, in minutes: whole hours first, then the half and quarter hours in use. */
const offsets: readonly number[] = [
  ...Array.from({ length: 27 }, (_, index) => (index - 12) * 60),
  -570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825,
];
const leastByOffset = 3;
/** So many ends that the stated zone explains as well must fit an offset for their agreement to count. */
const leastSettled = 3;

/**
 * For each unexplained end the plausible zone that explains it, or null: UTC, a zone that the configuration names, or an offset
 * that explains three or more ends which nothing else explains and that stands out: it explains clearly more of them than an
 * average offset does, or also every end (`settled`, three or more) that the stated zone explains. Any session that spans a whole
 * hour fits some zone, so an offset that fits once or twice proves nothing. Zones that explain more ends go first; of offsets
 * that explain the same ends the middle one is named.
 */
export function matchZones(ends: readonly Unmatched[], stated: Zone, named: readonly Zone[], settled: readonly Unmatched[] = []): (ZoneMatch | null)[] {
  const matches: (ZoneMatch | null)[] = ends.map(() => null);
  const candidates: { zone: Zone; because: ZoneMatch['because'] }[] = [];
  const add = (zone: Zone, because: ZoneMatch['because']): void => {
    if (zone.name !== stated.name && !candidates.some((candidate) => candidate.zone.name === zone.name)) candidates.push({ zone, because });
  };
  add(utc, 'utc');
  for (const zone of named) add(zone, 'named');
  const fitting = candidates.map((candidate) => ({ ...candidate, fits: ends.map((end) => end.fits(candidate.zone)) }));
  const ranked = fitting.map((candidate) => ({ ...candidate, shared: candidate.fits.filter(Boolean).length })).sort((a, b) => b.shared - a.shared);
  for (const index of ends.keys()) {
    const best = ranked.find((candidate) => candidate.fits[index]);
    if (best) matches[index] = { zone: best.zone, because: best.because, shared: best.shared };
  }
  for (;;) {
    const left = [...ends.keys()].filter((index) => matches[index] === null);
    if (left.length < leastByOffset) return matches;
    const counts = offsets.map((minutes) => {
      const zone = zoneOfOffset(minutes);
      return { zone, minutes, fits: left.filter((index) => ends[index]!.fits(zone)), agrees: settled.length >= leastSettled && settled.every((end) => end.fits(zone)) };
    });
    const average = counts.reduce((sum, count) => sum + count.fits.length, 0) / counts.length;
    const standing = counts.filter((count) => count.fits.length >= leastByOffset && (count.agrees || count.fits.length >= 2 * average));
    const most = Math.max(0, ...standing.map((count) => count.fits.length));
    const tied = standing.filter((count) => count.fits.length === most).sort((a, b) => Number(b.agrees) - Number(a.agrees) || a.minutes - b.minutes);
    const alike = tied.filter((count) => count.agrees === tied[0]?.agrees && count.minutes % 60 === 0);
    const best = alike[Math.floor(alike.length / 2)] ?? tied[0];
    if (!best) return matches;
    for (const index of best.fits) matches[index] = { zone: best.zone, because: 'offset', shared: best.fits.length };
  }
}

/** The zones that a configuration names anywhere: texts that are IANA names with a slash, or that stand under a key of a zone. */
export function zonesNamedIn(value: unknown, isZone: (name: string) => Zone | null): Zone[] {
  const found = new Map<string, Zone>();
  const visit = (part: unknown, key: string, depth: number): void => {
    if (depth > 12) return;
    if (typeof part === 'string') {
      const likely = /^[A-Z][A-Za-z_]+(\/[A-Za-z0-9_+-]+){1,2}$/.test(part) || (/^(tz|.*_tz|.*time_?zone)$/i.test(key) && part.length < 64);
      const zone = likely ? isZone(part) : null;
      if (zone) found.set(zone.name, zone);
    } else if (Array.isArray(part)) {
      for (const item of part.slice(0, 1000)) visit(item, key, depth + 1);
    } else if (typeof part === 'object' && part !== null) {
      for (const [name, item] of Object.entries(part)) visit(item, name, depth + 1);
    }
  };
  visit(value, '', 0);
  return [...found.values()];
}
