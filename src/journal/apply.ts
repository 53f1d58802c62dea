import { join } from 'node:path';
import { uninterrupted } from '../io/signals.ts';
import { sha256Of } from '../io/splice.ts';
import { RefusedError, UsageError } from '../model/errors.ts';
import { refOf, type Plan } from '../model/step.ts';
import { toolVersion } from '../model/tool.ts';
import type { ApplyHooks, ApplyOptions, ApplyResult } from './apply-types.ts';
import { chooseSteps } from './choose-steps.ts';
import { clearTemporaries, keptPlan, requireOwnUnits } from './execute.ts';
import { requireSameStores } from './fingerprint.ts';
import { finish } from './finish.ts';
import { requireOutside, requireQuiet, withStores } from './guard.ts';
import { logEvent, readEvents, readJournal, type Journal } from './journal-file.ts';
import { prepareChanges, writeJournal } from './prepare-apply.ts';
import { unfinishedUndo } from './undo.ts';
import { findUnfinished } from './unfinished.ts';

export type { ApplyHooks, ApplyOptions, ApplyResult } from './apply-types.ts';

/** Does the chosen steps of a plan: all of them or none. `planText` is the file's content. Throws RefusedError, FriendlyError. */
export async function applyPlan(plan: Plan, planText: string, options: ApplyOptions, hooks: ApplyHooks): Promise<ApplyResult> {
  const { chosen, skipped } = chooseSteps(plan, options);
  const result: ApplyResult = { dryRun: options.dryRun, journal: null, resumed: false, done: chosen, skipped, rescan: null, rolledBack: null };
  if (chosen.length === 0) return result;
  const stores = plan.stores.filter((store) => chosen.some((step) => step.store === store.id));
  const missing = chosen.find((step) => !stores.some((store) => store.id === step.store));
  if (missing) throw new UsageError(`step ${missing.id} names a store that the plan does not have`, 'the plan was edited: make a new one');
  requireOutside(options.journals, stores);
  return withStores(stores, async () => {
    await requireQuiet(stores.map(refOf), options.waitMs);
    const unfinished = await findUnfinished(options.journals, stores, sha256Of(planText));
    if (unfinished !== null) return resume(unfinished, plan, options, hooks, result);
    if (plan.tool.version !== toolVersion) throw new RefusedError(`the plan was made by sessionfsck ${plan.tool.version}, and this is ${toolVersion}, which may judge the store otherwise`, 'make a new plan');
    requireSameStores(stores);
    const changes = await prepareChanges(plan, chosen, stores);
    if (options.dryRun) return result;
    const journal = writeJournal(planText, chosen, stores, changes, options.journals);
    return uninterrupted(() => finish(journal, plan, options, hooks, result));
  });
}

/** Finishes an interrupted apply by its journal's id; a dry run only looks whether that could be done. Throws RefusedError, FriendlyError. */
export async function resumeJournal(id: string, options: ApplyOptions, hooks: ApplyHooks): Promise<ApplyResult> {
  const folder = join(options.journals, id);
  const journal = readJournal(folder);
  if (journal.job !== 'apply') throw new UsageError(`journal ${id} is an undo`, `sessionfsck undo ${journal.of} finishes it`);
  if (readEvents(folder).some((event) => ['finished', 'undone'].includes(event.event))) throw new UsageError(`journal ${id} is finished`, `sessionfsck undo ${id} takes it back`);
  const plan = keptPlan(folder);
  const stores = plan.stores.filter((store) => journal.stores.some((kept) => kept.id === store.id));
  return withStores(stores, async () => {
    await requireQuiet(stores.map(refOf), options.waitMs);
    const result: ApplyResult = { dryRun: options.dryRun, journal: null, resumed: false, done: [], skipped: [], rescan: null, rolledBack: null };
    return resume(journal, plan, options, hooks, result);
  });
}

async function resume(journal: Journal, plan: Plan, options: ApplyOptions, hooks: ApplyHooks, result: ApplyResult): Promise<ApplyResult> {
  const done = plan.steps.filter((step) => journal.steps.some((kept) => kept.id === step.id));
  const whole = { ...result, done, skipped: result.skipped.filter(({ step }) => !done.includes(step)) };
  if (options.dryRun) {
    await requireOwnUnits(journal, join(options.journals, journal.id));
    return whole;
  }
  clearTemporaries(journal);
  // It would take back only what was done when it began: from here on another undo counts.
  const undo = unfinishedUndo(options.journals, journal.id);
  if (undo !== null) {
    clearTemporaries(undo);
    logEvent(join(options.journals, undo.id), 'undone', { by: journal.id });
  }
  return uninterrupted(() => finish(journal, plan, options, hooks, { ...whole, resumed: true }));
}
