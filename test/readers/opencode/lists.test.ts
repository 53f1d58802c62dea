import { describe, expect, it } from 'vitest';
import { addToClientList } from '../../../src/readers/opencode/client-list.ts';
import { visibleRows } from '../../../src/readers/opencode/compacted.ts';
import { forkedRows } from '../../../src/readers/opencode/fork.ts';
import type { OrderRules } from '../../../src/readers/opencode/rules.ts';
import { exchange, prompt, reply, wrap } from '../rows.ts';

const byId: OrderRules = { order: 'id', mints: 'v1' };
const byTime: OrderRules = { order: 'time', mints: 'v1' };
const rows = [...exchange(wrap - 20_000), ...exchange(wrap + 10_000), ...exchange(wrap + 20_000)];
const ids = (list: { id: string }[]): string[] => list.map((row) => row.id);

describe('forkedRows', () => {
  it.each([
    ['no cut point', null, 6, 6],
    ['after the wrap: by id the fork is empty', rows[4]?.id ?? '', 0, 4],
    ['before the wrap', rows[1]?.id ?? '', 1, 1],
    ['a point that is gone', 'msg_000000000000zzzzzzzzzzzzzz', 0, 6],
  ])('%s', (_name, cut, id, time) => {
    expect([forkedRows(rows, cut, byId).length, forkedRows(rows, cut, byTime).length]).toEqual([id, time]);
  });
});

describe('addToClientList', () => {
  const old = [...exchange(wrap - 20_000), ...exchange(wrap - 10_000)];
  const fresh = prompt(wrap + 10_000);
  const fresher = prompt(wrap + 20_000);
  it('by id puts a row from after the wrap on top, and drops it next', () => {
    const first = addToClientList(old, fresh, byId, 5);
    expect([first.list[0]?.id, first.dropped]).toEqual([fresh.id, null]);
    expect(addToClientList(first.list, fresher, byId, 5).dropped?.id).toBe(fresh.id);
  });
  it('by time puts it last, and drops the oldest', () => {
    const first = addToClientList(old, fresh, byTime, 5);
    expect(first.list.at(-1)?.id).toBe(fresh.id);
    expect(addToClientList(first.list, fresher, byTime, 5).dropped?.id).toBe(old[0]?.id);
  });
});

describe('visibleRows', () => {
  const history = [...exchange(wrap - 50_000), ...exchange(wrap - 40_000), ...exchange(wrap - 30_000)];
  const carrier = prompt(wrap + 1000);
  const summary = reply(wrap + 2000, carrier, { summary: true });
  const rest = exchange(wrap + 3000);
  const tail = history[4]?.id ?? '';

  it('is everything in order of time without a compaction', () => {
    expect(ids(visibleRows([...rest, ...history]))).toEqual(ids([...history, ...rest]));
  });
  it('begins at a finished compaction', () => {
    expect(ids(visibleRows([...history, carrier, summary, ...rest], [{ messageId: carrier.id, tailStartId: null }]))).toEqual(ids([carrier, summary, ...rest]));
  });
  it('keeps a tail, behind the summary', () => {
    expect(ids(visibleRows([...history, carrier, summary, ...rest], [{ messageId: carrier.id, tailStartId: tail }]))).toEqual(ids([carrier, summary, ...history.slice(4), ...rest]));
  });
  it.each([
    ['an errored summary', { ...summary, error: 'APIError' }],
    ['a summary without an end', { ...summary, finish: null }],
  ])('hides what lies before the tail for %s as well (opencode #42282)', (_name, failed) => {
    expect(ids(visibleRows([...history, carrier, failed, ...rest], [{ messageId: carrier.id, tailStartId: tail }]))).toEqual(ids([carrier, summary, ...history.slice(4), ...rest]));
  });
  it('hides nothing for a tail that is gone', () => {
    expect(visibleRows([...history, carrier, summary, ...rest], [{ messageId: carrier.id, tailStartId: 'msg_gone' }])).toHaveLength(history.length + 4);
  });
});
