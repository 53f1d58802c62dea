import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, writeNewFile } from '../io/atomic.ts';
import { sha256Of } from '../io/splice.ts';
import { FriendlyError, RefusedError, UsageError, errorMessage } from '../model/errors.ts';
import type { Plan, PlannedStore, Step } from '../model/step.ts';
import type { StoreRef } from '../model/store.ts';
import { toolVersion } from '../model/tool.ts';
import { applyToDatabase } from './database.ts';
import { clearTemporaries, databaseActions, doUnits, rehearse } from './execute.ts';
import { planFileChanges, requireInside, type FileAction, type FileChange } from './file-plan.ts';
import { storeFingerprint } from './fingerprint.ts';
import { requireQuiet, uninterrupted, withStores } from './guard.ts';
import { filePath, logEvent, makeJournalFolder, newJournalId, readEvents, readJournal, sealJournal, type Journal, type JournalUnit } from './journal-file.ts';
import { fileUnits, keepContents, requireSpace } from './prepare.ts';
import { judgeRescan, type RescanFinding, type RescanVerdict } from './rescan.ts';
import { journalStatuses, type JournalStatus } from './status.ts';
import { takeBack } from './undo.ts';

export type ApplyOptions = {
  /** Folder of all journals. */
  journals: string;
  allowJudgement: boolean;
  /** Only these steps, whatever their class; null: all that are allowed. */
  steps: readonly string[] | null;
  dryRun: boolean;
  waitMs: number;
};

export type ApplyHooks = {
  /** Scans the stores as the plan's scan did. Throws when something could not be read. */
  rescan(stores: readonly StoreRef[]): Promise<RescanFinding[]>;
};

export type ApplyResult = {
  dryRun: boolean;
  /** null in a dry run, and when there was nothing to do. */
  journal: string | null;
  /** An interrupted journal of the same plan was finished. */
  resumed: boolean;
  done: Step[];
  skipped: { step: Step; reason: string }[];
  rescan: RescanVerdict | null;
  /** Why everything was taken back, and the journal of that. */
  rolledBack: { reason: string; journal: string | null } | null;
};

export function refOf(store: PlannedStore): StoreRef {
  const { id, product, layout, path, label, home, config, only } = store;
  return { id, product, layout, path, label, home, ...(config === undefined ? {} : { config }), ...(only === undefined ? {} : { only }) };
}

/** The steps that run, and why the others do not. Throws UsageError for a step that the plan does not have. */
export function chooseSteps(plan: Plan, options: Pick<ApplyOptions, 'allowJudgement' | 'steps'>): { chosen: Step[]; skipped: ApplyResult['skipped'] } {
  for (const id of options.steps ?? []) {
    if (!plan.steps.some((step) => step.id === id)) throw new UsageError(`the plan has no step ${id}`, `its steps are ${plan.steps.map((step) => step.id).join(', ') || 'none'}`);
  }
  const chosen: Step[] = [];
  const skipped: ApplyResult['skipped'] = [];
  for (const step of plan.steps) {
    if (options.steps !== null && !options.steps.includes(step.id)) skipped.push({ step, reason: 'not named by --step' });
    else if (step.class === 'judgement' && options.steps === null && !options.allowJudgement) skipped.push({ step, reason: `needs --allow judgement or --step ${step.id}` });
    else chosen.push(step);
  }
  return { chosen, skipped };
}

