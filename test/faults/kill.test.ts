import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setFlushing } from '../../src/io/faults.ts';
import { journalStatuses } from '../../src/journal/status.ts';
import type { Plan } from '../../src/model/step.ts';
import { contentsOf, journalBench, planOf, type Bench } from '../helpers/journal.ts';
import { projectRoot, temporaryFolder } from '../helpers/paths.ts';
import { everyWay } from './store.ts';

beforeAll(() => setFlushing(false));
afterAll(() => setFlushing(true));

/** True when the process died at its n-th operation; false when it had fewer. */
function killedAt(job: 'apply' | 'undo', journals: string, target: string, n: number): boolean {
  const run = spawnSync(process.execPath, [join(projectRoot, 'test/faults/worker.mjs'), job, journals, target, String(n)], { encoding: 'utf8', env: { ...process.env, XDG_STATE_HOME: join(journals, '..') } });
  return run.signal === 'SIGKILL';
}

type Said = { state: string; detail: string | null; undoable: boolean };

async function saidOf(bench: Bench): Promise<Said> {
  const status = (await journalStatuses(bench.journals)).find((one) => one.journal?.job !== 'undo');
  return { state: status?.state ?? 'none', detail: status?.detail ?? null, undoable: status?.undoable ?? false };
}

/** Ends what was interrupted: by undo for even n, by apply for odd ones. Returns what the store must be now. */
async function end(bench: Bench, plan: Plan, said: Said, n: number): Promise<'old' | 'new'> {
  if (said.state === 'done') return 'new';
  if (said.state === 'unfinished' && n % 2 === 0) {
    const id = (await journalStatuses(bench.journals))[0]?.id ?? '';
    await bench.undo(id);
    return 'old';
  }
  await bench.apply(plan);
  return 'new';
}

describe('a process killed at its n-th write', () => {
  it('apply: the journal says how far it came; undo gives the old store, apply the new one, for every n', { timeout: 1_800_000 }, async () => {
    const example = everyWay();
    const images = { old: contentsOf(example.folder), new: [] as string[] };
    await journalBench().apply(planOf(example.folder, example.actions));
    images.new = contentsOf(example.folder);
    const visible = (folder: string): string[] => contentsOf(folder).filter((line) => !/\.tmp \d/.test(line));
    let n = 0;
    let killed = true;
    while (killed) {
      n++;
      const { folder, actions } = everyWay();
      const bench = journalBench();
      const plan = planOf(folder, actions);
      const file = join(temporaryFolder(), 'plan.json');
      writeFileSync(file, JSON.stringify(plan));
      killed = killedAt('apply', bench.journals, file, n);
      const said = await saidOf(bench);
      // What the journal says of the store is true before anything is ended.
      const claimed = said.detail === 'the store is as planned' || said.state === 'done' ? images.new : said.detail === 'the store is as before' || ['none', 'empty'].includes(said.state) ? images.old : visible(folder);
      expect({ n, said: said.state === 'unfinished' ? said.undoable : true, contents: visible(folder) }).toEqual({ n, said: true, contents: claimed });
      const goal = await end(bench, plan, said, n);
      expect({ n, contents: contentsOf(folder) }).toEqual({ n, contents: images[goal] });
    }
    expect(n).toBeGreaterThan(40);
  });

  it('undo: a second undo ends it, for every n', { timeout: 1_800_000 }, async () => {
    let n = 0;
    let killed = true;
    while (killed) {
      n++;
      const { folder, actions } = everyWay();
      const bench = journalBench();
      const old = contentsOf(folder);
      const { journal } = await bench.apply(planOf(folder, actions));
      killed = killedAt('undo', bench.journals, journal ?? '', n);
      if ((await saidOf(bench)).state !== 'undone') await bench.undo(journal ?? '');
      expect({ n, contents: contentsOf(folder) }).toEqual({ n, contents: old });
    }
    expect(n).toBeGreaterThan(40);
  });
});
