import { basename, dirname, join, resolve } from 'node:path';
import { homeFolder } from '../../io/home.ts';
import { isLink, kindOf, listFolder, readHead } from '../../io/files.ts';
import { storeId, type StoreRef } from '../../model/store.ts';
import type { Environment } from '../snapshot.ts';
import { configNames, configPath, readConfig } from './config.ts';
import { classifyName } from './names.ts';
import { asObject, asText } from './values.ts';

const stateNames = ['.openclaw', '.clawdbot', '.moldbot', '.moltbot'] as const;
/** Agent databases of this schema and later hold the sessions themselves (format notes §1.5). */
const firstSessionSchema = 4;

function expand(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}

/** State folders of a user: the named one, else ~/.openclaw, its older names and its profiles (format notes §1.1). */
export function stateFolders({ env, home }: Environment): string[] {
  const base = env.OPENCLAW_HOME ? expand(env.OPENCLAW_HOME, home) : home;
  const named = env.OPENCLAW_STATE_DIR || env.CLAWDBOT_STATE_DIR;
  if (named) return [resolve(expand(named, base))];
  let profiles: string[] = [];
  try {
    profiles = listFolder(base).map((entry) => entry.name).filter((name) => /^\.openclaw-[A-Za-z0-9_.-]+$/.test(name));
  } catch {
    // No such home, or it may not be listed: the usual names are still tried.
  }
  // Older releases left ~/.clawdbot as a link to the new folder: one store, named once.
  return [...stateNames, ...profiles].map((name) => join(base, name)).filter((path) => !isLink(path) || !stateNames.some((name) => name !== basename(path) && kindOf(join(base, name)) === 'folder' && !isLink(join(base, name))));
}

/** The configuration that the environment names, or undefined. */
export function namedConfig({ env, home }: Environment): string | undefined {
  const named = env.OPENCLAW_CONFIG_PATH || env.CLAWDBOT_CONFIG_PATH;
  return named ? resolve(expand(named, env.OPENCLAW_HOME ? expand(env.OPENCLAW_HOME, home) : home)) : undefined;
}

/** Where a store's parts lie: its path is the sessions folder, or the index file where `session.store` gives it another name. */
export function placeOf(ref: StoreRef): { folder: string; indexPath: string; agentId: string } {
  const ownIndex = ref.path.endsWith('.json');
  const folder = ownIndex ? dirname(ref.path) : ref.path;
  return { folder, indexPath: ownIndex ? ref.path : join(ref.path, 'sessions.json'), agentId: ref.label.startsWith('agents/') ? ref.label.slice('agents/'.length) : 'main' };
}

/** Schema version in the header of a SQLite file, or null. */
export function sqliteSchema(path: string): number | null {
  try {
    const head = readHead(path, 64);
    return head.length === 64 && head.toString('latin1', 0, 15) === 'SQLite format 3' ? head.readUInt32BE(60) : null;
  } catch {
    return null;
  }
}

/** True when an agent's database holds its sessions (the SQLite era). */
export function hasSessionDatabase(agentFolder: string): boolean {
  return (sqliteSchema(join(agentFolder, 'agent', 'openclaw-agent.sqlite')) ?? 0) >= firstSessionSchema;
}

function names(folder: string): string[] {
  try {
    return kindOf(folder) === 'folder' ? listFolder(folder).map((entry) => entry.name) : [];
  } catch {
    return [];
  }
}

function headText(path: string): string {
  try {
    return readHead(path, 4096).toString('latin1');
  } catch {
    return '';
  }
}

/** True for a folder of OpenClaw transcripts wherever it lies; other products have a `sessions.json` too, with other fields. */
function looksLikeSessions(folder: string): boolean {
  const found = names(folder);
  if (found.includes('sessions.json')) {
    const index = headText(join(folder, 'sessions.json'));
    if (index.includes('"session_id"')) return false;
    if (index.includes('"sessionId"') || index.includes('"updatedAt"')) return true;
  }
  const transcripts = found.filter((name) => classifyName(name).class === 'transcript').slice(0, 20);
  return transcripts.some((name) => /"type"\s*:\s*"session"/.test(headText(join(folder, name)).split('\n', 1)[0] ?? '') || /\.jsonl\.(reset|deleted)\./.test(name));
}

function sessionsStore(folder: string, home: string, label: string, config: string | undefined): StoreRef {
  return { id: storeId('openclaw', folder), product: 'openclaw', layout: 'jsonl', path: folder, label, home, ...(config === undefined ? {} : { config }) };
}

