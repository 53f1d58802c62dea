import { faultPoint } from '../io/faults.ts';
import { quoteName } from '../io/sqlite-cells.ts';
import { loadSqlite, type SqliteDatabase } from '../io/sqlite.ts';
import { FriendlyError, RefusedError, errorCode, errorMessage } from '../model/errors.ts';
import { isProtectedTable } from '../stores/protected-tables.ts';
import { capturedChanges, capturedCounts, startCapture } from './capture.ts';
import { checkPreconditions, runActions, type DatabaseAction } from './database-actions.ts';
import { writeRowLog, type RowLogHead } from './row-log.ts';
import { tableShapes, type TableShape } from './schema.ts';

export type DatabaseResult = { inserted: number; updated: number; deleted: number };

/** What one transaction does; called with everything recorded and before anything is checked. */
type Work = (db: SqliteDatabase, shapes: ReadonlyMap<string, TableShape>) => { madeTriggers: { name: string; sql: string }[]; mayDelete: (table: string) => boolean };

/**
 * Opens a store's database where it lies, for writing, and holds it alone. This is the one place where that is done. The
 * order matters: with an exclusive locking mode even an idle connection of another process is noticed (opencode format
 * notes §7.3). Throws RefusedError when somebody else has it open.
 */
export function openExclusive(path: string): SqliteDatabase {
  const Database = loadSqlite();
  const db = new Database(path, { fileMustExist: true, timeout: 250 });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('foreign_keys = ON');
    db.pragma('temp_store = FILE');
    db.pragma('cache_size = -32000');
    db.exec('BEGIN EXCLUSIVE');
    db.exec('COMMIT');
    return db;
  } catch (error) {
    db.close();
    if (['SQLITE_BUSY', 'SQLITE_LOCKED'].some((code) => errorCode(error).startsWith(code))) {
      throw new RefusedError(`${path} is in use: another process has it open`, 'stop it, or pass --wait SECONDS');
    }
    throw writeError(error, path);
  }
}

/** What a person needs to know when a database refuses to be written. */
export function writeError(error: unknown, path: string): Error {
  if (error instanceof FriendlyError) return error;
  const code = errorCode(error);
  if (code.startsWith('SQLITE_FULL')) return new FriendlyError(`no space to change ${path}; nothing was changed`, 'make room, then run the same command again');
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN')) return new FriendlyError(`${path} or its folder may not be written by this user`, 'run as the user that owns the store');
  if (code.startsWith('SQLITE_')) return new FriendlyError(`${path} could not be changed: ${errorMessage(error)} (${code})`);
  return error instanceof Error ? error : new Error(errorMessage(error));
}

function sequences(db: SqliteDatabase): { [table: string]: string } {
  if (!db.prepare("SELECT 1 FROM main.sqlite_master WHERE name = 'sqlite_sequence'").get()) return {};
  const rows = db.prepare('SELECT name, CAST(seq AS TEXT) FROM main.sqlite_sequence').raw(true).all() as [string, string][];
  return Object.fromEntries(rows);
}

function triggers(db: SqliteDatabase): Map<string, string> {
  const rows = db.prepare("SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger'").raw(true).all() as [string, string][];
  return new Map(rows);
}

/** Foreign keys that point nowhere, per table, for the tables named and those that refer to them. */
function violations(db: SqliteDatabase, shapes: ReadonlyMap<string, TableShape>, touched: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of shapes.keys()) {
    const parents = db.prepare('SELECT "table" FROM pragma_foreign_key_list(?)').pluck(true).all(name) as string[];
    if (parents.length === 0 || !(touched.has(name) || parents.some((parent) => touched.has(parent)))) continue;
    const count = db.prepare('SELECT count(*) FROM pragma_foreign_key_check(?)').pluck(true).get(name);
    counts.set(name, Number(count));
  }
  return counts;
}

function rowCounts(db: SqliteDatabase, tables: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const table of tables) counts.set(table, Number(db.prepare(`SELECT count(*) FROM main.${quoteName(table)}`).pluck(true).get()));
  return counts;
}

/** Whether the schema may replace rows: those that go then fire no trigger, and only counting tells of them. */
function replacesRows(db: SqliteDatabase): boolean {
  const texts = db.prepare("SELECT sql FROM main.sqlite_master WHERE type IN ('table', 'trigger', 'index') AND sql LIKE '%replace%'").pluck(true).all() as string[];
  return texts.some((sql) => /\b(or|conflict)\s+replace\b|\breplace\s+into\b/i.test(sql));
}

