import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activeBranch, branchRules } from '../../../src/readers/openclaw/branch.ts';
import { ambientOnBranch, visiblePart } from '../../../src/readers/openclaw/visible.ts';
import { digestOf } from '../../helpers/openclaw-digest.ts';
import type { Row } from '../../helpers/openclaw-transcripts.ts';

const header: Row = { type: 'session', version: 3, id: 's' };
const row = (id: string, parentId: string | null | undefined, more: Row = {}): Row => ({ type: 'message', id, ...(parentId === undefined ? {} : { parentId }), message: { role: 'user', content: id }, ...more });
const leaf = (id: string, parentId: string | null, targetId: string | null, more: Row = {}): Row => ({ type: 'leaf', id, parentId, targetId, ...more });
const side = { appendMode: 'side' };

type Expected = { old: string; late?: string; cyclic?: boolean; broken?: string };

/** Ids of the active branch for 2026.7.1-2 (`old`) and for builds that re-attach (`late`, where it differs). */
const cases: [string, Row[], Expected][] = [
  ['a chain', [row('a', null), row('b', 'a'), row('c', 'b')], { old: 'a b c' }],
  ['an abandoned sibling', [row('a', null), row('b', 'a'), row('c', 'a'), row('d', 'c')], { old: 'a c d' }],
  ['a side append does not move the leaf', [row('a', null), row('b', 'a'), row('x', 'b', side)], { old: 'a b' }],
  ['what follows a side append continues the leaf', [row('a', null), row('b', 'a'), row('x', 'b', side), row('c', 'x')], { old: 'a b c' }],
  ['a leaf row moves back', [row('a', null), row('b', 'a'), row('c', 'b'), leaf('l', 'c', 'a')], { old: 'a' }],
  ['what points at a leaf row continues at its target', [row('a', null), row('b', 'a'), leaf('l', 'b', 'a'), row('c', 'l')], { old: 'a c' }],
  ['a leaf row to the root', [row('a', null), leaf('l', 'a', null)], { old: '' }],
  ['a leaf row to nothing known is transparent', [row('a', null), row('b', 'a'), leaf('l', 'b', 'zz'), row('c', 'b')], { old: 'a b c' }],
  ['a leaf row of a side branch', [row('a', null), row('b', 'a'), row('x', 'b', side), leaf('l', 'x', 'b', { appendParentId: 'x', ...side }), row('c', 'x')], { old: 'a b c' }],
  ['rows without parentId continue the leaf', [row('a', null), row('b', undefined), row('c', undefined)], { old: 'a b c' }],
  ['version 1: no ids, one list', [{ type: 'message', message: {} }, { type: 'compaction', firstKeptEntryIndex: 1 }, { type: 'message', message: {} }], { old: '- - -' }],
  ['an unknown parent: the reachable end, or re-attached', [row('a', null), row('b', 'a'), row('c', 'gone'), row('d', 'c')], { old: 'c d', late: 'a b c d', broken: 'c' }],
  ['a ring: what lies before it closes', [row('a', 'c'), row('b', 'a'), row('c', 'b')], { old: 'a b c', late: 'a b c', cyclic: true }],
  ['a row that is its own parent', [row('a', 'a')], { old: 'a', cyclic: true }],
  ['a row beside the reset, re-attached behind it', [row('a', null), row('b', 'a'), { type: 'reset', id: 'r', parentId: 'b', reason: 'new' }, row('c', 'b')], { old: 'a b c', late: 'a b r c' }],
  ['a row of an unknown type is only a cursor', [row('a', null), { type: 'future', id: 'f', parentId: 'a' }, row('b', 'f')], { old: 'a b' }],
  ['nothing but a header', [], { old: '' }],
];

const old = branchRules({ product: 'openclaw', version: '2026.7.1-2', source: 'option' }, 'jsonl');
const late = branchRules({ product: 'openclaw', version: '2026.9.6', source: 'option' }, 'jsonl');

