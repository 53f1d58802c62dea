import type { Finding } from '../../model/finding.ts';
import type { Action, JsonEdit } from '../../model/step.ts';
import { activeBranch } from '../../readers/openclaw/branch.ts';
import { rowKinds } from '../../stores/openclaw/digest-types.ts';
import type { WindowStorage } from '../../stores/openclaw/sqlite/storage.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import type { Left } from '../fix.ts';

/** A transcript of the SQLite era that a repair may change. */
export type StoredWindow = { database: string; sessionId: string; storage: WindowStorage; /** The rows of the active branch as builds that link rows by themselves walk it. */ branch: () => BranchRow[] };

export type BranchRow = { seq: number; message: boolean };

/** The stored transcript that a finding is about; null: it is about a file; or why its rows are not changed. */
export function storedWindow(finding: Finding, snapshot: OpenclawSnapshot): StoredWindow | Left | null {
  const { sqlite } = snapshot;
  if (!sqlite || finding.location.path !== sqlite.path || finding.session === null) return null;
  const sessionId = finding.session;
  const storage = sqlite.windows.some((window) => window.sessionId === sessionId) ? sqlite.storageOf(sessionId) : null;
  if (storage === null) return { left: 'this transcript is only in an archive of the database' };
  if (storage.events === 0) return { left: 'the transcript is in cold storage', alternatives: ['open the chat once in OpenClaw, which brings it back, then plan again'] };
  return { database: sqlite.path, sessionId, storage, branch: () => branchOf(sqlite.digestOf(sessionId)) };
}

const message = rowKinds.indexOf('message');

function branchOf(digest: TranscriptDigest | null): BranchRow[] {
  if (digest === null) return [];
  const { rows } = digest;
  return activeBranch(digest, { reattaches: true }).rows.map((row) => ({ seq: (rows.line[row] ?? 1) - 1, message: rows.kind[row] === message }));
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