/**
 * Runs one transaction on a database that is held alone: everything or nothing, with every row change recorded and made
 * durable in `log` before the commit. Checks before committing: no new broken foreign key, rows in = rows out, nothing
 * deleted that is content. `log` null: rolled back in the end (a rehearsal). `restoring`: rows are put back as they were, so
 * a reference that pointed nowhere then may point nowhere again.
 */
export function transact(db: SqliteDatabase, path: string, log: string | null, touched: ReadonlySet<string>, work: Work, restoring = false): DatabaseResult {
  let open = false;
  try {
    db.pragma(`foreign_keys = ${restoring ? 'OFF' : 'ON'}`);
    db.exec('BEGIN IMMEDIATE');
    open = true;
    db.pragma('defer_foreign_keys = ON');
    const shapes = tableShapes(db);
    const counted = replacesRows(db) ? [...shapes.keys()] : [...touched].filter((table) => shapes.has(table));
    const brokenBefore = violations(db, shapes, touched);
    const rowsBefore = rowCounts(db, counted);
    const sequenceBefore = sequences(db);
    const triggersBefore = triggers(db);
    startCapture(db, shapes);
    const { madeTriggers, mayDelete } = work(db, shapes);

    const counts = capturedCounts(db);
    for (const [table, { deleted }] of counts) {
      if (deleted > 0 && !mayDelete(table)) throw new FriendlyError(`${deleted} rows of ${table} would be deleted, which no step asks for; nothing was changed`);
    }
    const rowsAfter = rowCounts(db, counted);
    for (const table of counted) {
      const { inserted = 0, deleted = 0 } = counts.get(table) ?? {};
      const expected = (rowsBefore.get(table) ?? 0) + inserted - deleted;
      if (rowsAfter.get(table) !== expected) throw new FriendlyError(`${table} has ${rowsAfter.get(table)} rows where ${expected} were expected; nothing was changed`);
    }
    const written = new Set([...touched, ...counts.keys()]);
    for (const [table, broken] of violations(db, shapes, written)) {
      const before = (brokenBefore.get(table) ?? 0) + (restoring ? (counts.get(table)?.updated ?? 0) + (counts.get(table)?.inserted ?? 0) : 0);
      if (brokenBefore.has(table) && broken > before) throw new FriendlyError(`${broken - before} rows of ${table} would point to a row that does not exist; nothing was changed`);
    }
    const triggersAfter = triggers(db);
    const droppedTriggers = [...triggersBefore].filter(([name]) => !triggersAfter.has(name)).map(([name, sql]) => ({ name, sql }));
    const result = [...counts.values()].reduce((sum, count) => ({ inserted: sum.inserted + count.inserted, updated: sum.updated + count.updated, deleted: sum.deleted + count.deleted }), { inserted: 0, updated: 0, deleted: 0 });
    if (log === null) {
      db.exec('ROLLBACK');
      return result;
    }
    const head: RowLogHead = { kind: 'head', sequence: { before: sequenceBefore, after: sequences(db) }, droppedTriggers, madeTriggers };
    writeRowLog(log, head, capturedChanges(db, shapes));
    faultPoint('commit', path);
    db.exec('COMMIT');
    open = false;
    return result;
  } catch (error) {
    if (open && db.inTransaction) db.exec('ROLLBACK');
    throw writeError(error, path);
  }
}

/** Tables that actions write to. */
export function touchedTables(actions: readonly DatabaseAction[]): Set<string> {
  return new Set(actions.flatMap((action) => (action.kind === 'map-ids' ? action.columns.map((column) => column.table) : action.kind === 'drop-triggers' ? [] : [action.table])));
}

/** Preconditions, then all actions of a plan for one database, in one transaction. */
export function applyToDatabase(db: SqliteDatabase, path: string, actions: readonly DatabaseAction[], log: string | null): DatabaseResult {
  const deletable = new Set(actions.flatMap((action) => (action.kind === 'delete-rows' ? [action.table] : [])));
  return transact(db, path, log, touchedTables(actions), (handle, shapes) => {
    const context = { db: handle, shapes, path };
    checkPreconditions(context, actions);
    runActions(context, actions);
    return { madeTriggers: [], mayDelete: (table) => deletable.has(table) && !isProtectedTable(table) };
  });
}
