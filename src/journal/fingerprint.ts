import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { fileState } from '../io/files.ts';
import { RefusedError } from '../model/errors.ts';
import { refOf, type PlannedStore, type StoreFingerprint } from '../model/step.ts';
import type { StoreRef } from '../model/store.ts';
import { storeFiles } from '../stores/holders.ts';

/**
 * What tells whether a store is still the one that was scanned: names, sizes in bytes and mtimes of its files. Lock files
 * come and go and do not count.
 */
export function storeFingerprint(ref: StoreRef): StoreFingerprint {
  const hash = createHash('sha256');
  let files = 0;
  let bytes = 0;
  for (const path of storeFiles(ref).sort()) {
    if (path.endsWith('.lock') || path.endsWith('-shm')) continue;
    const state = fileState(path);
    if (state === null) continue;
    files++;
    bytes += state.size;
    hash.update(`${relative(ref.home, path)}\0${state.size}\0${state.mtimeNs}\n`);
  }
  return { digest: hash.digest('hex'), files, bytes };
}

/** Refuses where a store is no longer the one that was planned for. */
export function requireSameStores(stores: readonly PlannedStore[]): void {
  for (const store of stores) {
    const now = storeFingerprint(refOf(store));
    if (now.digest === store.fingerprint.digest) continue;
    const grown = now.files !== store.fingerprint.files ? `${now.files} files instead of ${store.fingerprint.files}` : `${now.bytes} bytes instead of ${store.fingerprint.bytes}`;
    throw new RefusedError(`${store.label} changed since the plan was made (${now.files === store.fingerprint.files && now.bytes === store.fingerprint.bytes ? 'a file was written' : grown})`, `sessionfsck plan ${store.path} -o plan.json --force makes a new one`);
  }
}
