import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { setFaultHook, type FaultPoint } from '../../src/io/faults.ts';
import { journalBench, planOf, type Bench } from '../helpers/journal.ts';
import { everyWay } from './store.ts';

afterEach(() => setFaultHook(null));

type Operation = { point: FaultPoint; path: string };

/** The operations of one apply and one undo of it, in order. */
async function recorded(): Promise<{ folder: string; bench: Bench; apply: Operation[]; undo: Operation[] }> {
  const { folder, actions } = everyWay();
  const bench = journalBench();
  const plan = planOf(folder, actions);
  let operations: Operation[] = [];
  setFaultHook((point, path) => void operations.push({ point, path }));
  const { journal } = await bench.apply(plan);
  const apply = operations;
  operations = [];
  await bench.undo(journal ?? '');
  setFaultHook(null);
  return { folder, bench, apply, undo: operations };
}

const changesNames: readonly FaultPoint[] = ['rename', 'link', 'unlink'];

describe('what a power failure could tear apart is on disk before what rests on it', () => {
  it.each(['apply', 'undo'] as const)('%s: each change of a name is followed by the fsync of its folder', async (job) => {
    const operations = (await recorded())[job];
    const changes = operations.map((operation, index) => ({ ...operation, next: operations[index + 1] })).filter(({ point }) => changesNames.includes(point));
    expect(changes.length).toBeGreaterThan(5);
    const bare = changes.filter(({ path, next }) => next?.point !== 'folder-fsync' || next.path !== dirname(path));
    // What is not there is not removed: nothing has changed then.
    expect(bare.filter(({ point }) => point !== 'unlink')).toEqual([]);
    expect(bare.every(({ path }) => path.endsWith('.tmp'))).toBe(true);
  });

  it.each(['apply', 'undo'] as const)('%s: each new file is fsynced before it gets its name', async (job) => {
    const operations = (await recorded())[job];
    for (const [index, { point, path }] of operations.entries()) {
      if (point !== 'rename' && point !== 'link') continue;
      const before = operations.slice(0, index);
      const written = before.findLastIndex((operation) => operation.point === 'write' && (operation.path === `${path}.tmp` || operation.path.startsWith(`${path}.sessionfsck-`)));
      const synced = before.findLastIndex((operation) => operation.point === 'fsync' && operation.path === before[written]?.path);
      expect({ path, ok: written === -1 || synced > written }).toEqual({ path, ok: true });
    }
  });

  it.each(['apply', 'undo'] as const)('%s: the journal is whole and on disk before the first write to the store', async (job) => {
    const { folder, bench, ...jobs } = await recorded();
    const operations = jobs[job];
    // A rehearsal runs its statements on a private copy, and temporaries of an earlier attempt may be cleared at any time.
    const inStore = operations.findIndex(({ point, path }) => path.startsWith(folder) && point !== 'statement' && point !== 'folder-fsync' && !path.endsWith('.tmp'));
    const sealed = operations.findIndex(({ point, path }) => point === 'rename' && path.startsWith(bench.journals) && path.endsWith('journal.json'));
    const known = operations.findIndex(({ point, path }, index) => index > sealed && point === 'folder-fsync' && path === bench.journals);
    expect([sealed >= 0, known > sealed, inStore > known]).toEqual([true, true, true]);
    // The old bytes and what describes them.
    for (const [index, { point, path }] of operations.slice(0, sealed).entries()) {
      if (point !== 'write' || !path.startsWith(bench.journals)) continue;
      expect({ path, synced: operations.slice(index, sealed).some((later) => later.point === 'fsync' && later.path === path) }).toEqual({ path, synced: true });
    }
  });

  it.each(['apply', 'undo'] as const)('%s: the rows that a database loses are on disk before it commits', async (job) => {
    const operations = (await recorded())[job];
    const commit = operations.findIndex(({ point }) => point === 'commit');
    const log = operations.findLastIndex(({ point, path }, index) => index < commit && point === 'fsync' && /\/rows\/\d+\.jsonl$/.test(path));
    const name = operations.findIndex(({ point, path }, index) => index > log && point === 'folder-fsync' && path === dirname(operations[log]?.path ?? ''));
    expect([commit > 0, log >= 0, log < commit, name > log, name < commit]).toEqual([true, true, true, true, true]);
  });
});
