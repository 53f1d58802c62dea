import { basename, dirname, join } from 'node:path';
import { fileState, kindOf, listFolder } from '../../../io/files.ts';
import { storeId, type StoreRef } from '../../../model/store.ts';
import { sqliteSchema } from '../paths.ts';

export const databaseName = 'openclaw-agent.sqlite';
/** Agent databases of this schema and later hold sessions (format notes §1.5). */
const firstSessionSchema = 4;

/**
 * Whether an agent database is a store of sessions by its header: new enough, or not to be told because its header is damaged
 * or its first pages are still in the WAL.
 */
function holdsSessions(path: string): boolean {
  if (kindOf(path) !== 'file') return false;
  const schema = sqliteSchema(path);
  if (schema === null) return true;
  return schema >= firstSessionSchema || (schema === 0 && (fileState(`${path}-wal`)?.size ?? 0) > 32);
}

function storeOf(path: string, config: string | undefined): StoreRef[] {
  if (!holdsSessions(path)) return [];
  const agent = dirname(dirname(path));
  const inState = basename(dirname(path)) === 'agent' && basename(dirname(agent)) === 'agents';
  return [
    {
      id: storeId('openclaw', path),
      product: 'openclaw',
      layout: 'sqlite',
      path,
      label: inState ? `agents/${basename(agent)}` : basename(path),
      home: inState ? dirname(dirname(agent)) : dirname(path),
      ...(config === undefined ? {} : { config }),
    },
  ];
}

function ofAgents(agents: string, config: string | undefined): StoreRef[] {
  if (kindOf(agents) !== 'folder') return [];
  return listFolder(agents).flatMap((entry) => storeOf(join(entry.path, 'agent', databaseName), config));
}

/** SQLite stores at or around a path: state folder, `agents`, one agent's folder, its `agent` or `sessions` folder, or the database. */
export function sqliteStores(path: string, config: string | undefined): StoreRef[] {
  if (kindOf(path) === 'file') return basename(path) === databaseName ? storeOf(path, config) : [];
  if (basename(path) === 'agents') return ofAgents(path, config);
  if (basename(path) === 'sessions' && basename(dirname(dirname(path))) === 'agents') return storeOf(join(dirname(path), 'agent', databaseName), config);
  return [...ofAgents(join(path, 'agents'), config), ...storeOf(join(path, 'agent', databaseName), config), ...storeOf(join(path, databaseName), config)];
}