/** Does the chosen steps of a plan: all of them or none. `planText` is the file's content. Throws RefusedError, FriendlyError. */
export async function applyPlan(plan: Plan, planText: string, options: ApplyOptions, hooks: ApplyHooks): Promise<ApplyResult> {
  const { chosen, skipped } = chooseSteps(plan, options);
  const result: ApplyResult = { dryRun: options.dryRun, journal: null, resumed: false, done: chosen, skipped, rescan: null, rolledBack: null };
  if (chosen.length === 0) return result;
  const stores = plan.stores.filter((store) => chosen.some((step) => step.store === store.id));
  const missing = chosen.find((step) => !stores.some((store) => store.id === step.store));
  if (missing) throw new UsageError(`step ${missing.id} names a store that the plan does not have`, 'the plan was edited: make a new one');
  return withStores(stores, async () => {
    await requireQuiet(stores.map(refOf), options.waitMs);
    const unfinished = await findUnfinished(options.journals, stores, sha256Of(planText));
    if (unfinished !== null && !options.dryRun) return resume(unfinished, plan, options, hooks, result);
    requireSameStores(stores);
    const changes = await prepareChanges(plan, chosen, stores);
    if (options.dryRun) return result;
    const journal = writeJournal(plan, planText, chosen, stores, changes, options.journals);
    return uninterrupted(() => finish(journal, plan, options, hooks, result));
  });
}

/** Finishes an interrupted apply by its journal's id. */
export async function resumeJournal(id: string, options: ApplyOptions, hooks: ApplyHooks): Promise<ApplyResult> {
  const folder = join(options.journals, id);
  const journal = readJournal(folder);
  if (journal.job !== 'apply') throw new UsageError(`journal ${id} is an undo`, `sessionfsck undo ${journal.of} finishes it`);
  if (readEvents(folder).some((event) => ['finished', 'undone'].includes(event.event))) throw new UsageError(`journal ${id} is finished`, `sessionfsck undo ${id} takes it back`);
  const { keptPlan } = await import('./execute.ts');
  const plan = keptPlan(folder);
  const stores = plan.stores.filter((store) => journal.stores.some((kept) => kept.id === store.id));
  return withStores(stores, async () => {
    await requireQuiet(stores.map(refOf), options.waitMs);
    const result: ApplyResult = { dryRun: false, journal: id, resumed: true, done: [], skipped: [], rescan: null, rolledBack: null };
    return resume(journal, plan, options, hooks, result);
  });
}

async function resume(journal: Journal, plan: Plan, options: ApplyOptions, hooks: ApplyHooks, result: ApplyResult): Promise<ApplyResult> {
  clearTemporaries(journal);
  const done = plan.steps.filter((step) => journal.steps.some((kept) => kept.id === step.id));
  return uninterrupted(() => finish(journal, plan, options, hooks, { ...result, resumed: true, done, skipped: result.skipped.filter(({ step }) => !done.includes(step)) }));
}

/** An interrupted journal on one of these stores: of the same plan it is finished, any other makes this refuse. */
async function findUnfinished(journals: string, stores: readonly PlannedStore[], plan: string): Promise<Journal | null> {
  const touching = (status: JournalStatus): boolean => status.state === 'unfinished' && status.journal !== null && status.journal.stores.some((store) => stores.some((wanted) => wanted.id === store.id));
  for (const { journal } of (await journalStatuses(journals)).filter(touching)) {
    if (journal === null) continue;
    if (journal.job === 'apply' && journal.plan === plan) return journal;
    const target = journal.job === 'undo' ? journal.of : journal.id;
    throw new RefusedError(`journal ${journal.id} on ${journal.stores[0]?.label} was interrupted and is not finished`, `sessionfsck undo ${target}${journal.job === 'apply' ? ` takes it back, sessionfsck apply ${journal.id} finishes it` : ' finishes it'}`);
  }
  return null;
}

function requireSameStores(stores: readonly PlannedStore[]): void {
  for (const store of stores) {
    const now = storeFingerprint(refOf(store));
    if (now.digest === store.fingerprint.digest) continue;
    const grown = now.files !== store.fingerprint.files ? `${now.files} files instead of ${store.fingerprint.files}` : `${now.bytes} bytes instead of ${store.fingerprint.bytes}`;
    throw new RefusedError(`${store.label} changed since the plan was made (${now.files === store.fingerprint.files && now.bytes === store.fingerprint.bytes ? 'a file was written' : grown})`, `sessionfsck plan ${store.path} -o plan.json --force makes a new one`);
  }
}

type Prepared = { files: { store: string; changes: FileChange[] }[]; databases: { store: string; path: string }[] };

