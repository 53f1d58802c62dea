import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { UnreadableError, errorMessage } from '../model/errors.ts';
import { isJournalId, timeOfId } from './journal-file.ts';
import type { JournalStatus } from './status.ts';

/** Younger ones that did nothing yet may belong to an apply that is just preparing. */
const preparingMs = 15 * 60_000;

/**
 * Journals that nobody needs any more: ones that never did anything, and pairs of an apply and the undo that took it back.
 * Never one that can still be taken back, is unfinished, torn or not readable, nor one that an unfinished undo takes back.
 * `now` in ms.
 */
export function prunable(statuses: readonly JournalStatus[], now: number): JournalStatus[] {
  const undone = new Set(statuses.filter((status) => status.state === 'undone').map((status) => status.id));
  const needed = new Set(statuses.filter((status) => status.state === 'unfinished').flatMap((status) => status.journal?.of ?? []));
  const useless = ({ id, state, journal }: JournalStatus): boolean => {
    if (state === 'empty') return Math.abs(now - timeOfId(id)) > preparingMs;
    return state === 'undone' || (state === 'done' && journal?.job === 'undo' && journal.of !== null && undone.has(journal.of));
  };
  return statuses.filter((status) => useless(status) && !needed.has(status.id));
}

/** Removes a journal's folder. Throws UnreadableError where the system refuses. */
export function removeJournal(folder: string, id: string): void {
  if (!isJournalId(id)) return;
  try {
    rmSync(join(folder, id), { recursive: true, force: true });
  } catch (error) {
    throw new UnreadableError(`${join(folder, id)} could not be removed: ${errorMessage(error)}`, join(folder, id), 'run as the user that owns it');
  }
}
