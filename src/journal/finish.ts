import { rmSync } from 'node:fs';
import { FriendlyError, RefusedError, errorMessage } from '../model/errors.ts';
import { refOf, type Plan, type PlannedStore, type Step } from '../model/step.ts';
import { join } from 'node:path';
import type { ApplyHooks, ApplyOptions, ApplyResult } from './apply-types.ts';
import { doUnits } from './execute.ts';
import { filePath, logEvent, readEvents, type Journal } from './journal-file.ts';
import { judgeRescan, type RescanVerdict } from './rescan.ts';
import { takeBack } from './undo.ts';

/** Does what a journal says and is not done yet, scans again, and takes everything back where the store did not get better. */
export async function finish(journal: Journal, plan: Plan, options: ApplyOptions, hooks: ApplyHooks, result: ApplyResult): Promise<ApplyResult> {
  const folder = join(options.journals, journal.id);
  try {
    await doUnits(journal, folder, options.journals, plan);
    logEvent(folder, 'finished');
  } catch (error) {
    throw await afterFailure(journal, folder, options, error);
  }
  for (const unit of journal.units) if (unit.kind === 'file') rmSync(filePath(folder, unit.n, 'after'), { force: true });
  const stores = plan.stores.filter((store) => journal.stores.some((kept) => kept.id === store.id));
  const verdict = await verify(stores, result.done, hooks);
  if (verdict.better) {
    try {
      logEvent(folder, 'verified');
    } catch {
      // The repair is done and found good; the journal merely does not say the latter.
    }
    return { ...result, journal: journal.id, rescan: verdict };
  }
  try {
    const undone = await takeBack(journal, folder, { journals: options.journals, dryRun: false, waitMs: 0 });
    return { ...result, journal: journal.id, rescan: verdict, rolledBack: { reason: verdict.reason, journal: undone.journal } };
  } catch (error) {
    throw new FriendlyError(`the store did not get better (${verdict.reason}), and taking it back failed: ${errorMessage(error)}`, `sessionfsck journals says how far it came; sessionfsck undo ${journal.id} takes it back, with --leave-changed all but what others changed`);
  }
}

async function verify(stores: readonly PlannedStore[], done: readonly Step[], hooks: ApplyHooks): Promise<RescanVerdict> {
  try {
    return judgeRescan(stores, done, await hooks.rescan(stores.map(refOf)));
  } catch (error) {
    return { better: false, reason: `the rescan failed: ${errorMessage(error)}`, gone: [], remaining: [], appeared: [] };
  }
}

/** A write failed half-way: everything that was done is taken back at once; where that fails too, the journal says how far it came. */
async function afterFailure(journal: Journal, folder: string, options: ApplyOptions, error: unknown): Promise<Error> {
  const cause = errorMessage(error);
  let left: string[] = [];
  try {
    // A file that was written by somebody else before its turn came is theirs: there is nothing of ours in it to take back.
    const done = new Set(readEvents(folder).flatMap((event) => (event.event === 'done' ? [event.unit] : [])));
    left = (await takeBack(journal, folder, { journals: options.journals, dryRun: false, waitMs: 0, leave: (unit) => !done.has(unit.n) })).left;
  } catch (second) {
    return new FriendlyError(`${cause}; taking it back failed as well: ${errorMessage(second)}`, `sessionfsck undo ${journal.id} takes it back, sessionfsck apply ${journal.id} finishes it`);
  }
  const asBefore = journal.stores.length === 1 ? 'the store is as it was before' : `all ${journal.stores.length} stores are as they were before`;
  const outcome = left.length === 0 ? asBefore : `nothing of the repair is left, and ${left.join(', ')} is as the other process wrote it`;
  if (error instanceof RefusedError) return new RefusedError(`${cause}; ${outcome}`, error.hint);
  return new FriendlyError(`${cause}; ${outcome}`, error instanceof FriendlyError ? error.hint : null);
}
