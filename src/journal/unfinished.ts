import { RefusedError } from '../model/errors.ts';
import { placeOf } from '../io/files.ts';
import type { PlannedStore } from '../model/step.ts';
import type { Journal } from './journal-file.ts';
import { journalStatuses, type JournalStatus } from './status.ts';

/** An interrupted journal on one of these stores: of the same plan it is finished, any other makes this refuse. */
export async function findUnfinished(journals: string, stores: readonly PlannedStore[], plan: string): Promise<Journal | null> {
  const touching = (status: JournalStatus): boolean => status.state === 'unfinished' && status.journal !== null && status.journal.stores.some((store) => stores.some((wanted) => wanted.id === store.id || placeOf(wanted.path) === placeOf(store.path)));
  for (const { journal } of (await journalStatuses(journals)).filter(touching)) {
    if (journal === null) continue;
    if (journal.job === 'apply' && journal.plan === plan) return journal;
    const target = journal.job === 'undo' ? journal.of : journal.id;
    throw new RefusedError(`journal ${journal.id} on ${journal.stores[0]?.label} was interrupted and is not finished`, `sessionfsck undo ${target}${journal.job === 'apply' ? ` takes it back, sessionfsck apply ${journal.id} finishes it` : ' finishes it'}`);
  }
  return null;
}
