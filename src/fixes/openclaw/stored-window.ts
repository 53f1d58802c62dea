import type { Finding } from '../../model/finding.ts';
import type { Action, CellMap, JsonEdit } from '../../model/step.ts';
import type { WindowStorage } from '../../stores/openclaw/sqlite/storage.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import type { Left } from '../fix.ts';

/** A transcript of the SQLite era that a repair may change. */
export type StoredWindow = { database: string; sessionId: string; storage: WindowStorage };

/** The stored transcript that a finding is about; null: it is about a file; or why its rows are not changed. */
export function storedWindow(finding: Finding, snapshot: OpenclawSnapshot): StoredWindow | Left | null {
  const { sqlite } = snapshot;
  if (!sqlite || finding.location.path !== sqlite.path || finding.session === null) return null;
  const sessionId = finding.session;
  const storage = sqlite.windows.some((window) => window.sessionId === sessionId) ? sqlite.storageOf(sessionId) : null;
  if (storage === null) return { left: 'this transcript is only in an archive of the database' };
  if (storage.events === 0) return { left: 'the transcript is in cold storage', alternatives: ['open the chat once in OpenClaw, which brings it back, then plan again'] };
  return { database: sqlite.path, sessionId, storage };
}

/** Edits the JSON of one event, compressed or not. */
function editEvent({ database, sessionId, storage }: StoredWindow, seq: number, edits: JsonEdit[]): Action {
  const packed = storage.packed ? { packed: { column: 'event_zstd', bytes: 'event_utf8_bytes', clear: ['navigation_json'] } } : {};
  return { kind: 'edit-json-cell', database, table: 'transcript_events', key: { session_id: sessionId, seq }, column: 'event_json', edits, ...packed };
}

export type Relink = { seq: number; id: string | null; before: string | null; after: string | null };

/** Gives an event another parent, in its JSON and in the list of identities. */
export function relinkEvent(window: StoredWindow, { seq, id, before, after }: Relink): Action[] {
  const { database, sessionId, storage } = window;
  const identity = id === null ? null : storage.identity(id);
  const edit = editEvent(window, seq, [{ op: 'set', path: ['parentId'], before, after }]);
  if (identity?.seq !== seq) return [edit];
  return [edit, { kind: 'update-rows', database, table: 'transcript_event_identities', rows: [{ key: { session_id: sessionId, event_id: id }, before: { seq, parent_id: identity.parentId }, after: { parent_id: after } }] }];
}

/** Tells whoever remembers this transcript that it was rewritten, as the product does when it rewrites one. */
export function markRewritten({ database, sessionId, storage }: StoredWindow): Action[] {
  return storage.token ? [{ kind: 'update-rows', database, table: 'transcript_rewrite_watermarks', rows: [{ key: { session_id: sessionId }, before: {}, after: { generation: { $token: 'hex32' } } }] }] : [];
}

/** Whether the product would take its list of the active branch, and its search index, for current. */
export function indexIsCurrent({ storage }: StoredWindow): boolean {
  const { index, path, lastSeq } = storage;
  return index !== null && index['needs_rebuild'] === 0 && index['indexed_seq'] === lastSeq && (path === null || index['active_event_count'] === path.length);
}

/** The product's own mark for an active branch that is to be listed anew; it does that when it next opens the chat. */
export function markForRebuild({ database, sessionId, storage }: StoredWindow): Action[] {
  if (storage.index?.['needs_rebuild'] !== 0) return [];
  return [updateIndex(database, sessionId, { needs_rebuild: 0 }, { needs_rebuild: 1 })];
}

export function updateIndex(database: string, sessionId: string, before: CellMap, after: CellMap): Action {
  return { kind: 'update-rows', database, table: 'session_transcript_index_state', rows: [{ key: { session_id: sessionId }, before, after }] };
}
