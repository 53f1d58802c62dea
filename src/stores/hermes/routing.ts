import { join } from 'node:path';
import { isLink, kindOf, readSmallFile } from '../../io/files.ts';
import type { SqliteDatabase } from '../../io/sqlite.ts';
import { columnsOf } from '../../io/sqlite-snapshot.ts';
import type { RoutingEntry, RoutingFile, StoredRoute } from './types.ts';
import { isObject } from '../../model/values.ts';

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export function routingFilePath(home: string): string {
  return join(home, 'sessions', 'sessions.json');
}

function entryOf(sessionKey: string, value: unknown, source: RoutingEntry['source'], path: string, scope: string): RoutingEntry {
  const fields = isObject(value) ? value : {};
  return {
    sessionKey,
    source,
    path,
    scope,
    sessionId: text(fields['session_id']),
    createdAt: text(fields['created_at']),
    updatedAt: text(fields['updated_at']),
    platform: text(fields['platform']),
    chatType: text(fields['chat_type']),
    expiryFinalized: fields['expiry_finalized'] === true || fields['memory_flushed'] === true,
    suspended: fields['suspended'] === true,
    resumePending: fields['resume_pending'] === true,
    wasAutoReset: fields['was_auto_reset'] === true,
    autoResetReason: text(fields['auto_reset_reason']),
    previousSessionId: text(fields['prev_session_id']),
    invalid: !isObject(value),
  };
}

/** Rows of `gateway_routing`; older stores have no `scope`. */
export function readRoutingTable(db: SqliteDatabase, path: string): RoutingEntry[] {
  const columns = columnsOf(db, 'gateway_routing');
  if (!columns.has('session_key') || !columns.has('entry_json')) return [];
  const scope = columns.has('scope') ? 'scope' : "''";
  const rows = db.prepare<[], { scope: unknown; key: unknown; entry: unknown }>(`SELECT ${scope} AS scope, session_key AS key, entry_json AS entry FROM gateway_routing ORDER BY 2, 1`);
  const entries: RoutingEntry[] = [];
  for (const row of rows.iterate()) {
    entries.push(entryOf(String(row.key), typeof row.entry === 'string' ? parsed(row.entry) : undefined, 'table', path, String(row.scope ?? '')));
  }
  return entries;
}

/** Rows of `gateway_routing` with their JSON text, by scope and key. */
export function readStoredRoutes(db: SqliteDatabase): StoredRoute[] {
  const columns = columnsOf(db, 'gateway_routing');
  if (!columns.has('session_key') || !columns.has('entry_json')) return [];
  const scope = columns.has('scope') ? 'scope' : 'NULL';
  const rows = db.prepare<[], { scope: unknown; key: unknown; entry: unknown }>(`SELECT ${scope} AS scope, session_key AS key, entry_json AS entry FROM gateway_routing ORDER BY 1, 2`).all();
  return rows.map(({ scope: owner, key, entry }) => ({ scope: columns.has('scope') ? String(owner ?? '') : null, sessionKey: String(key), json: typeof entry === 'string' && isObject(parsed(entry)) ? entry : null }));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The first free name for what a repair takes out of a file: one that Hermes takes for no transcript. */
function freeSidecar(path: string): string {
  for (let number = 1; ; number++) {
    const sidecar = `${path}.quarantined${number === 1 ? '' : `-${number}`}`;
    if (kindOf(sidecar) === 'missing' && !isLink(sidecar)) return sidecar;
  }
}

/** The mirror file. Keys that begin with `_` are no entries (Hermes format notes §1.1). Throws UnreadableError. */
export function readRoutingFile(home: string): { file: RoutingFile; entries: RoutingEntry[] } | null {
  const path = routingFilePath(home);
  if (kindOf(path) !== 'file') return null;
  const bytes = readSmallFile(path);
  const fail = (problem: RoutingFile['problem']): { file: RoutingFile; entries: RoutingEntry[] } => ({ file: { path, bytes: bytes.length, problem, sidecar: freeSidecar(path) }, entries: [] });
  if (bytes.length === 0) return fail('empty');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    return fail('not-json');
  }
  if (!isObject(value)) return fail('not-object');
  const entries = Object.entries(value)
    .filter(([key]) => !key.startsWith('_'))
    .map(([key, entry]) => entryOf(key, entry, 'file', path, ''));
  return { file: { path, bytes: bytes.length, problem: null, sidecar: freeSidecar(path) }, entries };
}
