import { describe, expect, it } from 'vitest';
import type { Reader } from '../../../src/model/version.ts';
import { mimocodeRules } from '../../../src/readers/mimocode/rules.ts';
import { newestFor, opencodeRules } from '../../../src/readers/opencode/rules.ts';
import { exchange, wrap } from '../rows.ts';

const reader = (product: Reader['product'], version: string | null, source: Reader['source'] = 'store'): Reader => ({ product, version, source });

describe('opencodeRules', () => {
  it.each([
    ['1.18.14', 'id'],
    ['1.18.15-beta.1', 'id'],
    ['1.18.15', 'time'],
    ['1.18.31', 'time'],
    ['1.2.0', 'id'],
    ['2.0.0', 'time'],
    ['0.0.0-dev-202607301200', 'id'],
    ['0.0.0-dev-202609031200', 'time'],
    ['local', 'id'],
    [null, 'id'],
  ])('%s orders by %s', (version, order) => {
    expect(opencodeRules(reader('opencode', version))).toEqual({ order, mints: 'v1' });
  });
});

describe('mimocodeRules', () => {
  it.each([
    ['0.1.12', false, 'store', 'v1'],
    ['0.1.13', false, 'store', 'v2'],
    ['0.1.12', true, 'store', 'v2'],
    ['0.1.12', true, 'option', 'v1'],
    ['0.1.14', false, 'option', 'v2'],
    [null, false, 'unknown', 'v1'],
    [null, true, 'unknown', 'v2'],
  ] as const)('%s, v2 ids in the store %s, said by %s: mints %s', (version, v2, source, mints) => {
    expect(mimocodeRules(reader('mimocode', version, source), v2)).toEqual({ order: 'id', mints });
  });
});

describe('newestFor', () => {
  const before = exchange(wrap - 10_000);
  const after = exchange(wrap + 10_000);
  it('differs across the wrap', () => {
    const rows = [...before, ...after];
    expect(newestFor(rows, { order: 'id', mints: 'v1' })?.id).toBe(before[1]?.id);
    expect(newestFor(rows, { order: 'time', mints: 'v1' })?.id).toBe(after[1]?.id);
    expect(newestFor([], { order: 'id', mints: 'v1' })).toBeNull();
  });
});
