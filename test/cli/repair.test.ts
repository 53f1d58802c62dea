import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Plan } from '../../src/model/step.ts';
import { runCli, type CliRun } from '../helpers/cli.ts';
import { contentsOf } from '../helpers/journal.ts';
import { copyOf, projectRoot, sampleData, temporaryFolder } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

const night = join(sampleData, 'openclaw-night/store');
const now = ['--zone', 'UTC', '--now', '2026-12-01T12:00:00Z'];
const idIn = (text: string): string => /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[0-9a-f]{4}/.exec(text)?.[0] ?? '';

type Bench = { store: string; plan: string; run: (...args: string[]) => CliRun; state: string };

function bench(source = night): Bench {
  const store = copyOf(source);
  const work = temporaryFolder();
  const env = { XDG_STATE_HOME: join(work, 'state') };
  return { store, plan: join(work, 'plan.json'), state: env.XDG_STATE_HOME, run: (...args) => runCli(args, { env }) };
}

function planned(source = night): Bench {
  const made = bench(source);
  expect(made.run('plan', made.store, '-o', made.plan, ...now).code).toBe(0);
  return made;
}

describe('plan, apply, undo', () => {
  it('say whose step it is where two agents have some, and take back both databases', () => {
    const { store, plan, run } = bench(join(sampleData, 'openclaw-database/store'));
    const before = contentsOf(store);
    const made = run('plan', store, '-o', plan, ...now);
    expect([made.stdout.match(/agents\/main: /g)?.length, made.stdout.match(/agents\/side: /g)?.length]).toEqual([4, 3]);
    const applied = run('apply', plan, '--allow', 'judgement');
    expect([applied.code, applied.stdout.match(/agents\/side openclaw-agent\.sqlite/g)?.length]).toEqual([0, 2]);
    expect(run('scan', store, ...now)).toMatchObject({ code: 0 });
    expect(run('undo', idIn(applied.stdout)).code).toBe(0);
    expect(contentsOf(store)).toEqual(before);
  });

  it('go through and come back, and the texts name the journal and the command that undoes it', async () => {
    const { store, plan, run, state } = bench();
    const before = contentsOf(store);
    const made = await untouched(store, () => run('plan', store, '-o', plan, ...now));
    expect([made.code, made.stdout.includes('1 store, 1 step, 0 findings left without a step'), statSync(plan).mode & 0o777]).toEqual([0, true, 0o600]);
    expect(run('plan', store, '-o', plan, ...now).code).toBe(2);
    expect(run('plan', store, '-o', plan, '--force', ...now).code).toBe(0);

    const dry = await untouched(store, () => run('apply', plan, '--dry-run'));
    expect([dry.code, dry.stdout.includes('would do'), existsSync(join(state, 'sessionfsck/journals'))]).toEqual([0, true, false]);
    const applied = run('apply', plan);
    const id = idIn(applied.stdout);
    expect([applied.code, applied.stdout.includes(`sessionfsck undo ${id}`), applied.stdout.includes('watermark/orphaned gone, nothing new')]).toEqual([0, true, true]);
    const after = contentsOf(store);
    expect(run('scan', store, ...now).code).toBe(0);
    expect(run('apply', plan).code).toBe(3);
    expect(run('journals').stdout).toContain(`take back: sessionfsck undo ${id}`);

    expect([run('undo', id, '--dry-run').code, contentsOf(store)]).toEqual([0, after]);
    const undone = run('undo', id);
    expect([undone.code, contentsOf(store)]).toEqual([0, before]);
    const twice = run('undo', id);
    expect([twice.code, twice.stderr.includes('was taken back already')]).toEqual([3, true]);
    expect([run('undo', idIn(undone.stdout)).code, contentsOf(store)]).toEqual([0, after]);
  });

  it('as JSON say the same', () => {
    const { plan, run, store } = planned();
    const shown: Plan = JSON.parse(run('plan', store, '--json', ...now).stdout);
    expect(shown.steps.map((step) => [step.fix, step.class])).toEqual([['drop-orphaned-watermark', 'safe']]);
    const applied: { journal: string; rescan: { gone: string[] } } = JSON.parse(run('apply', plan, '--json').stdout);
    expect(applied.rescan.gone).toEqual(['watermark/orphaned']);
    const undone: { of: string } = JSON.parse(run('undo', applied.journal, '--json').stdout);
    expect(undone.of).toBe(applied.journal);
    const listed: { journals: { state: string }[] } = JSON.parse(run('journals', '--json').stdout);
    expect(listed.journals.map((journal) => journal.state)).toEqual(['undone', 'done']);
    expect(run('journals', '--prune').stdout).toContain('Would remove');
    run('journals', '--prune', '--yes');
    expect(run('journals').stdout).toContain('No journal');
  });

  it('only run what is allowed', () => {
    const { plan, run, store } = planned(join(sampleData, 'opencode-wrap/store'));
    const before = contentsOf(store);
    const refused = run('apply', plan);
    expect([refused.code, refused.stdout.includes('needs --allow judgement'), contentsOf(store)]).toEqual([3, true, before]);
    expect(run('apply', plan, '--step', 'none').code).toBe(2);
    expect(run('apply', plan, '--step', '1').code).toBe(0);
  });
});

