import type { Finding } from '../../model/finding.ts';
import type { Action } from '../../model/step.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import type { Left } from '../fix.ts';
import { liveTranscript } from './live-transcript.ts';
import { indexIsCurrent, markForRebuild, markRewritten, relinkEvent, storedWindow, type Relink, type StoredWindow } from './stored-window.ts';

/** Rows that get another parent; `line` from 1 (an event's `seq` + 1). */
export type RowToLink = { line: number; id: string | null; before: string; after: string | null };

/** `list`: what becomes of the product's own list of the active branch; null for a file, which has none. */
export type Relinked = { target: string; actions: Action[]; list: 'stays' | 'rebuilt' | null };

/** The actions that give rows of a live transcript, a file or a window of a database, other parents, or why there are none. */
export function relinkRows(finding: Finding, snapshot: OpenclawSnapshot, rows: readonly RowToLink[]): Relinked | Left {
  if (rows.length === 0) return { left: 'the finding does not say which rows' };
  const window = storedWindow(finding, snapshot);
  if (window !== null) return 'left' in window ? window : { target: window.sessionId, ...inDatabase(window, rows) };
  const file = liveTranscript(finding, snapshot);
  if ('left' in file) return file;
  const hashes = snapshot.hashes.eachLine(file.path, new Set(rows.map((row) => row.line)));
  const actions: Action[] = [];
  for (const { line, before, after } of rows) {
    const sha256 = hashes.get(line)?.bare;
    if (sha256 === undefined) return { left: `line ${line} is gone` };
    actions.push({ kind: 'edit-json-line', path: file.path, line, sha256, edits: [{ op: 'set', path: ['parentId'], before, after }] });
  }
  return { target: file.name, actions, list: null };
}

function inDatabase(window: StoredWindow, rows: readonly RowToLink[]): Omit<Relinked, 'target'> {
  const links = rows.map((row): Relink => ({ seq: row.line - 1, id: row.id, before: row.before, after: row.after }));
  const shown = indexIsCurrent(window) && links.every((link) => followsInPath(window, link));
  return { actions: [...links.flatMap((link) => relinkEvent(window, link)), ...markRewritten(window), ...(shown ? [] : markForRebuild(window))], list: shown ? 'stays' : 'rebuilt' };
}

/** Whether the product's own list of the active branch has the row behind its new parent already. */
function followsInPath({ storage }: StoredWindow, { seq, after }: Relink): boolean {
  const position = storage.path?.findIndex((row) => row.seq === seq) ?? -1;
  if (position === -1) return false;
  const before = storage.path?.[position - 1]?.seq ?? null;
  return before === (after === null ? null : (storage.identity(after)?.seq ?? -1));
}
