import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { RefusedError, UnreadableError, errorCode, errorMessage } from '../model/errors.ts';
import { makeFolders } from './folders.ts';
import { processAlive, processStartTicks } from './processes.ts';

type Owner = { pid: number; startTicks: number | null; since: string };

/**
 * Takes a lock file so that two runs do not overlap; returns what gives it back. The lock of a process that is gone, or whose
 * number another process has now, is taken over. Throws RefusedError while its owner lives.
 */
export function takeRunLock(path: string, since: string): () => void {
  const own: Owner = { pid: process.pid, startTicks: processStartTicks(process.pid), since };
  const draft = `${path}.${process.pid}`;
  try {
    makeFolders(dirname(path), 0o700);
    writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
  } catch (error) {
    throw new UnreadableError(`the lock ${path} could not be written: ${errorMessage(error)}`, path, 'name another one with --lock FILE');
  }
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        // A link is made whole or not at all, unlike a file that is opened and then written.
        linkSync(draft, path);
        const release = (): void => {
          if (sameOwner(readOwner(path), own)) rmSync(path, { force: true });
        };
        process.once('exit', release);
        return () => {
          process.off('exit', release);
          release();
        };
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw new UnreadableError(`the lock ${path} could not be made: ${errorMessage(error)}`, path, 'name another one with --lock FILE');
      }
      const owner = readOwner(path);
      if (owner && lives(owner)) throw new RefusedError(`another audit runs: process ${owner.pid} holds ${path} since ${owner.since}`, 'wait for it, or bound it with --max-duration');
      takeAway(path, owner);
    }
    throw new RefusedError(`the lock ${path} goes from hand to hand: other audits start at the same time`, 'start them apart, or name another lock with --lock FILE');
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Moves a stale lock aside; if it was another's by then, that one stays in force. */
function takeAway(path: string, stale: Owner | null): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
    const moved = readOwner(aside);
    if (moved && !sameOwner(moved, stale) && lives(moved)) {
      try {
        linkSync(aside, path);
      } catch {
        // A third one holds it by now.
      }
    }
    rmSync(aside, { force: true });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

function readOwner(path: string): Owner | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number') return null;
    const startTicks = 'startTicks' in value && typeof value.startTicks === 'number' ? value.startTicks : null;
    return { pid: value.pid, startTicks, since: 'since' in value && typeof value.since === 'string' ? value.since : 'an unknown time' };
  } catch {
    return null;
  }
}

function sameOwner(a: Owner | null, b: Owner | null): boolean {
  return a === b || (a !== null && b !== null && a.pid === b.pid && a.startTicks === b.startTicks && a.since === b.since);
}

function lives(owner: Owner): boolean {
  if (processAlive(owner.pid) === 'gone') return false;
  const ticks = processStartTicks(owner.pid);
  return owner.startTicks === null || ticks === null || ticks === owner.startTicks;
}
