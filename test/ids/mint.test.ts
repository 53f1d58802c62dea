import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareIds, epochStart, newestV1, readId, timeNear, v1Digits, v2Digits } from '../../src/ids/index.ts';

const wrap = epochStart(26);

// Published ids of both encoders on both sides of the wrap: a change of the encoding upstream has to change this table.
describe('the encoders', () => {
  it.each([
    ['the last ms before the wrap', wrap - 1, 'fffffffff001', '000000000ffe'],
    ['the wrap', wrap, '000000000001', 'fffffffffffe'],
    ['a minute after it', wrap + 60_000, '00000ea60001', 'fffff159fffe'],
    ['2026-09-01', Date.parse('2026-09-01T00:00:00Z'), '05a43fc00001', 'fa5bc03ffffe'],
  ])('v1 at %s', (_name, ms, ascending, descending) => {
    expect([v1Digits(ms, 1), v1Digits(ms, 1, 'descending')]).toEqual([ascending, descending]);
  });

  it('v2 at the wrap', () => {
    expect([v2Digits(wrap, 1), v2Digits(wrap, 1, 'descending')]).toEqual(['g001a000000000001', '-ffe5fffffffffffe']);
  });

  it('carries a counter beyond 4095 into the clock, as the products do', () => {
    expect(v1Digits(wrap, 4096)).toBe(v1Digits(wrap + 1, 0));
  });

  it('still wraps: what is minted after the wrap sorts before what was minted before it, and v2 after both', () => {
    const before = `msg_${v1Digits(wrap - 1, 1)}00000000000000`;
    const after = `msg_${v1Digits(wrap, 1)}zzzzzzzzzzzzzz`;
    const wide = `msg_${v2Digits(wrap, 1)}000000000`;
    expect([after, before, wide].toSorted(compareIds)).toEqual([after, before, wide]);
  });

  it('the greatest id of a moment sorts after every id of that moment', () => {
    expect(compareIds(newestV1('msg', wrap), `msg_${v1Digits(wrap, 0xffe)}zzzzzzzzzzzzzz`)).toBeGreaterThan(0);
    expect(compareIds(newestV1('msg', wrap), `msg_${v1Digits(wrap + 1, 0)}00000000000000`)).toBeLessThan(0);
  });

  const times = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2035, 0, 1) });
  const tail = (length: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[G-Zg-z]{${length}}$`));

  it('reads back what it writes, whatever the epoch and direction', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 4095 }), tail(14), fc.boolean(), fc.boolean(), (ms, counter, suffix, descending, wide) => {
        const direction = descending ? 'descending' : 'ascending';
        const prefix = descending ? 'ses' : 'msg';
        const id = wide ? `${prefix}_${v2Digits(ms, counter, direction)}${suffix.slice(5)}` : `${prefix}_${v1Digits(ms, counter, direction)}${suffix}`;
        const reading = readId(id, ms);
        expect(reading).toMatchObject({ format: wide ? 'v2' : 'v1', direction, prefix, counter });
        expect(reading === null ? null : timeNear(reading, ms)).toBe(ms);
      }),
    );
  });

  it('keeps order by time inside an epoch, and reverses it for descending ids', () => {
    const inside = fc.integer({ min: wrap, max: epochStart(27) - 1 });
    fc.assert(
      fc.property(inside, inside, (a, b) => {
        fc.pre(a !== b);
        expect(Math.sign(compareIds(v1Digits(a, 1), v1Digits(b, 1)))).toBe(Math.sign(a - b));
        expect(Math.sign(compareIds(v1Digits(a, 1, 'descending'), v1Digits(b, 1, 'descending')))).toBe(Math.sign(b - a));
        expect(Math.sign(compareIds(v2Digits(a, 1, 'descending'), v2Digits(b, 1, 'descending')))).toBe(Math.sign(b - a));
      }),
    );
  });
});
