import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeIfThere } from '../io/atomic.ts';
import { privateFolder, dropFolder } from '../io/temp.ts';
import { copyDatabase, snapshotDatabase } from '../io/sqlite-snapshot.ts';
import type { SqliteDatabase } from '../io/sqlite.ts';
import { FriendlyError } from '../model/errors.ts';
import type { Plan } from '../model/step.ts';
import { applyToDatabase, openExclusive } from './database.ts';
import type { DatabaseAction } from './database-actions.ts';
import { changeFile, fileUnitState, temporaryOf, type UnitState } from './file-unit.ts';
import { logEvent, rowLogPath, type Journal, type JournalUnit } from './journal-file.ts';
import { readRowLog } from './row-log.ts';
import { databaseState, undoInDatabase } from './row-undo.ts';

/** What a plan does to one database, in plan order. */
export function databaseActions(plan: Plan, steps: ReadonlySet<string>, database: string): DatabaseAction[] {
  return plan.steps.filter((step) => steps.has(step.id)).flatMap((step) => step.actions.filter((action): action is DatabaseAction => 'database' in action && action.database === database));
}

/** The plan as it was when a journal was made. */
export function keptPlan(folder: string): Plan {
  return JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
}

/** Whether one file or database of a journal is as before or as after it. Databases are read from a private copy. */
export async function unitState(unit: JournalUnit, folder: string): Promise<UnitState> {
  if (unit.kind === 'file') return fileUnitState(unit);
  const log = rowLogPath(folder, unit.n);
  if (!isWhole(log)) return 'old';
  const snapshot = await snapshotDatabase(unit.path, { snapshotDir: null, inPlace: false });
  try {
    if (snapshot.db === null) return 'other';
    return databaseState(snapshot.db, unit.path, log);
  } finally {
    snapshot.close();
  }
}

/** A row log without its foot was not followed by a commit. */
function isWhole(log: string): boolean {
  if (!existsSync(log)) return false;
  try {
    readRowLog(log);
    return true;
  } catch {
    return false;
  }
}

/**
 * Does one unit of a journal that is still as before. `journals` is the folder of all journals; `plan` null: the one that the
 * journal keeps.
 */
export function doUnit(unit: JournalUnit, folder: string, journals: string, journal: Journal, plan: Plan | null): void {
  if (unit.kind === 'file') {
    changeFile(unit, folder, journal.id);
  } else {
    const log = rowLogPath(folder, unit.n);
    rmSync(log, { force: true });
    const db = openExclusive(unit.path);
    try {
      if (unit.takesBack) undoInDatabase(db, unit.path, rowLogPath(join(journals, unit.takesBack.journal), unit.takesBack.n), log);
      else applyToDatabase(db, unit.path, databaseActions(plan ?? keptPlan(folder), new Set(journal.steps.map((step) => step.id)), unit.path), log);
    } finally {
      db.close();
    }
  }
  logEvent(folder, 'done', { unit: unit.n });
}

/** Takes away what an interrupted attempt left beside the store's files. */
export function clearTemporaries(journal: Journal): void {
  for (const unit of journal.units) if (unit.kind === 'file') removeIfThere(temporaryOf(unit, journal.id));
}

function changedByOthers(unit: JournalUnit, folder: string, journal: Journal): FriendlyError {
  return new FriendlyError(`${unit.path} is neither as before nor as after journal ${journal.id}: somebody else changed it`, `the old content is kept in ${folder}`);
}

/** Writes nothing. Throws FriendlyError where a unit is neither as before nor as after. */
export async function requireOwnUnits(journal: Journal, folder: string): Promise<void> {
  for (const unit of journal.units) if ((await unitState(unit, folder)) === 'other') throw changedByOthers(unit, folder, journal);
}

/** Does every unit that is not done yet. Throws where one is neither as before nor as after. */
export async function doUnits(journal: Journal, folder: string, journals: string, plan: Plan | null = null): Promise<void> {
  for (const unit of journal.units) {
    const state = await unitState(unit, folder);
    if (state === 'new') continue;
    // A renamed file counts as old until both halves are done; its other half settles it.
    if (state === 'other') throw changedByOthers(unit, folder, journal);
    doUnit(unit, folder, journals, journal, plan);
  }
}

/** Runs a transaction on a private copy of a database and rolls it back: proves that it would go through. */
export async function rehearse(database: string, work: (db: SqliteDatabase) => void): Promise<void> {
  const folder = privateFolder(null);
  try {
    const copy = await copyDatabase(database, folder);
    const db = openExclusive(copy);
    try {
      work(db);
    } finally {
      db.close();
    }
  } finally {
    dropFolder(folder);
  }
}
