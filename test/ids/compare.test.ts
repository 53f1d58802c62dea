import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/io/sqlite.ts';
import { compareByTime, compareIds } from '../../src/ids/index.ts';

/** Strings near the edges where UTF-16 and UTF-8 disagree. */
const texts = fc.string({ unit: fc.oneof(fc.constantFrom('0', 'f', 'g', '-', '_', '\u0000', '\uffff', '\ue000', '\ud7ff', '😀', '\u{10000}', 'é'), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })) });

describe('compareIds', () => {
  it('puts characters beyond U+FFFF last, unlike `<`', () => {
    expect(compareIds('\ufffd', '😀')).toBeLessThan(0);
    expect(['😀', '\ufffd'].toSorted()).toEqual(['😀', '\ufffd']);
  });

  it('orders as the bytes of UTF-8 do', () => {
    fc.assert(fc.property(texts, texts, (a, b) => {
      expect(Math.sign(compareIds(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }));
  });

  it('orders as SQLite does', () => {
    const db = new (loadSqlite())(':memory:');
    const order = db.prepare<[string, string, string, string], { sign: number }>('SELECT (? > ?) - (? < ?) AS sign');
    fc.assert(fc.property(texts, texts, (a, b) => {
      expect(order.get(a, b, a, b)?.sign).toBe(Math.sign(compareIds(a, b)));
    }));
    db.close();
  });

  it('compareByTime takes time first, id second', () => {
    const rows = [{ time: 2, id: 'a' }, { time: 1, id: 'c' }, { time: 1, id: 'b' }];
    expect(rows.sort(compareByTime).map((row) => row.id)).toEqual(['b', 'c', 'a']);
  });
});
