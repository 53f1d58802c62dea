import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { revertCleanup } from '../../../src/readers/opencode/revert.ts';
import type { OrderRules } from '../../../src/readers/opencode/rules.ts';
import { exchange, prompt, wrap } from '../rows.ts';

const byId: OrderRules = { order: 'id', mints: 'v1' };
const byTime: OrderRules = { order: 'time', mints: 'v1' };
const rows = [...exchange(wrap - 30_000), ...exchange(wrap - 20_000), ...exchange(wrap + 10_000), ...exchange(wrap + 20_000)];
const at = (index: number): string => rows[index]?.id ?? '';
const indexes = (deleted: { id: string }[]): number[] => deleted.map((row) => rows.findIndex((other) => other.id === row.id));

describe('revertCleanup', () => {
  it.each([
    ['a point after the wrap: by id the whole old history goes, and older new rows stay', at(6), null, [0, 1, 2, 3, 6, 7], [6, 7]],
    ['a point before the wrap: by id the new rows survive', at(2), null, [2, 3], [2, 3, 4, 5, 6, 7]],
    ['a part of a row keeps that row', at(6), 'prt_2', [0, 1, 2, 3, 7], [7]],
    ['a point whose row is gone', `${at(6).slice(0, -1)}~`, null, [0, 1, 2, 3, 7], []],
    ['an empty part id is none', at(6), '', [0, 1, 2, 3, 6, 7], [6, 7]],
  ])('%s', (_name, messageId, partId, id, time) => {
    expect(indexes(revertCleanup(rows, { messageId, partId }, byId).deletedMessages)).toEqual(id);
    expect(indexes(revertCleanup(rows, { messageId, partId }, byTime).deletedMessages)).toEqual(time);
  });

  it('deletes the parts from the point on, and none when the point is no part of its row', () => {
    const parts = ['prt_1', 'prt_2', 'prt_3'];
    expect(revertCleanup(rows, { messageId: at(6), partId: 'prt_2' }, byId, parts).deletedParts).toEqual(['prt_2', 'prt_3']);
    expect(revertCleanup(rows, { messageId: at(6), partId: 'prt_9' }, byTime, parts).deletedParts).toEqual([]);
    expect(revertCleanup(rows, { messageId: 'msg_gone', partId: 'prt_2' }, byId, parts).deletedParts).toEqual([]);
  });

  it('both agree inside one epoch, and no row is lost from the account', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 30 }), fc.nat(), fc.boolean(), (offsets, pick, part) => {
        const inside = offsets.map((offset) => prompt(wrap + offset));
        const revert = { messageId: inside[pick % inside.length]?.id ?? '', partId: part ? 'prt_1' : null };
        const [old, fixed] = [revertCleanup(inside, revert, byId), revertCleanup(inside, revert, byTime)];
        expect(old).toEqual(fixed);
        expect(old.deletedMessages.length + old.left.length).toBe(inside.length);
      }),
    );
  });
});
