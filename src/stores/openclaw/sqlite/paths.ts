import { basename, dirname, join } from 'node:path';
import { fileState, kindOf, listFolder, realPath, walOf } from '../../../io/files.ts';
import { storeId, type StoreRef } from '../../../model/store.ts';
import { classifyName } from '../names.ts';
import { hasSessionDatabase, sqliteSchema } from '../paths.ts';

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
  return schema >= firstSessionSchema || (schema === 0 && (fileState(walOf(path))?.size ?? 0) > 32);
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

/** The store of the agent that a transcript or archive beside its database belongs to, narrowed to that session. */
function ofTranscript(path: string, config: string | undefined): StoreRef[] {
  const named = classifyName(basename(path));
  const agent = dirname(dirname(path));
  if (named.class !== 'transcript' || !isLeftover(path)) return [];
  return storeOf(join(agent, 'agent', databaseName), config).map((store) => ({ ...store, only: [basename(path), named.sessionId] }));
}

/** True for a file of an agent whose sessions lie in its database alone. */
function isLeftover(path: string): boolean {
  const folder = dirname(path);
  const agent = dirname(folder);
  return basename(folder) === 'sessions' && basename(dirname(agent)) === 'agents' && kindOf(join(folder, 'sessions.json')) === 'missing' && hasSessionDatabase(agent);
}

/**
 * SQLite stores at or around a path: state folder, `agents`, one agent's folder, its `agent` or `sessions` folder, the database
 * (or a link to it), or a file that its `sessions` folder still holds.
 */
export function sqliteStores(path: string, config: string | undefined): StoreRef[] {
  if (kindOf(path) === 'file') {
    if (basename(path) === databaseName) return storeOf(path, config);
    const target = realPath(path);
    return basename(target) === databaseName ? storeOf(target, config) : ofTranscript(path, config);
  }
  if (basename(path) === 'agents') return ofAgents(path, config);
  if (basename(path) === 'sessions' && basename(dirname(dirname(path))) === 'agents') return storeOf(join(dirname(path), 'agent', databaseName), config);
  return [...ofAgents(join(path, 'agents'), config), ...storeOf(join(path, 'agent', databaseName), config), ...storeOf(join(path, databaseName), config)];
}
