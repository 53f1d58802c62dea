import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const peak = fileURLToPath(new URL('peak.mjs', import.meta.url));

/** True when a program of this name can be started. */
export function hasProgram(name) {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** The interpreter itself, not a version manager's shim in front of it; null where there is none. */
export function pythonPath() {
  const asked = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  return asked.status === 0 ? asked.stdout.trim() : null;
}

/** Words in front of a command that keep it on one core; none where that cannot be had. */
export const pin = hasProgram('taskset') ? ['taskset', '-c', '0'] : [];
export const oneCore = pin.length > 0;

/** GNU time tells the seconds a program computed, which a busy machine does not change; without it the wall clock counts. */
const gnuTime = spawnSync('/usr/bin/time', ['-f', '%U', 'true'], { encoding: 'utf8' });
export const countsComputing = gnuTime.status === 0 && /^\d+\.\d+\s*$/.test(gnuTime.stderr);

/**
 * Runs a command on one core where that can be had, stdout into nothing. Returns seconds (user and system time where GNU
 * time is there, else wall), wall seconds, exit code, and for Node programs the peak resident memory in bytes.
 */
export function run(command) {
  const folder = mkdtempSync(join(tmpdir(), 'sessionfsck-peak-'));
  const memory = join(folder, 'rss');
  const times = join(folder, 'times');
  const sink = openSync('/dev/null', 'w');
  const isNode = command[0] === process.execPath;
  const words = [...pin, ...(countsComputing ? ['/usr/bin/time', '-o', times, '-f', '%U %S'] : []), ...(isNode ? [command[0], '--import', peak, ...command.slice(1)] : command)];
  try {
    const start = process.hrtime.bigint();
    const { status, error } = spawnSync(words[0], words.slice(1), { stdio: ['ignore', sink, 'inherit'], env: { ...process.env, BENCH_PEAK_FILE: memory } });
    const wall = Number(process.hrtime.bigint() - start) / 1e9;
    if (error) throw error;
    const computed = countsComputing ? readFileSync(times, 'utf8').trim().split('\n').at(-1).split(' ').map(Number) : [wall];
    return { seconds: computed.reduce((a, b) => a + b, 0), wall, status, peakBytes: isNode ? Number(readFileSync(memory, 'utf8')) : null };
  } finally {
    closeSync(sink);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The fastest of `times` runs of each command, run in turn so that a slow moment of the machine hits all alike. */
export function compare(commands, times) {
  const best = new Map();
  for (let i = 0; i < times; i++) {
    for (const [name, command] of Object.entries(commands)) {
      const result = run(command);
      const known = best.get(name);
      best.set(name, {
        seconds: Math.min(result.seconds, known?.seconds ?? Infinity),
        wall: Math.min(result.wall, known?.wall ?? Infinity),
        status: result.status,
        peakBytes: Math.max(result.peakBytes ?? 0, known?.peakBytes ?? 0),
      });
    }
  }
  return best;
}
