import { describe, expect, it } from 'vitest';
import { overlapGuard } from '../../src/fixes/overlap.ts';
import type { Action, CellMap, StepDraft } from '../../src/model/step.ts';

const database = '/srv/agent.db';
const draft = (...actions: Action[]): StepDraft => ({ target: '', session: null, title: '', consequences: [], alternatives: [], actions });
const set = (before: CellMap, after: CellMap): Action => ({ kind: 'update-rows', database, table: 'state', rows: [{ key: { id: 1 }, before, after }] });
const shift = (session: string, column: string): Action => ({ kind: 'shift-rows', database, table: 'event', where: { session }, column, shifts: [{ from: 1, by: 1 }], rows: 3 });

const edit = (column: string, ...path: string[]): Action => ({ kind: 'edit-json-cell', database, table: 'state', key: { id: 1 }, column, edits: [{ op: 'remove', path, before: 1 }] });

describe('two steps that write to a database', () => {
  it.each<[string, Action, Action, string | null]>([
    ['one cell to different values', set({ dirty: 0 }, { dirty: 1 }), set({ dirty: 0 }, { dirty: 2 }), '1'],
    ['one cell to the same value', set({ dirty: 0 }, { dirty: 1 }), set({ dirty: 0 }, { dirty: 1 }), null],
    ['one cell to the same value, seen with different ones before', set({ dirty: 0 }, { dirty: 1 }), set({ dirty: 2 }, { dirty: 1 }), '1'],
    ['a token each', set({}, { token: { $token: 'hex32' } }), set({}, { token: { $token: 'hex32' } }), null],
    ['different columns of one row', set({}, { dirty: 1 }), set({}, { count: 1 }), null],
    ['different members of one JSON cell', edit('entry', 'a'), edit('entry', 'b', 'c'), null],
    ['a member of a JSON cell and what lies in it', edit('entry', 'b'), edit('entry', 'b', 'c'), '1'],
    ['what lies in a member of a JSON cell, and the member', edit('entry', 'b', 'c'), edit('entry', 'b'), '1'],
    ['a JSON cell in part and as a whole', edit('dirty', 'a'), set({}, { dirty: 1 }), '1'],
    ['a JSON cell as a whole and in part', set({}, { dirty: 1 }), edit('dirty', 'a'), '1'],
    ['the same member of different cells', edit('entry', 'a'), edit('other', 'a'), null],
    ['the numbers of the same rows', shift('a', 'seq'), shift('a', 'seq'), '1'],
    ['the numbers of other rows, or other numbers of the same', shift('a', 'seq'), shift('b', 'seq'), null],
    ['other numbers of the same rows', shift('a', 'seq'), shift('a', 'position'), null],
  ])('%s', (_name, first, second, owner) => {
    const guard = overlapGuard();
    guard.add(draft(first), '1');
    expect(guard.collides(draft(second))).toBe(owner);
  });
});