describe('the active branch', () => {
  const ids = (rows: Row[], rules: typeof old): { path: string; cyclic: boolean; broken: string | null } => {
    const digest = digestOf([header, ...rows]);
    const branch = activeBranch(digest, rules);
    return { path: branch.rows.map((at) => digest.rows.id[at] ?? '-').join(' '), cyclic: branch.cyclic, broken: branch.brokenAt === -1 ? null : (digest.rows.id[branch.brokenAt] ?? null) };
  };

  it.each(cases)('%s', (_name, rows, expected) => {
    expect(ids(rows, old)).toEqual({ path: expected.old, cyclic: expected.cyclic ?? false, broken: expected.broken ?? null });
    expect(ids(rows, late)).toMatchObject({ path: expected.late ?? expected.old });
  });

  it('ends on any tangle of parents, and passes no row twice', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'zz', null);
    const any = fc.record({ type: fc.constantFrom('message', 'leaf', 'reset', 'compaction', 'future'), id: name, parentId: name, targetId: name, appendParentId: name, appendMode: fc.constantFrom('side', null) });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), fc.boolean(), (rows, reattaches) => {
        const digest = digestOf([header, ...rows]);
        const branch = activeBranch(digest, { reattaches });
        expect(new Set(branch.rows).size).toBe(branch.rows.length);
        expect(branch.rows.every((at) => at >= 0 && at < digest.rows.length)).toBe(true);
        const part = visiblePart(digest, branch);
        expect(part.from).toBeLessThanOrEqual(branch.rows.length);
      }),
    );
  });

  it('follows 200 000 rows in a chain', () => {
    const rows = Array.from({ length: 200_000 }, (_, at) => row(at.toString(16).padStart(8, '0'), at === 0 ? null : (at - 1).toString(16).padStart(8, '0')));
    const digest = digestOf([header, ...rows]);
    expect(activeBranch(digest, late).rows).toHaveLength(200_000);
  });
});

describe('branch rules', () => {
  it.each([
    ['2026.7.1-2', 'jsonl', false],
    ['2026.8.1', 'jsonl', true],
    [null, 'jsonl', false],
    [null, 'sqlite', true],
  ] as const)('%s of a %s store', (version, layout, reattaches) => {
    expect(branchRules({ product: 'openclaw', version, source: version === null ? 'unknown' : 'store' }, layout)).toEqual({ reattaches });
  });
});

describe('the visible part', () => {
  const ambient = (id: string, parentId: string | null, number: number): Row => row(id, parentId, { message: { role: 'user', content: `#${number} mira: x` } });
  const reset = (fields: Row): Row => ({ type: 'reset', id: 'r', parentId: 'c', ...fields });
  const chain = [ambient('a', null, 1), ambient('b', 'a', 2), ambient('c', 'b', 3)];
  it.each([
    ['no reset', [...chain], { visible: ['1', '2', '3'], behindReset: [] }],
    ['a reset that keeps nothing', [...chain, reset({})], { visible: [], behindReset: ['1', '2', '3'] }],
    ['a reset that keeps a tail', [...chain, reset({ firstKeptEntryId: 'b' })], { visible: ['2', '3'], behindReset: ['1'] }],
    ['a tail that names nothing', [...chain, reset({ firstKeptEntryId: 'zz' })], { visible: [], behindReset: ['1', '2', '3'] }],
    ['a message seen on both sides', [...chain, reset({}), ambient('d', 'r', 3)], { visible: ['3'], behindReset: ['1', '2'] }],
    ['before a compaction', [...chain, { type: 'compaction', id: 'k', parentId: 'c', firstKeptEntryId: 'k' }], { visible: ['1', '2', '3'], behindReset: [] }],
    ['off the branch', [...chain, ambient('d', 'a', 9)], { visible: ['1', '9'], behindReset: [] }],
  ] satisfies [string, Row[], { visible: string[]; behindReset: string[] }][])('%s', (_name, rows, expected) => {
    const digest = digestOf([header, ...rows]);
    const branch = activeBranch(digest, late);
    expect(ambientOnBranch(digest, branch, visiblePart(digest, branch))).toEqual(expected);
  });
});
