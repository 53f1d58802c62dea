import { linkSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder, removeIfThere, syncFolder, writeNewFile } from '../io/atomic.ts';
import { faultPoint } from '../io/faults.ts';
import { readSmallFile } from '../io/files.ts';
import { processAlive, processStartTicks } from '../io/processes.ts';
import { sha256Of } from '../io/splice.ts';
import { FriendlyError, RefusedError, errorCode, errorMessage } from '../model/errors.ts';
import { stateFolder } from './journal-file.ts';

/** Locks that this process holds now. */
const held = new Set<string>();

/**
 * Keeps two runs of this program off one store: a file named by the store's path, with this process in it. Returns what
 * lets go. Throws RefusedError while another run lives.
 */
export function lockStore(storePath: string): () => void {
  const folder = join(stateFolder(), 'locks');
  try {
    makePrivateFolder(folder);
  } catch (error) {
    throw new FriendlyError(`${folder} could not be made: ${errorMessage(error)}; nothing was changed`, 'set XDG_STATE_HOME to a folder that this user may write to');
  }
  const path = join(folder, `${sha256Of(storePath).slice(0, 24)}.lock`);
  const draft = `${path}.${process.pid}`;
  const content = JSON.stringify({ pid: process.pid, starttime: processStartTicks(process.pid), store: storePath });
  try {
    rmSync(draft, { force: true });
    writeNewFile(draft, 0o600, (sink) => sink(Buffer.from(content, 'utf8')));
    for (let attempt = 0; attempt < 5; attempt++) {
      if (linked(draft, path)) {
        held.add(path);
        return () => {
          held.delete(path);
          removeIfThere(path);
        };
      }
      const owner = ownerOf(path);
      if (owner !== null) throw new RefusedError(`another sessionfsck (process ${owner}) is working on ${storePath}`, 'wait until it is done');
      removeStale(path);
    }
    throw new RefusedError(`another sessionfsck is working on ${storePath}`, 'wait until it is done');
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    throw new FriendlyError(`${path} could not be written: ${errorMessage(error)}; nothing was changed`, 'set XDG_STATE_HOME to a folder that this user may write to');
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Gives the lock its name, whole or not at all; false where the name is taken. */
function linked(draft: string, path: string): boolean {
  try {
    faultPoint('link', path);
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  return true;
}

/** Moves a stale lock aside; where another run took it over in between, that one stays in force. */
function removeStale(path: string): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (ownerOf(aside) !== null) linked(aside, path);
  rmSync(aside, { force: true });
}

/** The live process that holds a lock of ours, or null. */
function ownerOf(path: string): number | null {
  try {
    const lock: { pid?: unknown; starttime?: unknown } = JSON.parse(readSmallFile(path, 65536).toString('utf8'));
    if (typeof lock.pid !== 'number' || processAlive(lock.pid) !== 'alive') return null;
    const ticks = processStartTicks(lock.pid);
    // Left by an earlier run of this very process that could not remove it.
    if (lock.pid === process.pid && !held.has(path)) return null;
    return typeof lock.starttime === 'number' && ticks !== null && ticks !== lock.starttime ? null : lock.pid;
  } catch {
    return null;
  }
}
