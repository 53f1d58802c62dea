import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makePlan, rescanAs } from '../../src/commands/planning.ts';
import { applyPlan } from '../../src/journal/apply.ts';
import { lockStore } from '../../src/journal/own-lock.ts';
import { placeOf } from '../../src/io/files.ts';
import { undoJournal } from '../../src/journal/undo.ts';
import { FriendlyError } from '../../src/model/errors.ts';
import type { Action } from '../../src/model/step.ts';
import { canBeNobody, runCli } from '../helpers/cli.ts';
import { contentsOf, journalBench, planOf } from '../helpers/journal.ts';
import { copyOf, sampleData, temporaryFolder } from '../helpers/paths.ts';

const night = join(sampleData, 'openclaw-night/store');
const options = { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z') };
const isRoot = process.getuid?.() === 0;

/** Plans, applies and takes back by path; the contents before and after. */
async function cycle(path: string, root: string): Promise<{ before: string[]; repaired: string[]; after: string[]; journals: string }> {
  const { journals } = journalBench();
  const before = contentsOf(root);
  const { plan } = await makePlan([path], options, []);
  const { journal, rolledBack } = await applyPlan(plan, JSON.stringify(plan), { journals, allowJudgement: false, steps: null, dryRun: false, waitMs: 0 }, rescanAs(plan.scan, undefined));
  expect(rolledBack).toBeNull();
  const repaired = contentsOf(root);
  await undoJournal(journal ?? '', { journals, dryRun: false, waitMs: 0 });
  return { before, repaired, after: contentsOf(root), journals };
}

describe('a store in an odd place', () => {
  it.each<[string, (store: string) => { path: string; root: string }]>([
    ['a name with spaces, quotes and a line break', (store) => {
      const root = join(temporaryFolder(), "it's a\nnew  \"place\" $HOME");
      renameSync(store, root);
      return { path: root, root };
    }],
    ['a path with ..', (store) => ({ path: `${store}/agents/../../${store.split('/').at(-1)}`, root: store })],
    ['a folder that is a link', (store) => {
      const link = join(temporaryFolder(), 'link');
      symlinkSync(store, link);
      return { path: link, root: store };
    }],
    ['a name beyond ASCII, not normalised', (store) => {
      const root = join(temporaryFolder(), 'Ablage-a\u0308-日誌-🦀');
      renameSync(store, root);
      return { path: root, root };
    }],
  ])('%s: repaired and given back', async (_name, place) => {
    const { path, root } = place(copyOf(night));
    const { before, repaired, after } = await cycle(path, root);
    expect(repaired).not.toEqual(before);
    expect(after).toEqual(before);
  });

  it.runIf(process.platform === 'linux')('a name that is not UTF-8: an error that names it, and nothing is written (Node has no word for such a name)', () => {
    const work = temporaryFolder();
    const made = spawnSync('sh', ['-c', `mv "$1" "$2/$(printf 'b\\377d')" && ls "$2"`, 'sh', copyOf(night), work], { encoding: 'latin1' });
    expect(made.stdout).toBe('b\u00ffd\n');
    const run = runCli(['plan', join(work, 'b\ufffdd'), '-o', join(work, 'plan.json')]);
    expect([run.code, run.stderr.includes('internal error'), run.stderr.includes('does not exist')]).toEqual([2, false, true]);
  });

  it('one store under two names has one lock', async () => {
    const store = copyOf(night);
    const link = join(temporaryFolder(), 'link');
    symlinkSync(store, link);
    const bench = journalBench();
    const free = lockStore(placeOf(link));
    onTestFinished(() => free());
    await expect(bench.apply(planOf(store, [{ kind: 'create-file', path: join(store, 'x'), content: '', mode: 0o600 }]))).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining(`process ${process.pid}`) });
  });
});

