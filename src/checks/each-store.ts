import { UnreadableError, errorAdvice } from '../model/errors.ts';
import type { ReadError } from '../model/finding.ts';
import { discover, openStore, type OpenStore } from '../stores/discover.ts';
import type { ScanOptions } from './scan.ts';

/**
 * Opens each store at `paths` in turn, hands it to `visit` and closes it. What cannot be opened or read becomes an error, and
 * the others are still visited.
 */
export async function eachStore(paths: readonly string[], options: ScanOptions, visit: (opened: OpenStore) => void | Promise<void>): Promise<ReadError[]> {
  const { stores, errors } = discover(paths);
  const all: ReadError[] = [...errors];
  for (const ref of stores) {
    let opened: OpenStore;
    try {
      opened = await openStore(ref, { snapshotDir: options.snapshotDir ?? null, inPlace: options.inPlace ?? false, deep: options.deep ?? false, now: options.now ?? Date.now(), shard: options.shard ?? null });
    } catch (error) {
      all.push({ store: ref.id, message: errorAdvice(error), path: ref.path });
      continue;
    }
    try {
      await visit(opened);
    } catch (error) {
      all.push({ store: ref.id, message: errorAdvice(error), path: ref.path });
    } finally {
      all.push(...opened.snapshot.errors);
      opened.snapshot.close();
    }
  }
  return all;
}

/** Throws UnreadableError for a store whose database is damaged: what could still be asked of it would mislead. */
export function refuseDamage({ snapshot }: OpenStore): void {
  const damaged = snapshot.databases.find((database) => database.damage !== null);
  if (damaged?.damage) throw new UnreadableError(`${damaged.path}: the database is damaged (${damaged.damage.detail})`, damaged.path, `sessionfsck scan ${damaged.path} says what to do`);
}
