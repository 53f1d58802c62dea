import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Installed programs are kept here between runs. */
export const clientCache = join(tmpdir(), `sessionfsck-clients-${process.getuid?.() ?? 0}`);

/** The port of the provider stub; each run has a network namespace of its own, so it is always free. */
export const stubPort = 8099;

/** One run of a published program. */
export type ClientRun = {
  exitCode: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  /** Bodies of the chat-completion requests, in order. */
  calls: ProviderCall[];
  /** Why it was killed: too many provider calls, or time. */
  stopped: 'no' | 'calls' | 'time';
};

export type ProviderCall = { model: string; messages: { role: string; content: unknown }[] };

export type ClientJob = {
  command: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment; nothing of this process's reaches the program. */
  env: Record<string, string>;
  input?: string;
  timeoutMs?: number;
  /** The stub kills the program at this call. */
  maxCalls?: number;
};

const inside = fileURLToPath(new URL('inside.mjs', import.meta.url));
const namespace = ['-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

/** Why published programs cannot be run in isolation here, or null when they can. */
export function isolationMissing(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return `the programs are those for linux-x64, this is ${process.platform}-${process.arch}`;
  const probe = spawnSync('unshare', [...namespace, 'true'], { encoding: 'utf8' });
  if (probe.error) return 'unshare is not installed';
  return probe.status === 0 ? null : `no network namespace can be made here: ${probe.stderr.trim().split('\n')[0]}`;
}

/**
 * Installs `name@version` from the npm registry, or finds it from an earlier run. Returns the folder that holds its
 * node_modules, or why it cannot be had. Install scripts do not run.
 */
export function installProgram(spec: string): { folder: string } | { reason: string } {
  const folder = join(clientCache, spec.replaceAll('/', '+'));
  if (existsSync(folder)) return { folder };
  mkdirSync(clientCache, { recursive: true, mode: 0o700 });
  const partial = mkdtempSync(join(clientCache, 'partial-'));
  const args = ['install', '--prefix', partial, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1', '--fetch-timeout=60000', spec];
  const run = spawnSync('npm', args, { encoding: 'utf8', timeout: 300_000 });
  if (run.status !== 0) {
    rmSync(partial, { recursive: true, force: true });
    const line = run.stderr.split('\n').find((text) => text.includes('npm error')) ?? run.error?.message ?? 'npm failed';
    return { reason: `${spec} cannot be installed from the npm registry: ${line.replace('npm error', '').trim()}` };
  }
  try {
    renameSync(partial, folder);
  } catch {
    // Another run was faster.
    rmSync(partial, { recursive: true, force: true });
  }
  return { folder };
}

/** Isolation and every program, or the first reason why not. `folders` are keyed by spec. */
export function preparePrograms(specs: readonly string[]): { folders: Map<string, string> } | { reason: string } {
  const missing = isolationMissing();
  if (missing !== null) return { reason: missing };
  const folders = new Map<string, string>();
  for (const spec of specs) {
    const installed = installProgram(spec);
    if ('reason' in installed) return installed;
    folders.set(spec, installed.folder);
  }
  return { folders };
}

/** Runs a program in a network namespace of its own, beside a provider stub on 127.0.0.1:8099 that answers every prompt. */
export function runClient(job: ClientJob): ClientRun {
  const timeoutMs = job.timeoutMs ?? 180_000;
  const run = spawnSync('unshare', [...namespace, process.execPath, inside], {
    input: JSON.stringify({ input: '', maxCalls: 5, port: stubPort, ...job, timeoutMs }),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: timeoutMs + 15_000,
    env: { PATH: process.env.PATH ?? '' },
  });
  if (run.status !== 0) throw new Error(`the run could not be made: ${run.error?.message ?? run.stderr}`);
  const result: ClientRun = JSON.parse(run.stdout);
  return result;
}

/** The user texts of a request, in order; texts of neighbouring prompts are one message. */
export function asked(call: ProviderCall | undefined): string {
  return (call?.messages ?? []).filter((message) => message.role === 'user').map((message) => JSON.stringify(message.content)).join('\n');
}

/** Whether all texts stand in `text`, one behind the other. */
export function inSequence(texts: readonly string[], text: string): boolean {
  let from = 0;
  for (const wanted of texts) {
    const at = text.indexOf(JSON.stringify(wanted).slice(1, -1), from);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}
