import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../model/errors.ts';
import { realPath } from './files.ts';

/** Whether a process of this host lives. 'unknown' when this system does not tell. */
export function processAlive(pid: number): 'alive' | 'gone' | 'unknown' {
  if (!Number.isInteger(pid) || pid <= 0) return 'gone';
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    if (errorCode(error) === 'EPERM') return 'alive';
    if (errorCode(error) === 'ESRCH') return 'gone';
    // Node rejects numbers above the platform's range: no such process can exist.
    return pid > 2 ** 31 - 1 ? 'gone' : 'unknown';
  }
}

/** Start time of a process in clock ticks since boot (field 22 of /proc/PID/stat), or null where it cannot be had. */
export function processStartTicks(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[19]);
    return Number.isFinite(ticks) ? ticks : null;
  } catch {
    return null;
  }
}

/** Clock ticks a second, as /proc counts them on every usual Linux. */
const ticksPerSecond = 100;

/** When a process began, ms since the epoch, or null where it cannot be had. Good to a second or so. */
export function processStartedAt(pid: number): number | null {
  const ticks = processStartTicks(pid);
  if (ticks === null) return null;
  try {
    const boot = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'));
    return boot ? (Number(boot[1]) + ticks / ticksPerSecond) * 1000 : null;
  } catch {
    return null;
  }
}

export type Holder = { pid: number; command: string; path: string };

/** The other processes that have one of these files open, as far as this user may see (/proc/PID/fd; empty elsewhere). */
export function fileHolders(paths: readonly string[]): Holder[] {
  // The system names files without the links that lead to them.
  const wanted = new Map(paths.map((path) => [realPath(path), path]));
  const holders: Holder[] = [];
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  } catch {
    return holders;
  }
  for (const pid of pids) {
    let descriptors: string[];
    try {
      descriptors = readdirSync(`/proc/${pid}/fd`);
    } catch {
      continue;
    }
    const seen = new Set<string>();
    for (const descriptor of descriptors) {
      let target: string;
      try {
        target = readlinkSync(join('/proc', pid, 'fd', descriptor));
      } catch {
        continue;
      }
      const path = wanted.get(target.replace(/ \(deleted\)$/, ''));
      if (path !== undefined && !seen.has(path)) {
        seen.add(path);
        holders.push({ pid: Number(pid), command: commandOf(pid), path });
      }
    }
  }
  return holders;
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
