import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { setFaultHook } from '../../src/io/faults.ts';
import { resumeJournal, type ApplyResult } from '../../src/journal/apply.ts';
import { journalIds } from '../../src/journal/journal-file.ts';
import { journalStatuses } from '../../src/journal/status.ts';
import type { Action, Plan } from '../../src/model/step.ts';
import { contentsOf, journalBench, planOf, type Bench } from '../helpers/journal.ts';
import { temporaryFolder } from '../helpers/paths.ts';

afterEach(() => setFaultHook(null));

const names = ['a.json', 'b.json'];

/** An apply that cannot write its second file, and then cannot give the first one back either. */
async function halfDone(): Promise<{ folder: string; bench: Bench; plan: Plan; id: string; before: string[] }> {
  const folder = temporaryFolder();
  for (const name of names) writeFileSync(join(folder, name), '{"n":1}');
  const bench = journalBench();
  const before = contentsOf(folder);
  const plan = planOf(folder, names.map((name): Action => ({ kind: 'edit-json-file', path: join(folder, name), edits: [{ op: 'set', path: ['n'], before: 1, after: 2 }] })));
  let failing = false;
  setFaultHook((point, path) => {
    failing ||= point === 'rename' && path === join(folder, 'b.json');
    if (failing && point === 'rename' && path.startsWith(folder)) throw Object.assign(new Error('ENOSPC: injected'), { code: 'ENOSPC' });
  });
  await expect(bench.apply(plan)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('taking it back failed as well') });
  setFaultHook(null);
  const [id = ''] = journalIds(bench.journals);
  return { folder, bench, plan, id, before };
}

const contents = (folder: string): string[] => names.map((name) => readFileSync(join(folder, name), 'utf8'));
type Finish = (half: Awaited<ReturnType<typeof halfDone>>, dryRun: boolean) => Promise<ApplyResult>;

const byId: Finish = ({ bench, id }, dryRun) => resumeJournal(id, { journals: bench.journals, allowJudgement: false, steps: null, dryRun, waitMs: 0 }, { rescan: async () => [] });
const byPlan: Finish = ({ bench, plan }, dryRun) => bench.apply(plan, { dryRun });

describe('an apply that stopped half-way', () => {
  it.each<[string, Finish]>([
    ['by its id', byId],
    ['by its plan', byPlan],
  ])('a dry run of finishing it %s writes nothing, neither to the store nor to the journals', async (_name, finish) => {
    const half = await halfDone();
    const { folder, bench } = half;
    const before = [contentsOf(folder), contentsOf(bench.journals)];
    const result = await finish(half, true);
    expect(result).toMatchObject({ dryRun: true, journal: null, resumed: false, done: [{ id: '1' }] });
    expect([contentsOf(folder), contentsOf(bench.journals)]).toEqual(before);
  });

  it('a dry run refuses where somebody else changed a file since', async () => {
    const half = await halfDone();
    writeFileSync(join(half.folder, 'b.json'), '{"n":7}');
    await expect(byId(half, true)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('b.json is neither as before nor as after') });
  });

  it.each<[string, Finish]>([
    ['by its id', byId],
    ['by its plan', byPlan],
  ])('finished %s although an undo of it had begun: a later undo gives back all of it', async (_name, finish) => {
    const half = await halfDone();
    const { folder, bench, id, before } = half;
    await finish(half, false);
    expect(contents(folder)).toEqual(['{"n":2}', '{"n":2}']);
    expect((await journalStatuses(bench.journals)).filter(({ state }) => state === 'unfinished')).toEqual([]);
    const { paths } = await bench.undo(id);
    expect(paths.length).toBe(2);
    expect(contentsOf(folder)).toEqual(before);
  });

  it('one of two stores, which fails at the second: both are as before, and the message says so of both', async () => {
    const stores = [temporaryFolder(), temporaryFolder()];
    const plans = stores.map((folder) => {
      writeFileSync(join(folder, 'a.json'), '{"n":1}');
      return planOf(folder, [{ kind: 'edit-json-file', path: join(folder, 'a.json'), edits: [{ op: 'set', path: ['n'], before: 1, after: 2 }] }]);
    });
    const [first, second] = plans;
    if (!first || !second) throw new Error('two plans');
    const plan: Plan = { ...first, stores: plans.flatMap((one) => one.stores), steps: [...first.steps, ...second.steps.map((step) => ({ ...step, id: '2' }))] };
    const before = stores.map(contentsOf);
    const written: string[] = [];
    let failed = false;
    setFaultHook((point, path) => {
      if (point !== 'rename' || !path.endsWith('a.json')) return;
      written.push(path);
      if (written.length !== 2 || failed) return;
      failed = true;
      throw Object.assign(new Error('EIO: injected'), { code: 'EIO' });
    });
    await expect(journalBench().apply(plan)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('all 2 stores are as they were before') });
    // The first one was written and given back, the second one never got its new bytes.
    expect(written.map((path) => stores.findIndex((folder) => path.startsWith(folder)))).toEqual([0, 1, 0]);
    expect(stores.map(contentsOf)).toEqual(before);
  });

  it('one of which nothing was done says so when it is taken back, and names no other journal', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.json'), '{"n":1}');
    const bench = journalBench();
    const path = join(folder, 'a.json');
    setFaultHook((point, at) => {
      if (point === 'rename' && at === path) throw Object.assign(new Error('EIO: injected'), { code: 'EIO' });
    });
    await expect(bench.apply(planOf(folder, [{ kind: 'edit-json-file', path, edits: [{ op: 'set', path: ['n'], before: 1, after: 2 }] }]))).rejects.toMatchObject({ exitCode: 2 });
    setFaultHook(null);
    const refused: unknown = await bench.undo(journalIds(bench.journals)[0] ?? '').catch((error: unknown) => error);
    expect(refused).toMatchObject({ exitCode: 3, message: expect.stringContaining('nothing of it is left to take back') });
    expect(JSON.stringify(refused)).not.toContain('undefined');
  });
});
