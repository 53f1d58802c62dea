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
    for (const path of [...new Set(stores.map((store) => store.path))].sort()) release.push(lockStore(path));
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

/**
 * Runs `work` to its end although somebody asks to stop: between the first write and the verdict an interrupt would only
 * leave more to be finished later. What was asked for is done a moment later anyway, when the program ends.
 */
export async function uninterrupted<T>(work: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const kept = signals.map((signal) => ({ signal, listeners: process.rawListeners(signal) }));
  const ignore = (): void => {};
  for (const signal of signals) {
    process.removeAllListeners(signal);
    process.on(signal, ignore);
  }
  try {
    return await work();
  } finally {
    for (const { signal, listeners } of kept) {
      process.removeListener(signal, ignore);
      for (const listener of listeners) process.on(signal, (...args) => void Reflect.apply(listener, process, args));
    }
  }
}
