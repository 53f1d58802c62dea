import { basename, dirname, join } from 'node:path';
import { kindOf, listFolder, type Entry } from '../../io/files.ts';
import { readSchema } from '../../io/sqlite-schema.ts';
import { looksLikeSqlite } from '../../io/sqlite-snapshot.ts';
import { UnreadableError } from '../../model/errors.ts';
import { storeId, type StoreRef } from '../../model/store.ts';
import { mimocodeFamily, opencodeFamily, type Family } from './product.ts';

/** What a database is by its tables: one of the family, the older Go program's, somebody else's, or not readable. */
type Kind = 'opencode' | 'mimocode' | 'go' | 'foreign' | 'unreadable';

/** Tables that only MiMo-Code has. */
const mimocodeTables = ['history_fts', 'actor_registry', 'session_deleted_identity', 'external_import', 'turn_receipt'];

/** Tables of which one must lie beside `session`, whatever the version. */
const companions = ['message', 'part', 'session_message', 'project'];

/** Folders inside a data folder from which a person may have pointed at it. */
const innerFolders = new Set(['storage', 'snapshot', 'tool-output', 'log', 'memory', 'plans', 'bin']);

function kindOfDatabase(path: string): Kind {
  const schema = readSchema(path);
  if (schema === null || schema.size === 0) return 'unreadable';
  if (schema.has('session') && companions.some((table) => schema.has(table))) {
    if (mimocodeTables.some((table) => schema.has(table)) || /\bagent_id\b/.test(schema.get('message') ?? '')) return 'mimocode';
    return mimocodeFamily.fileName.test(basename(path)) ? 'mimocode' : 'opencode';
  }
  if (schema.has('sessions') && schema.has('messages') && (schema.has('goose_db_version') || schema.has('files'))) return 'go';
  return 'foreign';
}

/** True when a database is this product's: by its tables, or by its name when its tables cannot be read. */
function belongs(family: Family, path: string): boolean {
  const kind = kindOfDatabase(path);
  return kind === family.product || (kind === 'unreadable' && family.fileName.test(basename(path)));
}

function refOf(family: Family, path: string, layout: 'sqlite' | 'json'): StoreRef {
  const name = basename(path);
  return { id: storeId(family.product, path), product: family.product, layout, path, label: name, home: dirname(path) };
}

function hasMessages(storage: string): boolean {
  return kindOf(join(storage, 'message')) === 'folder' && kindOf(join(storage, 'session')) === 'folder';
}

function storesInFolder(family: Family, folder: string): StoreRef[] {
  let entries: Entry[];
  try {
    entries = listFolder(folder);
  } catch (error) {
    // A guess below a folder that a person named may be closed to us; the folder itself may not.
    if (error instanceof UnreadableError && kindOf(folder) !== 'folder') return [];
    throw error;
  }
  const databases = entries.filter((entry) => (entry.kind === 'file' || entry.kind === 'link') && entry.name.endsWith('.db') && kindOf(entry.path) === 'file');
  const refs = databases.filter((entry) => belongs(family, entry.path)).map((entry) => refOf(family, entry.path, 'sqlite'));
  if (refs.length > 0) return refs;
  // The layout before 1.2.0: JSON files only. Which product they are of, only the folder's name says.
  const storage = basename(folder) === 'storage' ? folder : join(folder, 'storage');
  const named = folder.split(/[\\/]/).includes('mimocode') ? 'mimocode' : 'opencode';
  if (named === family.product && kindOf(storage) === 'folder' && hasMessages(storage) && !databases.some((entry) => ['opencode', 'mimocode'].includes(kindOfDatabase(entry.path)))) {
    return [refOf(family, storage, 'json')];
  }
  if (family.product === 'opencode' && databases.length > 0) {
    const old = databases.find((entry) => opencodeFamily.fileName.test(entry.name) && kindOfDatabase(entry.path) === 'go');
    if (old) throw goProgram(old.path);
  }
  return [];
}

function goProgram(path: string): UnreadableError {
  return new UnreadableError(`${path} is the database of the older Go program that was also called opencode (tables sessions and messages): it has no ids that wrap and is not read`, path);
}

/** The data folder that an inner folder or file lies in, or null. */
function enclosing(path: string): string | null {
  for (let [child, parent] = [path, dirname(path)], climbs = 0; climbs < 5 && child !== parent; climbs++) {
    if (innerFolders.has(basename(child))) return parent;
    [child, parent] = [parent, dirname(parent)];
  }
  return null;
}

/**
 * The databases of one product at or around a path. One database file is one store; a `-wal` or `-shm` stands for its
 * database. Throws UnreadableError for the older Go program's database and for a named database of somebody else.
 */
export function recogniseFamily(family: Family, path: string): StoreRef[] {
  if (kindOf(path) === 'file') {
    const database = path.replace(/-(wal|shm)$/, '');
    const named = family.fileName.test(basename(database));
    if (!named && !looksLikeSqlite(database)) {
      const folder = enclosing(path);
      return folder === null || !path.endsWith('.json') ? [] : storesInFolder(family, folder);
    }
    const kind = kindOfDatabase(database);
    if (kind === 'go' && family.product === 'opencode') throw goProgram(database);
    if (kind === 'foreign' && named) throw new UnreadableError(`${database} has the name of a database of ${family.product}, but not its tables: it is another program's`, database);
    return belongs(family, database) ? [refOf(family, database, 'sqlite')] : [];
  }
  const guesses = [path, join(path, family.folder), join(path, '.local', 'share', family.folder), ...(family.product === 'mimocode' ? [join(path, 'data')] : [])];
  for (const folder of guesses) {
    if (kindOf(folder) !== 'folder') continue;
    const refs = storesInFolder(family, folder);
    if (refs.length > 0) return refs;
  }
  const folder = enclosing(path);
  return folder === null ? [] : storesInFolder(family, folder);
}
