import { join } from 'node:path';
import { makePrivateFolder, removeIfThere, writeNewFile } from '../io/atomic.ts';
import { readSmallFile } from '../io/files.ts';
import { processAlive, processStartTicks } from '../io/processes.ts';
import { sha256Of } from '../io/splice.ts';
import { RefusedError, errorCode } from '../model/errors.ts';
import { stateFolder } from './journal-file.ts';

/**
 * Keeps two runs of this program off one store: a file named by the store's path, with this process in it. Returns what
 * lets go. Throws RefusedError while another run lives.
 */
export function lockStore(storePath: string): () => void {
  const folder = join(stateFolder(), 'locks');
  makePrivateFolder(folder);
  const path = join(folder, `${sha256Of(storePath).slice(0, 24)}.lock`);
  const content = JSON.stringify({ pid: process.pid, starttime: processStartTicks(process.pid), store: storePath });
  for (let attempt = 0; ; attempt++) {
    try {
      writeNewFile(path, 0o600, (sink) => sink(Buffer.from(content, 'utf8')));
      return () => removeIfThere(path);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      const owner = ownerOf(path);
      if (owner !== null || attempt === 5) throw new RefusedError(`another sessionfsck${owner === null ? '' : ` (process ${owner})`} is working on ${storePath}`, 'wait until it is done');
      removeIfThere(path);
    }
  }
}

/** The live process that holds a lock of ours, or null. */
function ownerOf(path: string): number | null {
  try {
    const lock: { pid?: unknown; starttime?: unknown } = JSON.parse(readSmallFile(path, 65536).toString('utf8'));
    if (typeof lock.pid !== 'number' || processAlive(lock.pid) !== 'alive') return null;
    const ticks = processStartTicks(lock.pid);
    return typeof lock.starttime === 'number' && ticks !== null && ticks !== lock.starttime ? null : lock.pid;
  } catch {
    return null;
  }
}
