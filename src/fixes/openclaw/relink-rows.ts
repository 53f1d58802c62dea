import type { Finding } from '../../model/finding.ts';
import type { Action } from '../../model/step.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import type { Left } from '../fix.ts';
import { keepList } from './active-list.ts';
import { liveTranscript } from './live-transcript.ts';
import { markRewritten, relinkEvent, storedWindow, type StoredWindow } from './stored-window.ts';

/** Rows that get another parent; `line` from 1 (an event's `seq` + 1). */
export type RowToLink = { line: number; id: string | null; before: string; after: string | null };

/** `grows`: rows that the product's own list of the active branch gets; null for a file, which has no such list. */
export type Relinked = { target: string; actions: Action[]; grows: number | null };

/** The actions that give rows of a live transcript, a file or a window of a database, other parents, or why there are none. */
export function relinkRows(finding: Finding, snapshot: OpenclawSnapshot, rows: readonly RowToLink[]): Relinked | Left {
  if (rows.length === 0) return { left: 'the finding does not say which rows' };
  const window = storedWindow(finding, snapshot);
  if (window !== null) return 'left' in window ? window : inDatabase(window, rows);
  const file = liveTranscript(finding, snapshot);
  if ('left' in file) return file;
  const hashes = snapshot.hashes.eachLine(file.path, new Set(rows.map((row) => row.line)));
  const actions: Action[] = [];
  for (const { line, before, after } of rows) {
    const sha256 = hashes.get(line)?.bare;
    if (sha256 === undefined) return { left: `line ${line} is gone` };
    actions.push({ kind: 'edit-json-line', path: file.path, line, sha256, edits: [{ op: 'set', path: ['parentId'], before, after }] });
  }
  return { target: file.name, actions, grows: null };
}

function inDatabase(window: StoredWindow, rows: readonly RowToLink[]): Relinked | Left {
  const list = keepList(window, [], []);
  if ('left' in list) return list;
  const links = rows.flatMap((row) => relinkEvent(window, { seq: row.line - 1, id: row.id, before: row.before, after: row.after }));
  return { target: window.sessionId, actions: [...links, ...list.actions, ...markRewritten(window)], grows: list.grows };
}