describe('journals', () => {
  const action = (folder: string): Action => ({ kind: 'create-file', path: join(folder, 'x'), content: '', mode: 0o600 });

  it.each<[string, (store: string) => string]>([
    ['inside the store', (store) => join(store, 'journals')],
    ['in the store itself', (store) => store],
    ['behind a link that leads into it', (store) => {
      const link = join(temporaryFolder(), 'link');
      symlinkSync(store, link);
      return join(link, 'deep', 'journals');
    }],
  ])('%s are refused', async (_name, place) => {
    const folder = temporaryFolder();
    const journals = place(folder);
    const before = contentsOf(folder);
    await expect(journalBench().apply(planOf(folder, [action(folder)]), { journals })).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('inside agents/main') });
    expect(contentsOf(folder)).toEqual(before);
  });

  it('behind a link that leads elsewhere are kept there', async () => {
    const folder = temporaryFolder();
    const target = temporaryFolder();
    const link = join(temporaryFolder(), 'link');
    symlinkSync(target, link);
    const bench = journalBench();
    const { journal } = await bench.apply(planOf(folder, [action(folder)]), { journals: link });
    expect(statSync(join(target, journal ?? '', 'journal.json')).isFile()).toBe(true);
    await undoJournal(journal ?? '', { journals: target, dryRun: false, waitMs: 0 });
    expect(contentsOf(folder)).toEqual([]);
  });
});

describe('an undo is bound to its target', () => {
  const create = (folder: string): Action => ({ kind: 'create-file', path: join(folder, 'x'), content: 'new', mode: 0o600 });

  it.each<[string, (folder: string) => void]>([
    ['a store that is gone', (folder) => rmSync(folder, { recursive: true })],
    ['a store that was moved', (folder) => {
      renameSync(folder, `${folder}-moved`);
      onTestFinished(() => rmSync(`${folder}-moved`, { recursive: true, force: true }));
    }],
    ['another store in its place', (folder) => {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      writeFileSync(join(folder, 'x'), 'other');
    }],
    ['a changed file', (folder) => writeFileSync(join(folder, 'x'), 'new and more')],
    ['a folder in the place of the file', (folder) => {
      rmSync(join(folder, 'x'));
      mkdirSync(join(folder, 'x'));
    }],
    ['a link in the place of the file', (folder) => {
      rmSync(join(folder, 'x'));
      symlinkSync('/etc/hostname', join(folder, 'x'));
    }],
  ])('%s: refused, and nothing is written', async (_name, change) => {
    const folder = join(temporaryFolder(), 'store');
    mkdirSync(folder);
    const bench = journalBench();
    const { journal } = await bench.apply(planOf(folder, [create(folder)]));
    change(folder);
    const after = contentsOf(join(folder, '..'));
    await expect(bench.undo(journal ?? '')).rejects.toBeInstanceOf(FriendlyError);
    expect(contentsOf(join(folder, '..'))).toEqual(after);
  });

  it('what others changed may be left as it is: the rest is given back', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'sessions.json'), '{"n":1}');
    const bench = journalBench();
    const { journal } = await bench.apply(planOf(folder, [create(folder), { kind: 'edit-json-file', path: join(folder, 'sessions.json'), edits: [{ op: 'set', path: ['n'], before: 1, after: 2 }] }]));
    writeFileSync(join(folder, 'x'), 'theirs');
    await expect(bench.undo(journal ?? '')).rejects.toMatchObject({ exitCode: 3, hint: expect.stringContaining('--leave-changed') });
    const result = await undoJournal(journal ?? '', { journals: bench.journals, dryRun: false, waitMs: 0, leave: () => true });
    expect(result).toMatchObject({ left: [join(folder, 'x')], paths: [join(folder, 'sessions.json')] });
    expect([readFileSync(join(folder, 'x'), 'utf8'), readFileSync(join(folder, 'sessions.json'), 'utf8')]).toEqual(['theirs', '{"n":1}']);
  });
});

