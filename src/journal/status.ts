import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { explain } from '../io/files.ts';
import { FriendlyError, UnreadableError, errorMessage } from '../model/errors.ts';
import { unitState } from './execute.ts';
import { journalIds, readEvents, readJournal, type Journal } from './journal-file.ts';

/**
 * empty: nothing was done, the journal was never sealed. torn: it cannot be used. unreadable: it may not be read by this
 * user. unfinished: a crash or a failure came in between. done: applied (or, for an undo, taken back). undone: taken back since.
 */
export type JournalState = 'empty' | 'torn' | 'unreadable' | 'unfinished' | 'done' | 'undone';

export type JournalStatus = {
  id: string;
  folder: string;
  state: JournalState;
  /** null for an empty or torn one. */
  journal: Journal | null;
  /** Journals that took this one back or did it again, newest last. */
  by: string | null;
  /** Rescanned and found better. */
  verified: boolean;
  bytes: number;
  /** What is torn, or how far an unfinished one came: `1 of 3 changes done`. */
  detail: string | null;
  /** Can `undo` take it back. */
  undoable: boolean;
};

function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += lstatSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}

/** What the files of a journal say of it; the stores are looked at only where it is unfinished. */
export async function journalStatus(folder: string, id: string): Promise<JournalStatus> {
  const path = join(folder, id);
  const status: JournalStatus = { id, folder: path, state: 'empty', journal: null, by: null, verified: false, bytes: 0, detail: null, undoable: false };
  try {
    status.bytes = sizeOf(path);
  } catch (error) {
    return { ...status, state: 'unreadable', detail: explain(error, path) };
  }
  if (!existsSync(join(path, 'journal.json'))) return { ...status, detail: 'nothing was changed by it' };
  let journal: Journal;
  try {
    journal = readJournal(path);
  } catch (error) {
    return { ...status, state: error instanceof UnreadableError ? 'unreadable' : 'torn', detail: error instanceof FriendlyError ? error.message : errorMessage(error) };
  }
  status.journal = journal;
  const events = readEvents(path);
  status.verified = events.some((event) => event.event === 'verified');
  const last = events.findLast((event) => event.event === 'undone' || event.event === 'redone');
  status.by = last?.by ?? null;
  if (last?.event === 'undone') return { ...status, state: 'undone' };
  if (events.some((event) => event.event === 'finished')) return { ...status, state: 'done', undoable: true };
  const states = await Promise.all(journal.units.map((unit) => unitState(unit, path).catch(() => 'other' as const)));
  const fresh = states.filter((state) => state === 'new').length;
  const other = states.filter((state) => state === 'other').length;
  const detail = other > 0 ? `${other} of ${states.length} changed by somebody else since` : fresh === 0 ? 'the store is as before' : fresh === states.length ? 'the store is as planned' : `${fresh} of ${states.length} changes done`;
  return { ...status, state: 'unfinished', detail, undoable: other === 0 };
}

export async function journalStatuses(folder: string): Promise<JournalStatus[]> {
  const statuses: JournalStatus[] = [];
  for (const id of journalIds(folder)) statuses.push(await journalStatus(folder, id));
  return statuses;
}
