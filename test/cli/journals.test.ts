import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canBeNobody, runCli, type CliRun } from '../helpers/cli.ts';
import { faultyCli } from '../helpers/faulty-cli.ts';
import { contentsOf } from '../helpers/journal.ts';
import { copyOf, sampleData, temporaryFolder } from '../helpers/paths.ts';

const fixed = ['--zone', 'UTC', '--now', '2026-12-01T12:00:00Z'];
const idIn = (text: string): string => /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[0-9a-f]{4}/.exec(text)?.[0] ?? '';

type Row = { id: string; state: string; job: string | null; ageSeconds: number; bytes: number; undoable: boolean; by: string | null };
type Bench = { store: string; plan: string; state: string; journals: string; run: (...args: string[]) => CliRun; rows: (...args: string[]) => Row[] };

function bench(): Bench {
  const work = temporaryFolder();
  const state = join(work, 'state');
  const store = copyOf(join(sampleData, 'openclaw-night/store'));
  const plan = join(work, 'plan.json');
  const run = (...args: string[]): CliRun => runCli(args, { env: { XDG_STATE_HOME: state } });
  expect(run('plan', store, '-o', plan, ...fixed).code).toBe(0);
  return {
    store, plan, state, run,
    journals: join(state, 'sessionfsck/journals'),
    rows: (...args) => (JSON.parse(run('journals', '--json', ...args).stdout) as { journals: Row[] }).journals,
  };
}

