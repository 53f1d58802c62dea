import { describe, expect, it } from 'vitest';
import { partsAhead } from '../../../src/readers/mimocode/backfill.ts';
import { lastMainMessage, mainSlice, visibleMainRows } from '../../../src/readers/mimocode/slices.ts';
import { settledByBootstrap, swallowedByBootstrap } from '../../../src/readers/mimocode/turn-queue.ts';
import type { OrderRules } from '../../../src/readers/opencode/rules.ts';
import { exchange, prompt, reply, wrap } from '../rows.ts';

const byId: OrderRules = { order: 'id', mints: 'v1' };
const byTime: OrderRules = { order: 'time', mints: 'v1' };
const pre = exchange(wrap - 20_000);
const post = exchange(wrap + 10_000);
const side = exchange(wrap + 20_000, { agent: 'explore-1' });

describe('the main slice', () => {
  it('leaves other agents out of the tail', () => {
    const rows = [...pre, ...post, ...side];
    expect(mainSlice(rows)).toEqual([...pre, ...post]);
    expect(lastMainMessage(rows, byId)?.id).toBe(pre[1]?.id);
    expect(lastMainMessage(rows, byTime)?.id).toBe(post[1]?.id);
    expect(lastMainMessage(side, byId)).toBeNull();
  });
  it('a v2 row is the newest for both', () => {
    const wide = exchange(wrap + 30_000, { v2: true });
    expect([lastMainMessage([...pre, ...wide], byId)?.id, lastMainMessage([...pre, ...wide], byTime)?.id]).toEqual([wide[1]?.id, wide[1]?.id]);
  });
  it('is visible from the newest carrier on', () => {
    expect(visibleMainRows([...post, ...pre, ...side], new Set([post[0]?.id ?? '']))).toEqual(post);
    expect(visibleMainRows([...post, ...pre])).toEqual([...pre, ...post]);
  });
});

describe('the first start with a turn queue', () => {
  const waiting = prompt(wrap + 60_000);
  it.each([
    ['a prompt after the wrap is swallowed by an old reply', [...pre, waiting], [waiting.id]],
    ['not inside one epoch', [...post, waiting], []],
    ['not where no reply has a parent', [reply(wrap - 1, null), waiting], []],
    ['not an answered one', [...pre, ...post], []],
    ['not a v2 prompt', [...pre, prompt(wrap + 60_000, { v2: true })], []],
  ])('%s', (_name, rows, swallowed) => {
    expect(swallowedByBootstrap(rows).map((row) => row.id)).toEqual(swallowed);
  });
  it('settles every prompt that sorts at or before the greatest parent', () => {
    expect(settledByBootstrap([...pre, ...post, waiting]).map((row) => row.id)).toEqual([pre[0]?.id, post[0]?.id, waiting.id]);
  });
});

describe('the walk of the search index', () => {
  it('by id misses what is written after the wrap while it runs', () => {
    const [cursor, written] = [prompt(wrap - 1000), prompt(wrap + 1000)];
    expect(partsAhead([written], cursor, byId)).toEqual([]);
    expect(partsAhead([written], cursor, byTime)).toEqual([written]);
  });
});
