import { describe, expect, it } from 'vitest';
import { utc, zoneOfOffset, type Zone } from '../../src/model/zone.ts';
import { matchZones, type Unmatched } from '../../src/readers/zone-match.ts';
import { boundaryBefore } from '../../src/readers/boundary.ts';

/** An end at `at` of a session last used at `used` (hours from an arbitrary midnight UTC), under daily at 04:00. */
const midnight = Date.UTC(2026, 2, 10);
const end = (used: number, at: number): Unmatched => ({ fits: (zone: Zone) => midnight + used * 3_600_000 < boundaryBefore(midnight + at * 3_600_000, 4, zone, 'wall') });

const names = (matches: ReturnType<typeof matchZones>): (string | null)[] => matches.map((match) => match?.zone.name ?? null);

// A host at UTC+8: its boundary is 20:00 UTC. Evenings and nights of quiet around it.
const wide = [end(10.2, 20.9), end(34.9, 50.1), end(63.8, 72.6)];
const settled = [end(19.9, 28.5), end(43.6, 52.4), end(67.8, 76.2)];

describe('zones that other ends speak for', () => {
  it('an offset that explains three ends and all that the stated zone explains is named', () => {
    const [zone, ...rest] = names(matchZones(wide, utc, [], settled));
    expect(rest).toEqual([zone, zone]);
    expect(zone).toBe(zoneOfOffset(8 * 60).name);
  });

  it.each([
    ['the same three ends alone: several offsets in a row would do', wide, []],
    ['two settled ends are too few to speak', wide, settled.slice(0, 2)],
    ['two ends prove nothing', wide.slice(0, 2), settled],
    ['a settled end that the offset does not explain', wide, [...settled, end(3.5, 4.2)]],
  ])('none: %s', (_name, ends, agreed) => {
    expect(names(matchZones(ends, utc, [], agreed))).toEqual(ends.map(() => null));
  });

  it('UTC and named zones need no company', () => {
    expect(names(matchZones([end(3.5, 4.2)], zoneOfOffset(120), []))).toEqual(['UTC']);
    expect(names(matchZones([end(19.5, 20.5)], utc, [zoneOfOffset(480)]))).toEqual([zoneOfOffset(480).name]);
  });
});