describe('journals', () => {
  it('tells age and size; a clock that was ahead is named', () => {
    const { plan, run, rows } = bench();
    const id = idIn(run('apply', plan).stdout);
    const created = Date.now();
    const later = new Date(created + 3 * 86_400_000).toISOString();
    expect(rows('--now', later)).toMatchObject([{ id, state: 'done', undoable: true }]);
    expect(Math.round((rows('--now', later)[0]?.ageSeconds ?? 0) / 3600)).toBe(72);
    expect(rows()[0]?.bytes).toBeGreaterThan(1000);
    expect(run('journals', '--now', later).stdout).toMatch(/3 days ago/);
    expect(run('journals', '--now', new Date(created - 86_400_000).toISOString()).stdout).toMatch(/24 h ahead of this clock/);
  });

  it('removes nothing that is done, unfinished, torn or young, and says so', () => {
    const { plan, run, rows, journals, state, store } = bench();
    // Killed as it notes that the change is done.
    const whole = bench();
    const { operations } = faultyCli(0, 'SIGKILL', ['apply', whole.plan], whole.state);
    expect(faultyCli(operations - 9, 'SIGKILL', ['apply', plan], state).signal).toBe('SIGKILL');
    const [unfinished] = rows();
    expect(unfinished?.state).toBe('unfinished');
    mkdirSync(join(journals, '2026-01-01T00-00-00Z-0001'));
    writeFileSync(join(journals, '2026-01-01T00-00-00Z-0001/journal.json'), '{');
    mkdirSync(join(journals, '2026-01-02T00-00-00Z-0001'));
    const young = `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z-ffff`;
    mkdirSync(join(journals, young));
    const pruned = run('journals', '--prune', '--yes');
    expect([pruned.code, pruned.stdout.includes('Removed 2026-01-02T00-00-00Z-0001')]).toEqual([0, true]);
    expect(rows().map((row) => [row.id, row.state])).toEqual([['2026-01-01T00-00-00Z-0001', 'torn'], [unfinished?.id, 'unfinished'], [young, 'empty']]);
    expect(run('journals', '--prune').stdout).toContain('Nothing to remove');
    expect([run('undo', unfinished?.id ?? '').code, contentsOf(store).length]).toEqual([0, contentsOf(join(sampleData, 'openclaw-night/store')).length]);
    expect(run('journals', '--yes').code).toBe(2);
  });

  it('keeps the journal that an interrupted undo still takes back', () => {
    const { plan, run, rows, state, store } = bench();
    const before = contentsOf(store);
    const id = idIn(run('apply', plan).stdout);
    // Every point of the undo, the last ones too, where the apply says already that it was taken back.
    const whole = bench();
    const { operations } = faultyCli(0, 'SIGKILL', ['undo', idIn(whole.run('apply', whole.plan).stdout)], whole.state);
    expect(faultyCli(operations - 4, 'SIGKILL', ['undo', id], state).signal).toBe('SIGKILL');
    expect(rows().map((row) => [row.id === id, row.state])).toEqual([[true, 'undone'], [false, 'unfinished']]);
    expect(run('journals', '--prune', '--yes').stdout).toContain('Nothing to remove');
    expect(run('undo', id).code).toBe(0);
    expect(rows().map((row) => row.state)).toEqual(['undone', 'done']);
    expect(contentsOf(store)).toEqual(before);
  });

  it('removes an undo and the undo of it, and the apply can still be taken back', () => {
    const { plan, run, rows, store } = bench();
    const before = contentsOf(store);
    const id = idIn(run('apply', plan).stdout);
    const undo = idIn(run('undo', id).stdout);
    expect(run('undo', undo).code).toBe(0);
    run('journals', '--prune', '--yes');
    expect(rows().map((row) => [row.id, row.state])).toEqual([[id, 'done']]);
    expect([run('undo', id).code, contentsOf(store)]).toEqual([0, before]);
  });

  it('is not led astray by what else lies in the folder', () => {
    const { plan, run, rows, journals } = bench();
    const id = idIn(run('apply', plan).stdout);
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, 'precious'), 'x');
    for (const name of ['notes.txt', '2026-01-01T00-00-00Z-0001']) writeFileSync(join(journals, name), 'x');
    mkdirSync(join(journals, 'holiday photos'));
    symlinkSync(elsewhere, join(journals, '2026-01-01T00-00-00Z-0002'));
    symlinkSync('/nonexistent', join(journals, '2026-01-01T00-00-00Z-0003'));
    expect(rows().map((row) => row.id)).toEqual([id]);
    expect(run('journals', '--prune', '--yes').code).toBe(0);
    expect([existsSync(join(elsewhere, 'precious')), existsSync(join(journals, 'holiday photos'))]).toEqual([true, true]);
  });

  it('names a folder that is none, or may not be read', () => {
    const { run } = bench();
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const args of [['journals', '--journal-dir', file], ['undo', '2026-01-01T00-00-00Z-0001', '--journal-dir', file]]) {
      const result = run(...args);
      expect([result.code, result.stderr.includes(file), result.stderr.includes('internal error')]).toEqual([2, true, false]);
    }
  });

  it.runIf(canBeNobody)('of another user are named as not readable, and nothing else is said of them (needs root, who can be another user)', () => {
    const { plan, run, journals, state } = bench();
    const id = idIn(run('apply', plan).stdout);
    for (const folder of [join(state, '..'), state, join(state, 'sessionfsck'), journals]) chmodSync(folder, 0o755);
    const other = runCli(['journals', '--json', '--journal-dir', journals], { env: { XDG_STATE_HOME: join(temporaryFolder(), 'none'), HOME: '/nonexistent' }, uid: 65534 });
    expect(other.code).toBe(0);
    expect((JSON.parse(other.stdout) as { journals: Row[] }).journals).toMatchObject([{ id, state: 'unreadable', undoable: false }]);
    const pruned = runCli(['journals', '--prune', '--yes', '--journal-dir', journals], { env: { HOME: '/nonexistent' }, uid: 65534 });
    expect([pruned.code, pruned.stdout.includes('Nothing to remove'), existsSync(join(journals, id, 'journal.json'))]).toEqual([0, true, true]);
    const undone = runCli(['undo', id, '--journal-dir', journals], { env: { HOME: '/nonexistent', XDG_STATE_HOME: '/nonexistent' }, uid: 65534 });
    expect([undone.code, undone.stderr.includes('may not be read by this user')]).toEqual([2, true]);
    expect(readFileSync(join(journals, id, 'journal.json'), 'utf8').length).toBeGreaterThan(100);
  });
});
