import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeNewFile } from '../io/atomic.ts';
import { sha256Of } from '../io/splice.ts';
import { FriendlyError, errorMessage } from '../model/errors.ts';
import type { Plan, PlannedStore, Step } from '../model/step.ts';
import { toolVersion } from '../model/tool.ts';
import { applyToDatabase } from './database.ts';
import { databaseActions, rehearse } from './execute.ts';
import { planFileChanges, type FileAction, type FileChange } from './file-plan.ts';
import { requireInside } from './inside.ts';
import { logEvent, makeJournalFolder, makeJournalsFolder, newJournalId, sealJournal, type Journal, type JournalUnit } from './journal-file.ts';
import { withContent } from './mirror-rows.ts';
import { fileUnits, keepContents, requireSpace } from './prepare.ts';

export type Prepared = { files: { store: string; changes: FileChange[] }[]; databases: { store: string; path: string }[] };

/** Checks every precondition of every step, databases by a rehearsal on a private copy. Nothing is written. */
export async function prepareChanges(plan: Plan, chosen: readonly Step[], stores: readonly PlannedStore[]): Promise<Prepared> {
  const prepared: Prepared = { files: [], databases: [] };
  const ids = new Set(chosen.map((step) => step.id));
  for (const store of stores) {
    const actions = chosen.filter((step) => step.store === store.id).flatMap((step) => step.actions);
    const fileActions = actions.filter((action): action is FileAction => !('database' in action));
    const ready: FileAction[] = [];
    for (const action of fileActions) ready.push(await withContent(action, store.home));
    if (ready.length > 0) prepared.files.push({ store: store.id, changes: planFileChanges(ready, store.home) });
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
export function writeJournal(planText: string, chosen: readonly Step[], stores: readonly PlannedStore[], prepared: Prepared, journals: string): Journal {
  makeJournalsFolder(journals);
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
    writeNewFile(join(folder, 'plan.json'), 0o600, (sink) => sink(Buffer.from(planText, 'utf8')));
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
