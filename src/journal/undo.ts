import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { uninterrupted } from '../io/signals.ts';
import { RefusedError } from '../model/errors.ts';
import type { StoreRef } from '../model/store.ts';
import { toolVersion } from '../model/tool.ts';
import { clearTemporaries, doUnits, rehearse, unitState } from './execute.ts';
import { imageNow } from './file-image.ts';
import type { UnitState } from './file-unit.ts';
import { requireQuiet, withStores } from './guard.ts';
import { filePath, logEvent, makeJournalFolder, newJournalId, readEvents, readJournal, journalIds, rowLogPath, sealJournal, type Journal, type JournalUnit } from './journal-file.ts';
import { keepFile, takeContent } from './prepare.ts';
import { undoInDatabase } from './row-undo.ts';

export type UndoOptions = {
  journals: string;
  dryRun: boolean;
  waitMs: number;
  /** Whether a place that somebody else changed since may be left as it is; without it such a place makes an undo refuse. */
  leave?: (unit: JournalUnit) => boolean;
};

export type UndoResult = {
  /** The journal that was taken back. */
  of: string;
  /** The journal of the undo itself; null in a dry run, or when nothing had to be done. */
  journal: string | null;
  dryRun: boolean;
  /** What was (or would be) given back: files and databases by path. */
  paths: string[];
  /** What was as before already. */
  untouched: string[];
  /** What somebody else changed since, and was left as it is. */
  left: string[];
};

function refsOf(journal: Journal): StoreRef[] {
  return journal.stores.map((store) => ({ ...store, layout: 'json' as const }));
}

/** Takes an apply (or an undo) back. Bound to what it wrote: any other change since makes it refuse. */
export async function undoJournal(id: string, options: UndoOptions): Promise<UndoResult> {
  const folder = join(options.journals, id);
  const journal = readJournal(folder);
  return withStores(journal.stores, async () => {
    await requireQuiet(refsOf(journal), options.waitMs);
    return uninterrupted(() => takeBack(journal, folder, options));
  });
}

/** The undo itself, for callers that hold the stores already. */
export async function takeBack(journal: Journal, folder: string, options: UndoOptions): Promise<UndoResult> {
  const { journals, dryRun } = options;
  const events = readEvents(folder);
  const unfinished = unfinishedUndo(journals, journal.id);
  if (unfinished !== null && !dryRun) {
    const path = join(journals, unfinished.id);
    clearTemporaries(unfinished);
    await doUnits(unfinished, path, journals);
    finish(unfinished, path, journal, folder, journals);
    return { of: journal.id, journal: unfinished.id, dryRun, paths: unfinished.units.map((unit) => unit.path), untouched: [], left: [] };
  }
  const last = events.findLast((event) => event.event === 'undone' || event.event === 'redone');
  if (last?.event === 'undone') {
    // No journal took it back where nothing of it had been done.
    if (last.by === undefined) throw new RefusedError(`journal ${journal.id} is settled: nothing of it is left to take back`);
    throw new RefusedError(`journal ${journal.id} was taken back already by ${last.by}`, `sessionfsck undo ${last.by} does it again`);
  }
  const states = new Map<JournalUnit, UnitState>();
  for (const unit of journal.units) states.set(unit, await unitState(unit, folder));
  const changed = journal.units.filter((unit) => states.get(unit) === 'other');
  const foreign = changed.filter((unit) => options.leave?.(unit) !== true).map((unit) => unit.path);
  if (foreign.length > 0) {
    throw new RefusedError(`${foreign[0]} was changed since journal ${journal.id} (${foreign.length} of ${journal.units.length} places)`, `nothing was undone; the old content is kept in ${folder}; sessionfsck undo ${journal.id} --leave-changed gives back the rest`);
  }
  const done = journal.units.filter((unit) => states.get(unit) === 'new');
  const finished = events.some((event) => event.event === 'finished');
  const old = journal.units.filter((unit) => states.get(unit) === 'old').map((unit) => unit.path);
  if (finished && old.length > 0 && options.leave === undefined) {
    throw new RefusedError(`the store is not as journal ${journal.id} left it: ${old[0]} is as it was before`, 'it was restored by other means; nothing was undone');
  }
  const told = { of: journal.id, dryRun, paths: [...new Set(done.map((unit) => unit.path))], untouched: old, left: changed.map((unit) => unit.path) };
  if (dryRun) {
    for (const unit of done) {
      if (unit.kind === 'database') await rehearse(unit.path, (db) => void undoInDatabase(db, unit.path, rowLogPath(folder, unit.n), null));
    }
    return { ...told, journal: null };
  }
  clearTemporaries(journal);
  if (done.length === 0) {
    logEvent(folder, 'undone');
    return { ...told, journal: null };
  }
  const undo = prepareUndo(journal, folder, done, journals);
  await doUnits(undo, join(journals, undo.id), journals);
  finish(undo, join(journals, undo.id), journal, folder, journals);
  return { ...told, journal: undo.id };
}

