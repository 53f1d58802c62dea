import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journalStatuses } from '../../src/journal/status.ts';
import { runCli } from '../helpers/cli.ts';
import { faultyCli } from '../helpers/faulty-cli.ts';
import { contentsOf } from '../helpers/journal.ts';
import { copyOf, projectRoot, sampleData, temporaryFolder } from '../helpers/paths.ts';

const fixed = ['--zone', 'UTC', '--now', '2026-12-01T12:00:00Z'];
const signals = [['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 129]] as const;
/** A file that is replaced, and a database. */
const samples = ['openclaw-night', 'opencode-wrap'] as const;
const idIn = (text: string): string => /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[0-9a-f]{4}/.exec(text)?.[0] ?? '';

type Bench = { store: string; plan: string; state: string; journals: string; old: string[]; renew: () => void };

/** A store with its plan; `renew` gives both back as they were, journals away. */
function planned(sample: string): Bench {
  const work = temporaryFolder();
  const pristine = copyOf(join(sampleData, sample, 'store'));
  const store = join(work, 'store');
  const state = join(work, 'state');
  const plan = join(work, 'plan.json');
  const renew = (): void => {
    for (const path of [store, state]) rmSync(path, { recursive: true, force: true });
    cpSync(pristine, store, { recursive: true, preserveTimestamps: true });
  };
  renew();
  expect(runCli(['plan', store, '-o', plan, ...fixed], { env: { XDG_STATE_HOME: state } }).code).toBe(0);
  return { store, plan, state, journals: join(state, 'sessionfsck/journals'), old: contentsOf(store), renew };
}

const apply = ({ plan }: Bench): string[] => ['apply', plan, '--allow', 'judgement'];

describe('a stop signal in the middle of a command that writes', () => {
  it.each(samples)('apply on %s: brought to its end, or not begun; the exit code tells of the signal, the journal of the store', { timeout: 600_000 }, async (sample) => {
    const bench = planned(sample);
    const { operations, code } = faultyCli(0, 'SIGINT', apply(bench), bench.state);
    expect(code).toBe(0);
    const repaired = contentsOf(bench.store);
    const said = new Set<string>();
    for (const [index, [signal, expected]] of signals.entries()) {
      for (let n = 1 + index; n <= operations; n += Math.ceil(operations / 3)) {
        bench.renew();
        const run = faultyCli(n, signal, apply(bench), bench.state);
        const [status] = await journalStatuses(bench.journals);
        expect({ n, signal, code: run.code, killed: run.signal, told: run.stderr.includes('internal error') }).toEqual({ n, signal, code: expected, killed: null, told: false });
        const state = status?.state ?? 'none';
        said.add(state);
        expect(state).toMatch(/^(none|empty|done)$/);
        expect({ n, contents: contentsOf(bench.store) }).toEqual({ n, contents: state === 'done' ? repaired : bench.old });
        expect(idIn(run.stdout)).toBe(state === 'done' ? status?.id : '');
        expect(run.stderr.includes(`${signal} came in the middle of a change`)).toBe(state === 'done');
      }
    }
    expect(said.has('done')).toBe(true);
  });

  it.each(samples)('undo on %s: brought to its end', { timeout: 300_000 }, (sample) => {
    const bench = planned(sample);
    for (const [index, [signal, expected]] of signals.entries()) {
      bench.renew();
      const { code, stdout } = faultyCli(0, signal, apply(bench), bench.state);
      expect(code).toBe(0);
      const run = faultyCli(4 + index * 5, signal, ['undo', idIn(stdout)], bench.state);
      expect({ code: run.code, killed: run.signal, contents: contentsOf(bench.store) }).toEqual({ code: expected, killed: null, contents: bench.old });
      expect(run.stdout).toContain(`${idIn(stdout)} is taken back`);
    }
  });
});

describe('a stop signal while a command waits or reads', () => {
  it.each(signals)('%s ends apply --wait at once with %i; nothing was written', async (signal, expected) => {
    const bench = planned('openclaw-night');
    writeFileSync(join(bench.store, 'agents/main/sessions/sessions.json.lock'), JSON.stringify({ pid: process.pid, createdAt: '2026-12-01T11:00:00.000Z' }));
    const before = contentsOf(bench.store);
    const locks = join(bench.state, 'sessionfsck/locks');
    const child = spawn(process.execPath, [join(projectRoot, 'bin/sessionfsck.js'), 'apply', bench.plan, '--wait', '60'], { env: { ...process.env, XDG_STATE_HOME: bench.state } });
    const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => child.once('exit', (code, killed) => resolve([code, killed])));
    while (!existsSync(locks) || readdirSync(locks).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill(signal);
    expect(await ended).toEqual([expected, null]);
    expect([contentsOf(bench.store), existsSync(bench.journals)]).toEqual([before, false]);
    // The lock of the process that is gone does not stop the next one: only the store's own lock does.
    const next = runCli(['apply', bench.plan], { env: { XDG_STATE_HOME: bench.state } });
    expect([next.code, next.stderr.includes('holds sessions.json.lock')]).toEqual([3, true]);
  });
});
