import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareByTime, compareIds, convertAfterWrap, epochStart, rekeyBeforeWrap, v1Digits, v2Digits, type IdRow } from '../../src/ids/index.ts';

const wrap = epochStart(26);
const now = Date.parse('2026-12-01T00:00:00Z');
let serial = 0;
const row = (offset: number, format: 'v1' | 'v2' = 'v1', counter = 1): IdRow => {
  const time = wrap + offset;
  const tail = `T${String(serial++).padStart(13, 'x')}`;
  return { id: format === 'v1' ? `msg_${v1Digits(time, counter)}${tail}` : `msg_${v2Digits(time, counter)}${tail.slice(5)}`, time: time };
};

const renamed = (rows: IdRow[], mapping: Map<string, string>): IdRow[] => rows.map((old) => ({ ...old, id: mapping.get(old.id) ?? old.id }));
const inOrder = (rows: IdRow[]): boolean => {
  const ids = rows.toSorted(compareByTime).map((each) => each.id);
  return ids.every((id, i) => i === 0 || compareIds(ids[i - 1] ?? '', id) < 0);
};

describe('rekeyBeforeWrap', () => {
  it('gives the first ids of the new epoch, in time order, and keeps the tail', () => {
    const rows = [row(5000), row(-1000), row(-3000), row(-2000)];
    const result = rekeyBeforeWrap(rows, wrap, now);
    expect(result.ok && [...result.mapping]).toEqual([
      [rows[2]?.id, `msg_000000000001${rows[2]?.id.slice(-14)}`],
      [rows[3]?.id, `msg_000000000002${rows[3]?.id.slice(-14)}`],
      [rows[1]?.id, `msg_000000000003${rows[1]?.id.slice(-14)}`],
    ]);
    expect(result.ok && inOrder(renamed(rows, result.mapping))).toBe(true);
  });

  it.each([
    ['a later row sorts among the first ids', [row(-2000), row(-1000), row(5000), { id: `msg_${v1Digits(wrap, 1)}TTTTTTTTTTTTTT`, time: wrap + 9000 }], now],
    ['a row of another format stands in the way', [row(-2000), row(-1000), { id: 'msg_!', time: wrap + 1 }], now],
    ['the reader is about to mint one', [row(-2000), row(-1000)], wrap],
    ['an opaque id after the wrap that sorts after everything', [row(-2000), row(-1000), { id: 'msg_imported', time: wrap + 1 }], now],
    ['an opaque id before the wrap', [{ id: 'msg_imported', time: wrap - 1 }, row(1)], now],
    ['one tail twice in the same place', [row(-1000), { id: `msg_000000000001${'x'.repeat(14)}`, time: wrap + 1 }, { id: `msg_${v1Digits(wrap - 2000, 1)}${'x'.repeat(14)}`, time: wrap - 2000 }], now],
  ])('refuses when %s', (_name, rows, before) => {
    expect(rekeyBeforeWrap(rows, wrap, before).ok).toBe(false);
  });

  it('moves the rows of the first moments along where their ids are needed', () => {
    const rows = [row(-3000), row(-2000), row(-1000), row(0, 'v1', 1), row(0, 'v1', 2), row(5000)];
    const result = rekeyBeforeWrap(rows, wrap, now);
    expect(result.ok && [...result.mapping.keys()]).toEqual(rows.slice(0, 5).map((each) => each.id));
    expect(result.ok && inOrder(renamed(rows, result.mapping))).toBe(true);
  });

  it('changes nothing where no row lies before the boundary', () => {
    expect(rekeyBeforeWrap([row(5000), row(9000)], wrap, now)).toEqual({ ok: true, mapping: new Map() });
  });

  it('leaves a skew of seconds after the wrap as it is, and repairs the rest', () => {
    const skewed = { id: row(9000).id, time: wrap + 4000 };
    const rows = [row(-1000), row(5000), skewed];
    const result = rekeyBeforeWrap(rows, wrap, now);
    expect(result.ok && result.mapping.size).toBe(1);
  });

  it('10 000 rows fit before a message of one second after the wrap', () => {
    const rows = [...Array.from({ length: 10_000 }, (_, i) => row(-20_000 + i)), row(1000)];
    const result = rekeyBeforeWrap(rows, wrap, now);
    expect(result.ok && [...result.mapping.values()].at(-1)?.slice(0, 16)).toBe('msg_000000002710');
  });
});

describe('convertAfterWrap', () => {
  it('gives v2 ids of the rows own times, counted inside one ms', () => {
    const rows = [row(-1000), row(60_000), row(60_000, 'v1', 2), row(90_000, 'v2')];
    const result = convertAfterWrap(rows, wrap);
    expect(result.ok && [...result.mapping]).toEqual([
      [rows[1]?.id, `msg_g001a00000ea60001${rows[1]?.id.slice(-9)}`],
      [rows[2]?.id, `msg_g001a00000ea60002${rows[2]?.id.slice(-9)}`],
    ]);
    expect(result.ok && inOrder(renamed(rows, result.mapping))).toBe(true);
  });

  it('refuses a row whose v2 neighbour was minted for another time', () => {
    const imported = { id: row(10_000, 'v2').id, time: wrap + 70_000 };
    expect(convertAfterWrap([row(60_000), imported], wrap).ok).toBe(false);
  });

  it('refuses opaque ids', () => {
    expect(convertAfterWrap([row(-1), { id: 'msg_uuid', time: wrap + 1 }], wrap).ok).toBe(false);
  });
});

describe('both', () => {
  const offsets = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000_000 }), { maxLength: 60 });
  it('order by id equals order by time afterwards; nothing is lost or doubled', () => {
    fc.assert(
      fc.property(offsets, fc.boolean(), (list, rekey) => {
        const rows = list.map((offset, index) => row(offset < 0 ? offset : offset + 2000, 'v1', index % 4095));
        const result = rekey ? rekeyBeforeWrap(rows, wrap, now) : convertAfterWrap(rows, wrap);
        expect(result.ok).toBe(true);
        if (!result.ok) return;
        const after = renamed(rows, result.mapping);
        expect(inOrder(after)).toBe(true);
        expect(new Set(after.map((each) => each.id)).size).toBe(rows.length);
        expect(result.mapping.size).toBe(rows.filter((each) => each.time < wrap === rekey).length);
      }),
    );
  });
});
