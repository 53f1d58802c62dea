import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

export type CliRun = { code: number | null; stdout: string; stderr: string };

/** Runs the built program as a user would; `uid`: as another user, which only root may. */
export function runCli(args: readonly string[], options: { env?: Record<string, string>; cwd?: string; input?: string; uid?: number } = {}): CliRun {
  const run = spawnSync(process.execPath, [join(projectRoot, 'bin/sessionfsck.js'), ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    cwd: options.cwd,
    input: options.input,
    uid: options.uid,
    gid: options.uid,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '', TZ: 'UTC', XDG_CONFIG_HOME: '/nonexistent', XDG_CONFIG_DIRS: '/nonexistent', ...options.env },
  });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

/** Whether tests can be another user (nobody): they run as root, and that user may read the program. */
export const canBeNobody = process.getuid?.() === 0 && runCli(['--version'], { uid: 65534, cwd: '/' }).code === 0;