/** The JSONL store of one agent folder; none when its sessions lie in a database, and its folder holds only archives and leftovers. */
function ofAgent(agentFolder: string, home: string, config: string | undefined): StoreRef[] {
  const folder = join(agentFolder, 'sessions');
  const found = names(folder);
  const indexed = found.includes('sessions.json');
  if (!indexed && (hasSessionDatabase(agentFolder) || !found.some((name) => classifyName(name).class === 'transcript'))) return [];
  return [sessionsStore(folder, home, `agents/${basename(agentFolder)}`, config)];
}

/** Stores that `session.store` puts elsewhere: a path that may hold `{agentId}` and begin with `~`. */
function ofOverride(home: string, agentIds: readonly string[], config: string | undefined): StoreRef[] {
  const facts = readConfig(configPath(home, config));
  const pattern = asText(asObject(facts.session)?.store);
  if (pattern === null) return [];
  const listed = asObject(facts.agents)?.list;
  const configured = Array.isArray(listed) ? listed.map((one) => asText(asObject(one)?.id)).filter((id) => id !== null) : [];
  const ids = pattern.includes('{agentId}') ? [...new Set([...agentIds, ...configured, 'main'])] : ['main'];
  return ids.flatMap((id) => {
    const path = resolve(home, expand(pattern.replaceAll('{agentId}', id), homeFolder()));
    if (kindOf(path) !== 'file') return [];
    const folder = basename(path) === 'sessions.json' ? dirname(path) : path;
    return [sessionsStore(folder, home, `agents/${id}`, config)];
  });
}

/** Every JSONL store of a state folder. */
function ofState(home: string, config: string | undefined): StoreRef[] {
  const agents = join(home, 'agents');
  const ids = names(agents).filter((name) => kindOf(join(agents, name)) === 'folder');
  const stores = ids.flatMap((id) => ofAgent(join(agents, id), home, config));
  // A folder of the first releases, still probed by later ones.
  const old = join(home, 'sessions');
  if (stores.length > 0 && looksLikeSessions(old)) stores.push(sessionsStore(old, home, 'sessions', config));
  const known = new Set(stores.map((store) => store.id));
  return [...stores, ...ofOverride(home, ids, config).filter((store) => !known.has(store.id))];
}

function homeOf(sessionsFolder: string): { home: string; label: string } {
  const agent = dirname(sessionsFolder);
  if (basename(sessionsFolder) === 'sessions' && basename(dirname(agent)) === 'agents') return { home: dirname(dirname(agent)), label: `agents/${basename(agent)}` };
  return { home: sessionsFolder, label: basename(sessionsFolder) };
}

/** JSONL stores at or around a path: state folder, `agents`, agent folder, sessions folder, index, configuration, or one transcript. */
export function jsonlStores(path: string, config: string | undefined): StoreRef[] {
  if (kindOf(path) === 'file') {
    const name = basename(path);
    const folder = dirname(path);
    if ((configNames as readonly string[]).includes(name)) return ofState(folder, config ?? path);
    const { home, label } = homeOf(folder);
    const named = classifyName(name);
    if (named.class === 'index') return label.startsWith('agents/') || looksLikeSessions(folder) ? [sessionsStore(folder, home, label, config)] : [];
    if (named.class !== 'transcript') return [];
    if (!label.startsWith('agents/') && !/"type"\s*:\s*"session"/.test(headText(path)) && !looksLikeSessions(folder)) return [];
    return [{ ...sessionsStore(folder, home, label, config), only: [name] }];
  }
  const found = names(path);
  if (found.some((name) => (configNames as readonly string[]).includes(name)) || found.includes('agents')) {
    const stores = ofState(path, config);
    if (stores.length > 0) return stores;
  }
  if (basename(path) === 'agents') {
    const stores = found.flatMap((name) => ofAgent(join(path, name), dirname(path), config));
    if (stores.length > 0) return stores;
  }
  if (basename(dirname(path)) === 'agents') {
    const stores = ofAgent(path, dirname(dirname(path)), config);
    if (stores.length > 0) return stores;
  }
  const { home, label } = homeOf(path);
  if (label.startsWith('agents/')) return ofAgent(dirname(path), home, config);
  return looksLikeSessions(path) ? [sessionsStore(path, home, label, config)] : [];
}
