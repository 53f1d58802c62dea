import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inShard } from '../../src/model/shard.ts';

describe('shards of sessions', () => {
  it('put every id into exactly one part', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 40 }), (id, total) => {
        const homes = Array.from({ length: total }, (_, i) => inShard(id, { index: i + 1, total })).filter(Boolean);
        expect(homes).toHaveLength(1);
      }),
    );
  });

  it('stay where they are from release to release', () => {
    const part = (id: string): number => [1, 2, 3, 4, 5, 6, 7].find((index) => inShard(id, { index, total: 7 })) ?? 0;
    expect(['ses_0147495001', 'ses_0147495002', '5b1c7f5e-0000-4000-8000-000000000000', ''].map(part)).toMatchInlineSnapshot(`
      [
        7,
        7,
        6,
        5,
      ]
    `);
  });

  it('are of similar size, also for ids that differ in one place', () => {
    const sizes = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let i = 0; i < 8000; i++) {
      const index = sizes.findIndex((_, part) => inShard(`ses_${String(i).padStart(8, '0')}`, { index: part + 1, total: 8 }));
      sizes[index] = (sizes[index] ?? 0) + 1;
    }
    expect(Math.min(...sizes)).toBeGreaterThan(850);
    expect(Math.max(...sizes)).toBeLessThan(1150);
  });

  it('leave everything in when there is no shard or only one', () => {
    expect([inShard('a', null), inShard('a', undefined), inShard('a', { index: 1, total: 1 })]).toEqual([true, true, true]);
  });
});
