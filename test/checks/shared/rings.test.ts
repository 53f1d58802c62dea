import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRings } from '../../../src/checks/shared/rings.ts';

describe('rings', () => {
  const cases: [string, number[], number[][]][] = [
    ['nothing', [], []],
    ['a chain', [-1, 0, 1, 2], []],
    ['a fork', [-1, 0, 0, 1], []],
    ['a row that is its own parent', [-1, 1, 1], [[1]]],
    ['a ring with a tail', [-1, 4, 1, 2, 3, 4], [[1, 4, 3, 2]]],
    ['two rings', [1, 0, 3, 2], [[0, 1], [2, 3]]],
    ['a successor that is no row', [-1, -2, 1], []],
  ];
  it.each(cases)('%s', (_name, next, rings) => {
    expect(findRings(next, next.length)).toEqual(rings);
  });

  it('names exactly the nodes that come back to themselves', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2, max: 11 }), { maxLength: 12 }), (raw) => {
        const next = raw.map((target) => (target < raw.length ? target : -1));
        const comesBack = next.flatMap((_, start) => {
          let node = next[start]!;
          for (let i = 0; i < next.length && node >= 0 && node !== start; i++) node = next[node]!;
          return node === start ? [start] : [];
        });
        expect(findRings(next, next.length).flat().sort((a, b) => a - b)).toEqual(comesBack);
      }),
    );
  });
});
