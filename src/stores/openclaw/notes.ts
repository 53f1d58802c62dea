import { basename, join } from 'node:path';
import { kindOf, listFolder, readHead } from '../../io/files.ts';
import type { SessionNote } from './types.ts';

/** What is read of a note: its head says which session it was written for. */
const headBytes = 600;
const notesAtMost = 20_000;

/**
 * The session notes that the product wrote when a command or a reset call ended a session (`memory/<day>-<slug>.md` in a
 * workspace of the state folder): which session each was written for, nothing of what it says. What cannot be read counts as none.
 */
export function readSessionNotes(home: string): SessionNote[] {
  const notes: SessionNote[] = [];
  for (const folder of workspaces(home)) {
    try {
      for (const entry of listFolder(join(folder, 'memory'))) {
        if (entry.kind !== 'file' || !/^\d{4}-\d\d-\d\d.*\.md$/.test(entry.name) || notes.length >= notesAtMost) continue;
        const head = readHead(entry.path, headBytes).toString('latin1');
        const sessionId = /\*\*Session ID\*\*: ([A-Za-z0-9][A-Za-z0-9._-]{0,127})/.exec(head)?.[1];
        if (sessionId !== undefined && sessionId !== 'unknown') notes.push({ name: entry.name, sessionId });
      }
    } catch {
      // A note only explains; without it the end stays unexplained.
    }
  }
  return notes;
}

function workspaces(home: string): string[] {
  try {
    return listFolder(home)
      .filter((entry) => entry.kind === 'folder' && /^workspace(-|$)/.test(basename(entry.path)) && kindOf(join(entry.path, 'memory')) === 'folder')
      .map((entry) => entry.path);
  } catch {
    return [];
  }
}