describe('what a file is besides its bytes', () => {
  const edit = (folder: string): Action => ({ kind: 'edit-json-file', path: join(folder, 'f.json'), edits: [{ op: 'set', path: ['n'], before: 1, after: 2 }] });

  it.each([0o400, 0o444, 0o640, 0o4755, 0o2750, 0o1666, 0o7777])('mode %o is kept by apply and undo', async (mode) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'f.json'), '{"n":1}');
    chmodSync(join(folder, 'f.json'), mode);
    const bench = journalBench();
    const { journal } = await bench.apply(planOf(folder, [edit(folder)]));
    expect([readFileSync(join(folder, 'f.json'), 'utf8'), statSync(join(folder, 'f.json')).mode & 0o7777]).toEqual(['{"n":2}', mode]);
    await bench.undo(journal ?? '');
    expect([readFileSync(join(folder, 'f.json'), 'utf8'), statSync(join(folder, 'f.json')).mode & 0o7777]).toEqual(['{"n":1}', mode]);
  });

  it.runIf(isRoot)('owner and group are kept where root repairs (needs root)', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'f.json'), '{"n":1}');
    chownSync(join(folder, 'f.json'), 65534, 12345);
    chmodSync(join(folder, 'f.json'), 0o6750);
    const bench = journalBench();
    const { journal } = await bench.apply(planOf(folder, [edit(folder)]));
    const owner = (): number[] => [statSync(join(folder, 'f.json')).uid, statSync(join(folder, 'f.json')).gid, statSync(join(folder, 'f.json')).mode & 0o7777];
    expect(owner()).toEqual([65534, 12345, 0o6750]);
    await bench.undo(journal ?? '');
    expect(owner()).toEqual([65534, 12345, 0o6750]);
  });

  it.each([['a file', edit], ['a database', (folder: string): Action => ({ kind: 'update-rows', database: join(folder, 'f.json'), table: 't', rows: [] })]] as const)('%s with a second name (a hard link) is refused: a rename would part the two', async (_name, action) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'f.json'), '{"n":1}');
    linkSync(join(folder, 'f.json'), join(folder, 'second'));
    await expect(journalBench().apply(planOf(folder, [action(folder)]))).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('has 2 names (hard links)') });
    expect(readFileSync(join(folder, 'second'), 'utf8')).toBe('{"n":1}');
  });
});

describe.runIf(canBeNobody)('what this user may not write (needs root, who can be another user)', () => {
  /** A store that `nobody` may read; and its plan. */
  function foreign(): { store: string; plan: string; home: string; run: (...args: string[]) => { code: number | null; stderr: string } } {
    const work = temporaryFolder();
    chmodSync(work, 0o755);
    const store = join(work, 'store');
    renameSync(copyOf(night), store);
    const home = join(work, 'home');
    mkdirSync(home);
    chownSync(home, 65534, 65534);
    spawnSync('chown', ['-R', '65534:65534', store]);
    const run = (...args: string[]): { code: number | null; stderr: string } => runCli(args, { uid: 65534, env: { HOME: home, XDG_STATE_HOME: join(home, 'state'), TMPDIR: home } });
    const plan = join(home, 'plan.json');
    expect(run('plan', store, '-o', plan, '--zone', 'UTC', '--now', '2026-12-01T12:00:00Z')).toMatchObject({ code: 0 });
    return { store, plan, home, run };
  }

  it.each<[string, (store: string, home: string) => void, RegExp]>([
    ['the folder of the store', (store) => chmodSync(join(store, 'agents/main/sessions'), 0o555), /may not be written by this user/],
    ['the folder of the store, of another owner', (store) => {
      chownSync(join(store, 'agents/main/sessions'), 0, 0);
      chmodSync(join(store, 'agents/main/sessions'), 0o755);
    }, /may not be written by this user/],
    ['a file of another owner in a folder of one\'s own', (store) => chownSync(join(store, 'agents/main/sessions/sessions.json'), 0, 0), /may not be (read|written) by this user/],
    ['the state folder', (_store, home) => {
      chownSync(home, 0, 0);
      chmodSync(home, 0o755);
    }, /state[\s\S]*(could not be made|permission denied)/],
  ])('%s: exit 2, named, and the store is as before', (_name, change, names) => {
    const { store, plan, home, run } = foreign();
    change(store, home);
    const before = contentsOf(store);
    const result = run('apply', plan);
    expect({ code: result.code, text: result.stderr }).toEqual({ code: 2, text: expect.stringMatching(names) });
    expect(contentsOf(store)).toEqual(before);
  });

  it('a read-only file in a folder of one\'s own is repaired and stays read-only', () => {
    const { store, plan, run } = foreign();
    const file = join(store, 'agents/main/sessions/sessions.json');
    chmodSync(file, 0o400);
    expect(run('apply', plan)).toMatchObject({ code: 0 });
    expect([statSync(file).mode & 0o777, statSync(file).uid]).toEqual([0o400, 65534]);
  });
});
