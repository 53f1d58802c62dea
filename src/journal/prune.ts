import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isJournalId } from './journal-file.ts';
import type { JournalStatus } from './status.ts';

/**
 * Journals that nobody needs any more: ones that never did anything, and pairs of an apply and the undo that took it back.
 * Never one that can still be taken back, is unfinished, or is torn.
 */
export function prunable(statuses: readonly JournalStatus[]): JournalStatus[] {
  const undone = new Set(statuses.filter((status) => status.state === 'undone').map((status) => status.id));
  return statuses.filter((status) => status.state === 'empty' || status.state === 'undone' || (status.state === 'done' && status.journal?.job === 'undo' && status.journal.of !== null && undone.has(status.journal.of)));
}

export function removeJournal(folder: string, id: string): void {
  if (isJournalId(id)) rmSync(join(folder, id), { recursive: true, force: true });
}