describe('apply refuses', () => {
  it.each<[string, (plan: Plan, store: string) => void, number]>([
    ['a plan of another store', (plan) => { for (const store of plan.stores) store.path = `${store.path}-elsewhere`; }, 3],
    ['a path outside the store', (plan) => { plan.steps[0]?.actions.splice(0, 1, { kind: 'create-file', path: '/tmp/sessionfsck-outside', content: '', mode: 0o600 }); }, 3],
    ['an action that does not exist', (plan) => { Reflect.set(plan.steps[0]?.actions[0] ?? {}, 'kind', 'delete-everything'); }, 2],
    ['a step without actions', (plan) => { plan.steps[0]?.actions.splice(0); }, 2],
    ['a relative path', (plan) => { Reflect.set(plan.steps[0]?.actions[0] ?? {}, 'path', 'sessions.json'); }, 2],
    ['a path with dots', (plan, store) => { Reflect.set(plan.steps[0]?.actions[0] ?? {}, 'path', `${store}/agents/../../x`); }, 2],
    ['another version', (plan) => { Reflect.set(plan, 'schemaVersion', 2); }, 2],
    ['something else', (plan) => { Reflect.set(plan, 'kind', 'shopping'); }, 2],
  ])('%s', (_name, edit, code) => {
    const { store, plan, run } = planned();
    const content: Plan = JSON.parse(readFileSync(plan, 'utf8'));
    edit(content, store);
    writeFileSync(plan, JSON.stringify(content));
    const before = contentsOf(store);
    const result = run('apply', plan);
    expect([result.code, result.stderr.includes('internal error'), contentsOf(store)]).toEqual([code, false, before]);
    expect(existsSync('/tmp/sessionfsck-outside')).toBe(false);
  });

  it('what is no plan at all', () => {
    const { run } = bench();
    const file = join(temporaryFolder(), 'x');
    for (const text of ['', '{', '[]', 'null', '{"kind":"sessionfsck-plan","schemaVersion":1}']) {
      writeFileSync(file, text);
      const result = run('apply', file);
      expect([text, result.code, result.stderr.includes('internal error')]).toEqual([text, 2, false]);
    }
    expect(run('undo', 'nonsense').code).toBe(2);
    expect(run('undo', '2026-11-30T17-58-03Z-7f3a').code).toBe(2);
  });

  it('a store that changed since the plan', () => {
    const { store, plan, run } = planned();
    writeFileSync(join(store, 'agents/main/sessions/new.jsonl'), '');
    const result = run('apply', plan);
    expect([result.code, result.stderr.includes('changed since the plan')]).toEqual([3, true]);
  });

  it('a store whose lock has a live process, and names it', () => {
    const { store, plan, run } = planned();
    writeFileSync(join(store, 'agents/main/sessions/sessions.json.lock'), JSON.stringify({ pid: process.pid, createdAt: '2026-12-01T11:00:00.000Z' }));
    const result = run('apply', plan);
    expect([result.code, result.stderr.includes(`process ${process.pid} holds sessions.json.lock since 2026-12-01T11:00:00.000Z`)]).toEqual([3, true]);
    expect(run('apply', plan, '--wait', '1').code).toBe(3);
  });

  it.runIf(process.platform === 'linux')('a database that another process has open, idle or writing', async () => {
    const { store, plan, run } = planned(join(sampleData, 'opencode-wrap/store'));
    const child = spawn(process.execPath, ['-e', `const D = require('better-sqlite3'); const db = new D(process.argv[1]); db.prepare('SELECT count(*) FROM session').get(); console.log('open'); setInterval(() => {}, 1000);`, join(store, 'opencode.db')], { cwd: projectRoot });
    onTestFinished(() => void child.kill('SIGKILL'));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const before = contentsOf(store);
    const result = run('apply', plan, '--allow', 'judgement');
    expect([result.code, result.stderr.includes(`process ${child.pid}`), contentsOf(store)]).toEqual([3, true, before]);
  });

  it.runIf(process.getuid?.() !== 0)('a folder that may not be written to (not as root, who may)', () => {
    const { store, plan, run } = planned();
    const folder = join(store, 'agents/main/sessions');
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    expect(run('apply', plan).code).toBe(2);
  });

  it('a second apply while one is working', async () => {
    const { store, plan, state } = planned();
    const env = { ...process.env, XDG_STATE_HOME: state, NO_COLOR: '1' };
    const start = (): Promise<number | null> => new Promise((resolve) => spawn(process.execPath, [join(projectRoot, 'bin/sessionfsck.js'), 'apply', plan], { env }).once('exit', resolve));
    const codes = await Promise.all([start(), start(), start()]);
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    expect(codes.filter((code) => code === 3)).toHaveLength(2);
    expect(contentsOf(store).length).toBeGreaterThan(0);
  });
});

