import { describe, expect, it } from 'vitest';
import { epochMs, epochOf, epochStart, wrapAfter, wrapBefore } from '../../src/ids/index.ts';

describe('epochs', () => {
  it.each([
    [25, '2024-06-10T02:35:18.400Z'],
    [26, '2026-08-14T11:19:55.136Z'],
    [27, '2028-10-17T20:04:31.872Z'],
    [28, '2030-12-22T04:49:08.608Z'],
  ])('epoch %i begins at %s', (epoch, at) => {
    const start = Date.parse(at);
    expect(new Date(epochStart(epoch)).toISOString()).toBe(at);
    expect([epochOf(start - 1), epochOf(start)]).toEqual([epoch - 1, epoch]);
    expect([wrapBefore(start), wrapAfter(start - 1)]).toEqual([start, start]);
    expect([wrapBefore(start - 1), wrapAfter(start)]).toEqual([start - epochMs, start + epochMs]);
  });

  it('holds for times before 1970', () => {
    expect([epochOf(-1), wrapBefore(-1), wrapAfter(-1)]).toEqual([-1, -epochMs, 0]);
  });
});
