import { basename, dirname, join } from 'node:path';
import { fileState, kindOf, listFolder, readSmallFile, shmOf, walOf } from '../io/files.ts';
import { fileHolders, processAlive, processStartTicks } from '../io/processes.ts';
import { snapshotDatabase } from '../io/sqlite-snapshot.ts';
import { errorMessage } from '../model/errors.ts';
import type { StoreRef } from '../model/store.ts';
import { isoTime, parseTime } from '../model/time.ts';
import { configPath } from './openclaw/config.ts';
import { liveGateways } from './openclaw/gateway.ts';
import { readLocks } from './hermes/locks.ts';

/** Every file of a store that a repair or a running product could write; no links, no further than three folders down. */
export function storeFiles(ref: StoreRef): string[] {
  if (kindOf(ref.path) !== 'folder') {
    const beside = ref.product === 'hermes' ? [join(ref.home, 'sessions', 'sessions.json'), join(ref.home, 'config.yaml')] : [];
    const files = ref.path.endsWith('.json') ? walk(dirname(ref.path), 1) : [ref.path, walOf(ref.path), ...beside];
    return files.filter((path) => kindOf(path) === 'file');
  }
  return walk(ref.path, 3);
}

function walk(folder: string, depth: number): string[] {
  let entries: ReturnType<typeof listFolder>;
  try {
    entries = listFolder(folder);
  } catch {
    // The scan says that it may not be read; what cannot be listed is not repaired either.
    return [];
  }
  return entries.flatMap((entry) => (entry.kind === 'file' ? [entry.path] : entry.kind === 'folder' && depth > 1 ? walk(entry.path, depth - 1) : []));
}

/** One sentence for each sign that the product, or anybody else, is using a store right now. Empty: nothing holds it. */
export async function liveHolders(ref: StoreRef, now: number, scratch: string | null): Promise<string[]> {
  const files = storeFiles(ref);
  const found: string[] = [];
  for (const path of files) {
    if (!path.endsWith('.lock')) continue;
    const holder = lockHolder(path);
    if (holder !== null) found.push(holder);
  }
  const databases = files.filter((path) => !path.endsWith('.lock')).flatMap((path) => [path, shmOf(path)]);
  for (const { pid, command, path } of fileHolders(databases)) found.push(`process ${pid} (${command}) has ${basename(path)} open`);
  if (ref.product === 'openclaw') {
    for (const pid of liveGateways(configPath(ref.home, ref.config))) found.push(`the gateway runs as process ${pid}`);
  }
  if (ref.product === 'hermes' && kindOf(ref.path) === 'file') found.push(...(await hermesLeases(ref, now, scratch)));
  return found;
}

/** A lock file whose process lives on this host. */
function lockHolder(path: string): string | null {
  try {
    const lock: unknown = JSON.parse(readSmallFile(path, 65536).toString('utf8'));
    if (typeof lock !== 'object' || lock === null || !('pid' in lock) || typeof lock.pid !== 'number') return null;
    if (processAlive(lock.pid) !== 'alive') return null;
    const ticks = 'starttime' in lock && typeof lock.starttime === 'number' ? lock.starttime : null;
    const running = processStartTicks(lock.pid);
    if (ticks !== null && running !== null && ticks !== running) return null;
    const since = 'createdAt' in lock ? isoTime(parseTime(lock.createdAt)) : null;
    return `process ${lock.pid} holds ${basename(path)}${since === null ? '' : ` since ${since}`}`;
  } catch {
    return null;
  }
}

async function hermesLeases(ref: StoreRef, now: number, scratch: string | null): Promise<string[]> {
  if (fileState(ref.path) === null) return [];
  const snapshot = await snapshotDatabase(ref.path, { snapshotDir: scratch, inPlace: false });
  try {
    if (snapshot.db === null) return [];
    return readLocks(snapshot.db)
      .filter((lock) => lock.expiresAt !== null && lock.expiresAt > now && lock.holderState !== 'gone')
      .map((lock) => `${lock.table === 'compression_locks' ? 'a compression lock' : 'a turn lease'} of ${lock.sessionId} is held until ${isoTime(lock.expiresAt)}`);
  } catch (error) {
    return [`its leases could not be read: ${errorMessage(error)}`];
  } finally {
    snapshot.close();
  }
}