describe('a database that was not closed', () => {
  it('is repaired with the rows of its WAL, and undone to the same rows', () => {
    const source = copyOf(join(sampleData, 'opencode-wrap/store'));
    const file = join(source, 'opencode.db');
    const store = join(temporaryFolder(), 'store');
    mkdirSync(store);
    // Rows that only the WAL has: copy both files while the writer still has them open.
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.pragma('wal_autocheckpoint = 0');
    db.prepare("UPDATE session SET time_updated = time_updated + 1").run();
    for (const name of ['opencode.db', 'opencode.db-wal']) writeFileSync(join(store, name), readFileSync(join(source, name)));
    db.close();
    const { run, plan, store: root } = planned(store);
    expect(statSync(join(root, 'opencode.db-wal')).size).toBeGreaterThan(32);
    const before = contentsOf(root);
    const applied = run('apply', plan, '--allow', 'judgement');
    expect(applied.code).toBe(0);
    expect(contentsOf(root)).not.toEqual(before);
    expect(run('undo', idIn(applied.stdout)).code).toBe(0);
    expect(contentsOf(root)).toEqual(before);
  });
});

describe('a torn journal', () => {
  it('is named as such and never used', () => {
    const { store, plan, run, state } = planned();
    const id = idIn(run('apply', plan).stdout);
    const file = join(state, 'sessionfsck/journals', id, 'journal.json');
    const whole = readFileSync(file, 'utf8');
    const after = contentsOf(store);
    for (const text of [whole.slice(0, -200), whole.replace('sessions.json', 'sessions_json'), '']) {
      writeFileSync(file, text);
      const result = run('undo', id);
      expect([result.code, result.stderr.includes('torn'), contentsOf(store)]).toEqual([2, true, after]);
      expect(run('journals').stdout).toContain('torn');
    }
    writeFileSync(file, whole);
    expect(run('undo', id).code).toBe(0);
  });
});
