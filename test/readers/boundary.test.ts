import { afterAll, describe, expect, it } from 'vitest';
import { instantOf, localIso, spanText, wallTime, zoneNamed, zoneOfOffset, type Zone } from '../../src/model/zone.ts';
import { boundaryAfter, boundaryBefore } from '../../src/readers/boundary.ts';

const hour = 3_600_000;
const names = [
  'UTC', 'Europe/Berlin', 'Europe/London', 'Europe/Lisbon', 'America/New_York', 'America/Chicago', 'America/St_Johns', 'America/Sao_Paulo', 'America/Santiago', 'Africa/Cairo',
  'Africa/Casablanca', 'Asia/Tokyo', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Beirut', 'Australia/Lord_Howe', 'Australia/Sydney', 'Pacific/Apia', 'Pacific/Chatham', 'Pacific/Auckland',
];
const zone = (name: string): Zone => {
  const found = zoneNamed(name);
  if (!found) throw new Error(`no zone ${name}`);
  return found;
};

/** The two arithmetics written with the language's own local Date, which is what the products use; TZ decides its zone. */
function withLocalDate(now: number, atHour: number): { carried: number; wall: number } {
  const carried = new Date(now);
  carried.setHours(atHour, 0, 0, 0);
  if (now < carried.getTime()) carried.setDate(carried.getDate() - 1);
  const today = new Date(now).setHours(atHour, 0, 0, 0);
  return { carried: carried.getTime(), wall: now < today ? new Date(now).setHours(atHour - 24, 0, 0, 0) : today };
}

const before = process.env.TZ;
afterAll(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

describe('boundaries of ten years of hours', () => {
  const start = Date.UTC(2019, 0, 1);
  it.each(names)('%s: as the local Date of the language decides', (name) => {
    const here = zone(name);
    process.env.TZ = name;
    new Date().getTimezoneOffset();
    const differing: string[] = [];
    for (let step = 0; step < 10 * 365.25 * 24; step++) {
      const now = start + step * hour + (step % 7) * 61_000;
      const atHour = step % 24 === 0 ? (step / 24) % 24 : [0, 1, 2, 3, 4][step % 5]!;
      const expected = withLocalDate(now, atHour);
      if (boundaryBefore(now, atHour, here, 'carried') !== expected.carried) differing.push(`carried ${new Date(now).toISOString()} ${atHour}`);
      if (boundaryBefore(now, atHour, here, 'wall') !== expected.wall) differing.push(`wall ${new Date(now).toISOString()} ${atHour}`);
      if (differing.length > 5) break;
    }
    expect(differing).toEqual([]);
  });
});

describe('wall time', () => {
  const berlin = zone('Europe/Berlin');
  it.each([
    ['an ordinary night', '2026-07-03T04:23:04Z', 4, '2026-07-03T02:00:00.000Z'],
    ['before the boundary of the day', '2026-07-03T01:59:59Z', 4, '2026-07-02T02:00:00.000Z'],
    ['at the boundary itself', '2026-07-03T02:00:00Z', 4, '2026-07-03T02:00:00.000Z'],
    ['the night that the clock goes back', '2026-10-25T02:30:00Z', 4, '2026-10-24T02:00:00.000Z'],
    ['after it', '2026-10-25T03:10:00Z', 4, '2026-10-25T03:00:00.000Z'],
    ['an hour that the clock shows twice counts from the first', '2026-10-25T01:30:00Z', 2, '2026-10-25T00:00:00.000Z'],
    ['an hour that the clock skips', '2026-03-29T02:00:00Z', 2, '2026-03-29T01:00:00.000Z'],
  ])('%s', (_name, now, atHour, expected) => {
    expect(new Date(boundaryBefore(Date.parse(now), atHour, berlin, 'wall')).toISOString()).toBe(expected);
  });

  it('differs between the two arithmetics only on the morning of a skipped hour', () => {
    const now = Date.parse('2026-03-29T00:30:00Z');
    expect(new Date(boundaryBefore(now, 2, berlin, 'carried')).toISOString()).toBe('2026-03-28T02:00:00.000Z');
    expect(new Date(boundaryBefore(now, 2, berlin, 'wall')).toISOString()).toBe('2026-03-28T01:00:00.000Z');
  });

  it('finds the next boundary', () => {
    expect(new Date(boundaryAfter(Date.parse('2026-07-03T02:00:00Z'), 4, berlin)).toISOString()).toBe('2026-07-04T02:00:00.000Z');
    expect(new Date(boundaryAfter(Date.parse('2026-07-03T01:00:00Z'), 4, berlin)).toISOString()).toBe('2026-07-03T02:00:00.000Z');
  });

  it('goes back and forth', () => {
    for (const name of names) {
      const here = zone(name);
      for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 7 * hour + 123_456) {
        const again = instantOf(wallTime(ms, here), here);
        expect(again === ms || wallTime(again, here) === wallTime(ms, here)).toBe(true);
      }
    }
  });

  it('writes times as the host showed them', () => {
    expect(localIso(Date.parse('2026-07-03T04:23:04.118Z'), berlin)).toBe('2026-07-03T06:23:04.118+02:00');
    expect(localIso(Date.parse('2026-07-03T04:23:04.118Z'), zoneOfOffset(-210))).toBe('2026-07-03T00:53:04.118-03:30');
    expect(zoneOfOffset(-210).name).toBe('UTC-03:30');
    expect(zoneNamed('Nowhere/Land')).toBe(null);
    expect(spanText(22 * hour + 29 * 60_000)).toBe('22 h 29 min');
  });
});
