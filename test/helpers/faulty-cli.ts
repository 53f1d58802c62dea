import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

export type FaultyRun = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string; operations: number };

/**
 * Runs the built program and lets `what` happen at its n-th operation that changes a disk: a signal to itself, or a disk that
 * is full from then on. n 0: nothing happens; `operations` then says how many there are.
 */
export function faultyCli(n: number, what: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL' | 'ENOSPC', args: readonly string[], state: string): FaultyRun {
  const run = spawnSync(process.execPath, [join(projectRoot, 'test/faults/cli-worker.mjs'), String(n), what, ...args], {
    encoding: 'utf8',
    env: { ...process.env, XDG_STATE_HOME: state, XDG_CONFIG_HOME: '/nonexistent', NO_COLOR: '1', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  return { code: run.status, signal: run.signal, stdout: run.stdout, stderr: run.stderr, operations: Number(run.output[3] ?? 0) };
}