/** Checks every precondition of every step, databases by a rehearsal on a private copy. Nothing is written. */
async function prepareChanges(plan: Plan, chosen: readonly Step[], stores: readonly PlannedStore[]): Promise<Prepared> {
  const prepared: Prepared = { files: [], databases: [] };
  const ids = new Set(chosen.map((step) => step.id));
  for (const store of stores) {
    const actions = chosen.filter((step) => step.store === store.id).flatMap((step) => step.actions);
    const fileActions = actions.filter((action): action is FileAction => !('database' in action));
    if (fileActions.length > 0) prepared.files.push({ store: store.id, changes: planFileChanges(fileActions, store.home) });
    const paths = new Set(actions.flatMap((action) => ('database' in action ? [action.database] : [])));
    for (const path of paths) {
      requireInside(path, store.home);
      await rehearse(path, (db) => void applyToDatabase(db, path, databaseActions(plan, ids, path), null));
      prepared.databases.push({ store: store.id, path });
    }
  }
  return prepared;
}

/** Writes everything that an undo needs, durably, before the first byte of a store changes. */
function writeJournal(plan: Plan, planText: string, chosen: readonly Step[], stores: readonly PlannedStore[], prepared: Prepared, journals: string): Journal {
  makePrivateFolder(journals);
  const id = newJournalId(journals, Date.now());
  const folder = join(journals, id);
  const units: JournalUnit[] = [];
  for (const { store, path } of prepared.databases) units.push({ kind: 'database', n: units.length + 1, store, path });
  for (const { store, changes } of prepared.files) units.push(...fileUnits(changes, store, units.length + 1));
  const journal: Journal = {
    schemaVersion: 1,
    kind: 'sessionfsck-journal',
    id,
    job: 'apply',
    of: null,
    tool: { name: 'sessionfsck', version: toolVersion },
    created: new Date().toISOString(),
    plan: sha256Of(planText),
    stores: stores.map(({ id: store, product, path, label, home, config }) => ({ id: store, product, path, label, home, ...(config === undefined ? {} : { config }) })),
    steps: chosen.map(({ id: step, fix, store, session, sessionKey, title }) => ({ id: step, fix, store, session, sessionKey, title })),
    units,
  };
  const changes = prepared.files.flatMap((part) => part.changes);
  try {
    makeJournalFolder(folder);
    requireSpace(folder, changes);
    writeNewFile(join(folder, 'plan.json'), 0o600, (sink) => sink(Buffer.from(JSON.stringify(plan), 'utf8')));
    keepContents(folder, units, changes);
    sealJournal(folder, journal);
    logEvent(folder, 'prepared');
    return journal;
  } catch (error) {
    if (!existsSync(join(folder, 'journal.json'))) rmSync(folder, { recursive: true, force: true });
    if (error instanceof FriendlyError) throw error;
    throw new FriendlyError(`the journal ${folder} could not be written: ${errorMessage(error)}; the store was not touched`, 'name another place with --journal-dir DIR');
  }
}

async function finish(journal: Journal, plan: Plan, options: ApplyOptions, hooks: ApplyHooks, result: ApplyResult): Promise<ApplyResult> {
  const folder = join(options.journals, journal.id);
  try {
    await doUnits(journal, folder, options.journals);
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
  const undone = await takeBack(journal, folder, { journals: options.journals, dryRun: false, waitMs: 0 });
  return { ...result, journal: journal.id, rescan: verdict, rolledBack: { reason: verdict.reason, journal: undone.journal } };
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
  try {
    await takeBack(journal, folder, { journals: options.journals, dryRun: false, waitMs: 0 });
  } catch (second) {
    return new FriendlyError(`${cause}; taking it back failed as well: ${errorMessage(second)}`, `sessionfsck undo ${journal.id} takes it back, sessionfsck apply ${journal.id} finishes it`);
  }
  if (error instanceof RefusedError) return new RefusedError(`${cause}; the store is as it was before`, error.hint);
  return new FriendlyError(`${cause}; the store is as it was before`, error instanceof FriendlyError ? error.hint : null);
}
