import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setFaultHook, setFlushing } from '../../src/io/faults.ts';
import { journalStatuses } from '../../src/journal/status.ts';
import { FriendlyError } from '../../src/model/errors.ts';
import { contentsOf, journalBench, planOf, type Bench } from '../helpers/journal.ts';
import { everyWay } from './store.ts';

beforeAll(() => setFlushing(false));
afterAll(() => setFlushing(true));
afterEach(() => setFaultHook(null));

/** Fails the n-th operation that changes a disk, or it and all later ones. */
function failAt(n: number, code: string, forEver: boolean): () => boolean {
  let count = 0;
  setFaultHook(() => {
    count++;
    if (count === n || (forEver && count > n)) throw Object.assign(new Error(`${code}: injected`), { code });
  });
  return () => count >= n;
}

async function attempt(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'done';
  } catch (error) {
    return error instanceof FriendlyError ? 'failed' : `crashed: ${String(error)}`;
  } finally {
    setFaultHook(null);
  }
}

/** What the journals say after a failed apply; an unfinished one is taken back. */
async function settle(bench: Bench): Promise<'old' | 'new'> {
  const statuses = (await journalStatuses(bench.journals)).filter((status) => status.journal?.job === 'apply');
  const unfinished = statuses.find((status) => status.state === 'unfinished');
  if (unfinished) await bench.undo(unfinished.id);
  return statuses.some((status) => status.state === 'done') ? 'new' : 'old';
}

const faults = [['EIO', false], ['ENOSPC', true]] as const;

describe('an apply whose n-th write fails', () => {
  it.each(faults)('%s (for ever: %s): the store is old or new at every n, and the journals say which', { timeout: 1_200_000 }, async (code, forEver) => {
    const reference = everyWay();
    const images = { old: contentsOf(reference.folder), new: [] as string[] };
    await journalBench().apply(planOf(reference.folder, reference.actions));
    images.new = contentsOf(reference.folder);
    let reached = true;
    let n = 0;
    while (reached) {
      n++;
      const { folder, actions } = everyWay();
      const bench = journalBench();
      const plan = planOf(folder, actions);
      const hit = failAt(n, code, forEver);
      const result = await attempt(() => bench.apply(plan));
      reached = hit();
      const said = await settle(bench);
      expect({ n, result: result.startsWith('crashed') ? result : 'told', contents: contentsOf(folder) }).toEqual({ n, result: 'told', contents: images[said] });
    }
    expect(n).toBeGreaterThan(40);
  });
});

describe('an undo whose n-th write fails', () => {
  it.each(faults)('%s (for ever: %s): a second undo ends it at every n', { timeout: 1_200_000 }, async (code, forEver) => {
    let reached = true;
    let n = 0;
    while (reached) {
      n++;
      const { folder, actions } = everyWay();
      const bench = journalBench();
      const before = contentsOf(folder);
      const { journal } = await bench.apply(planOf(folder, actions));
      const hit = failAt(n, code, forEver);
      const first = await attempt(() => bench.undo(journal ?? ''));
      reached = hit();
      await attempt(() => bench.undo(journal ?? ''));
      expect({ n, first: first.startsWith('crashed') ? first : 'told', contents: contentsOf(folder) }).toEqual({ n, first: 'told', contents: before });
    }
    expect(n).toBeGreaterThan(40);
  });
});
