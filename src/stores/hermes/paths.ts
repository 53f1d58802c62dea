import { basename, dirname, join } from 'node:path';
import { kindOf, listFolder, readHead } from '../../io/files.ts';
import { looksLikeSqlite } from '../../io/sqlite-snapshot.ts';
import { storeId, type StoreRef } from '../../model/store.ts';
import { readConfig } from './config.ts';

export const databaseName = 'state.db';
const profileName = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const isFile = (path: string): boolean => kindOf(path) === 'file';

function refFor(database: string): StoreRef {
  const home = dirname(database);
  const profiles = dirname(home);
  const label = basename(profiles) === 'profiles' ? `profiles/${basename(home)}/${basename(database)}` : basename(database);
  return { id: storeId('hermes', database), product: 'hermes', layout: 'sqlite', path: database, label, home };
}

/** The store of a home folder: its database, also one of which only the WAL is left, or a configuration that names another backend. */
function homeStores(folder: string): StoreRef[] {
  const database = join(folder, databaseName);
  if (isFile(database) || isFile(`${database}-wal`)) return [refFor(database)];
  if (isFile(join(folder, 'config.yaml')) && (readConfig(folder).backend ?? 'sqlite') !== 'sqlite') return [refFor(database)];
  return [];
}

function profileStores(profiles: string): StoreRef[] {
  if (kindOf(profiles) !== 'folder') return [];
  return listFolder(profiles)
    .filter((entry) => entry.kind === 'folder' && profileName.test(entry.name))
    .flatMap((entry) => homeStores(entry.path));
}

/** True when a database of another name (a backup, a copy) begins with the schema that Hermes writes. */
function holdsHermesSchema(path: string): boolean {
  if (!looksLikeSqlite(path)) return false;
  const head = readHead(path, 256 * 1024).toString('latin1');
  return /CREATE TABLE (IF NOT EXISTS )?sessions\s*\(/.test(head) && head.includes('end_reason') && /CREATE TABLE (IF NOT EXISTS )?messages\s*\(/.test(head) && head.includes('tool_call_id');
}

/** The stores at or around an existing path: a home, its `profiles` or `sessions` folder, a database, its WAL, or a file of `sessions`. */
export function recogniseHermes(path: string): StoreRef[] {
  const name = basename(path);
  if (kindOf(path) === 'folder') {
    const here = [...homeStores(path), ...profileStores(join(path, 'profiles'))];
    if (here.length > 0) return here;
    if (name === 'profiles') return profileStores(path);
    if (name === 'sessions') return homeStores(dirname(path));
    return [];
  }
  if (name === databaseName || (/^state\.db[.-]/.test(name) && !/-(wal|shm|journal)$/.test(name) && looksLikeSqlite(path))) return [refFor(path)];
  if (name === `${databaseName}-wal` || name === `${databaseName}-shm`) return homeStores(dirname(path));
  if (basename(dirname(path)) === 'sessions' && /\.jsonl?$/.test(name)) return homeStores(dirname(dirname(path)));
  return holdsHermesSchema(path) ? [refFor(path)] : [];
}