function finish(undo: Journal, path: string, journal: Journal, folder: string, journals: string): void {
  logEvent(folder, 'undone', { by: undo.id });
  const original = journal.job === 'undo' && journal.of !== null ? join(journals, journal.of) : null;
  if (original !== null && existsSync(original)) logEvent(original, 'redone', { by: undo.id });
  // Last: until then the undo counts as unfinished, and running it again ends it.
  logEvent(path, 'finished');
}

/** An undo of this journal that a crash or a failure interrupted. */
export function unfinishedUndo(journals: string, of: string): Journal | null {
  for (const id of journalIds(journals).reverse()) {
    const folder = join(journals, id);
    if (!existsSync(join(folder, 'journal.json'))) continue;
    let journal: Journal;
    try {
      journal = readJournal(folder);
    } catch {
      continue;
    }
    if (journal.job === 'undo' && journal.of === of && !readEvents(folder).some((event) => event.event === 'finished' || event.event === 'undone')) return journal;
  }
  return null;
}

/** The journal of an undo: the same units, last first, each with what it was before as its goal. */
function prepareUndo(journal: Journal, folder: string, done: readonly JournalUnit[], journals: string): Journal {
  const id = newJournalId(journals, Date.now());
  const own = join(journals, id);
  makeJournalFolder(own);
  try {
    const present = new Set(done.map((unit) => unit.path));
    const units = [...done].reverse().map((unit, index): JournalUnit => {
      const n = index + 1;
      if (unit.kind === 'database') return { kind: 'database', n, store: unit.store, path: unit.path, takesBack: { journal: journal.id, n: unit.n } };
      const renamedFrom = unit.renamedTo !== undefined && present.has(unit.renamedTo) ? unit.renamedTo : undefined;
      const renamedTo = unit.renamedFrom !== undefined && present.has(unit.renamedFrom) ? unit.renamedFrom : undefined;
      const before = unit.after === null ? null : imageNow(unit.path);
      if (before !== null && renamedTo === undefined) keepFile(unit.path, filePath(own, n, 'before'));
      if (unit.before !== null && renamedFrom === undefined) takeContent(filePath(folder, unit.n, 'before'), filePath(own, n, 'after'), unit.before.sha256);
      return { kind: 'file', n, store: unit.store, path: unit.path, before, after: unit.before, ...(renamedFrom === undefined ? {} : { renamedFrom }), ...(renamedTo === undefined ? {} : { renamedTo }) };
    });
    const undo: Journal = { schemaVersion: 1, kind: 'sessionfsck-journal', id, job: 'undo', of: journal.id, tool: { name: 'sessionfsck', version: toolVersion }, created: new Date().toISOString(), plan: null, stores: journal.stores, steps: journal.steps, units };
    sealJournal(own, undo);
    logEvent(own, 'prepared');
    return undo;
  } catch (error) {
    if (!existsSync(join(own, 'journal.json'))) rmSync(own, { recursive: true, force: true });
    throw error;
  }
}
