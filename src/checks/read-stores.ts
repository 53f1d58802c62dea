import { errorMessage } from '../model/errors.ts';
import type { ReadError } from '../model/finding.ts';
import type { Reader } from '../model/version.ts';
import { discover, openStore, type OpenStore } from '../stores/discover.ts';
import { chooseReader, type ScanOptions } from './scan.ts';

/**
 * Opens the stores at `paths` (none: this user's) one after the other, reads what their digests hold, and hands each to `work`
 * while it is open. For commands that show what a store holds instead of running checks. Never throws for what a store holds.
 */
export async function readStores(paths: readonly string[], options: ScanOptions, work: (opened: OpenStore, reader: Reader) => void | Promise<void>): Promise<ReadError[]> {
  const { stores, errors } = discover(paths);
  for (const ref of stores) {
    let opened: OpenStore;
    try {
      opened = await openStore(ref, { snapshotDir: options.snapshotDir ?? null, inPlace: options.inPlace ?? false, deep: options.deep ?? false, now: options.now ?? Date.now(), shard: options.shard ?? null });
    } catch (error) {
      errors.push({ store: ref.id, message: errorMessage(error), path: ref.path });
      continue;
    }
    const { snapshot } = opened;
    try {
      await work(opened, chooseReader(snapshot, options.readers));
    } catch (error) {
      errors.push({ store: ref.id, message: errorMessage(error), path: ref.path });
    } finally {
      errors.push(...snapshot.errors);
      snapshot.close();
    }
  }
  return errors;
}

/** Reads a store's digests to the end, for what its snapshot keeps of them. */
export function readDigests(opened: OpenStore): void {
  const digests = opened.snapshot.digests()[Symbol.iterator]();
  while (!digests.next().done) continue;
}
