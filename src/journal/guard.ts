import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { placeOf } from '../io/files.ts';
import { FriendlyError, RefusedError, errorCode, errorMessage } from '../model/errors.ts';
import type { StoreRef } from '../model/store.ts';
import { liveHolders } from '../stores/holders.ts';
import { lockStore } from './own-lock.ts';

const pollMs = 250;

/** Waits until nobody holds the stores, at most `waitMs`. Throws RefusedError that names who does. */
export async function requireQuiet(stores: readonly StoreRef[], waitMs: number): Promise<void> {
  const until = Date.now() + waitMs;
  for (const store of stores) {
    for (;;) {
      const holders = await liveHolders(store, Date.now(), null);
      if (holders.length === 0) break;
      if (Date.now() >= until) throw new RefusedError(`${store.label} is in use: ${holders.slice(0, 3).join('; ')}`, 'stop it, or pass --wait 60');
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }
}

/** What the system refused in words; a bug stays what it is. */
function told(error: unknown): unknown {
  const code = errorCode(error);
  if (error instanceof FriendlyError || code === '' || code.startsWith('ERR_')) return error;
  return new FriendlyError(`the system refused: ${errorMessage(error)}`, 'sessionfsck journals says how far it came and how to go on');
}

/** Runs `work` while no other run of this program may touch the stores. */
export async function withStores<T>(stores: readonly { path: string }[], work: () => Promise<T>): Promise<T> {
  const release: (() => void)[] = [];
  try {
    for (const path of [...new Set(stores.map((store) => placeOf(store.path)))].sort()) release.push(lockStore(path));
    return await work();
  } catch (error) {
    throw told(error);
  } finally {
    for (const free of release) {
      try {
        free();
      } catch {
        // A lock whose process is gone is removed by the next run.
      }
    }
  }
}

/** Refuses a folder for journals that lies inside a store: they hold old transcripts, which the product or the next scan would take for its own. */
export function requireOutside(journals: string, stores: readonly { path: string; label: string }[]): void {
  let folder = journals;
  while (placeOf(folder) === folder && !existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const place = placeOf(folder);
  for (const store of stores) {
    const root = placeOf(store.path);
    if (place === root || place.startsWith(`${root}${sep}`)) throw new RefusedError(`the journals would lie in ${journals}, inside ${store.label}`, 'name a place outside the store with --journal-dir DIR');
  }
}
