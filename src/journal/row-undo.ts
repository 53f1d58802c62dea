import { closeSync, openSync, readSync } from 'node:fs';
import { quoteName, type StoredCell } from '../io/sqlite-cells.ts';
import type { SqliteDatabase } from '../io/sqlite.ts';
import { FriendlyError, RefusedError } from '../model/errors.ts';
import { capturedChanges, hashCells, type RowChange } from './capture.ts';
import { transact, type DatabaseResult } from './database.ts';
import { readRowLog, type RowLog } from './row-log.ts';
import { rowAccess, type RowAccess } from './rows.ts';
import { tableShapes } from './schema.ts';

/** Reads the changes of a row log in either direction. */
function* changesOf(path: string, log: RowLog, direction: 'forward' | 'backward'): Iterable<RowChange> {
  const fd = openSync(path, 'r');
  try {
    for (let step = 0; step < log.changes; step++) {
      const index = direction === 'forward' ? step : log.changes - 1 - step;
      const buffer = Buffer.alloc(log.offsets[index * 2 + 1] ?? 0);
      readSync(fd, buffer, 0, buffer.length, log.offsets[index * 2] ?? 0);
      yield JSON.parse(buffer.toString('utf8')) as RowChange;
    }
  } finally {
    closeSync(fd);
  }
}

const rowName = (table: string, key: readonly StoredCell[]): string => JSON.stringify([table, key]);

/** The first place where the rows are not what the log's changes left, or null: they are all as after the apply. */
function firstForeignRow(rows: RowAccess, path: string, log: RowLog): string | null {
  const seen = new Set<string>();
  for (const change of changesOf(path, log, 'backward')) {
    const key = change.newKey ?? change.key;
    const name = rowName(change.table, key);
    const later = seen.has(name);
    seen.add(name);
    if (change.newKey) seen.add(rowName(change.table, change.key));
    if (later) continue;
    const columns = change.op === 'insert' ? rows.columns(change.table) : rows.ordered(change.table, change.old ?? {});
    const current = rows.read(change.table, key, columns);
    if (change.op === 'delete' ? current !== null : current === null || hashCells(current) !== change.after) return `${change.table} ${JSON.stringify(key)}`;
  }
  return null;
}

type Desired = { table: string; key: StoredCell[]; cells: { [column: string]: StoredCell } | null };

/**
 * What each row must be in the end: as before the first change of it. Yields each row and column once; `cells` null: the
 * row must be gone.
 */
function* desiredRows(changes: Iterable<RowChange>, done: Map<string, Set<string> | null>, aliases = new Map<string, StoredCell[]>()): Iterable<Desired> {
  for (const change of changes) {
    const key = aliases.get(rowName(change.table, change.key)) ?? change.key;
    if (change.newKey) aliases.set(rowName(change.table, change.newKey), key);
    const name = rowName(change.table, key);
    const known = done.get(name);
    if (known === null) continue;
    if (change.op === 'insert') {
      // A row that was deleted first and made again keeps what it was before the deletion.
      if (known === undefined) {
        done.set(name, null);
        yield { table: change.table, key, cells: null };
      }
      continue;
    }
    const columns = known ?? new Set<string>();
    done.set(name, columns);
    const cells: { [column: string]: StoredCell } = {};
    for (const [column, cell] of Object.entries(change.old ?? {})) {
      if (columns.has(column)) continue;
      columns.add(column);
      cells[column] = cell;
    }
    if (Object.keys(cells).length > 0) yield { table: change.table, key, cells };
  }
}

/** Counts rows that are not as desired, and puts them right where `repair`. */
function compare(rows: RowAccess, wanted: Iterable<Desired>, repair: boolean): number {
  let different = 0;
  for (const { table, key, cells } of wanted) {
    const columns = cells === null ? [] : rows.ordered(table, cells);
    const current = rows.read(table, key, columns);
    if (cells === null) {
      if (current === null) continue;
      different++;
      if (repair) rows.remove(table, key);
      continue;
    }
    if (current !== null && hashCells(current) === hashCells(columns.map((column) => cells[column] ?? null))) continue;
    different++;
    if (repair && current !== null) rows.write(table, key, cells);
  }
  return different;
}

/** Whether a database is as before (`old`) or as after (`new`) the changes of a row log, or neither. */
export function databaseState(db: SqliteDatabase, path: string, logPath: string): 'old' | 'new' | 'other' {
  const log = readRowLog(logPath);
  const rows = rowAccess(db, tableShapes(db), path);
  const triggerCount = (list: readonly { name: string }[]): number =>
    list.filter(({ name }) => db.prepare("SELECT 1 FROM main.sqlite_master WHERE type = 'trigger' AND name = ?").get(name) !== undefined).length;
  const { droppedTriggers, madeTriggers } = log.head;
  const fresh = triggerCount(droppedTriggers) === 0 && triggerCount(madeTriggers) === madeTriggers.length;
  if (fresh && firstForeignRow(rows, logPath, log) === null) return 'new';
  const old = triggerCount(droppedTriggers) === droppedTriggers.length && triggerCount(madeTriggers) === 0;
  return old && compare(rows, desiredRows(changesOf(logPath, log, 'forward'), new Map()), false) === 0 ? 'old' : 'other';
}

/** Passes over the rows until triggers of the store that answer the undo's own writes have nothing left to change. */
const settlePasses = 4;

/**
 * Takes the changes of a row log back, in one transaction that records itself in `newLog` (null: a rehearsal). Every row
 * must still be as the apply left it; in the end every touched row is as before it. Throws RefusedError where it is not.
 */
export function undoInDatabase(db: SqliteDatabase, path: string, logPath: string, newLog: string | null): DatabaseResult {
  const log = readRowLog(logPath);
  const touched = new Set<string>();
  const inserted = new Set<string>();
  for (const change of changesOf(logPath, log, 'forward')) {
    touched.add(change.table);
    if (change.op === 'insert') inserted.add(change.table);
  }
  return transact(db, path, newLog, touched, (handle, shapes) => {
    const rows = rowAccess(handle, shapes, path);
    const foreign = firstForeignRow(rows, logPath, log);
    if (foreign !== null) throw new RefusedError(`${path} changed since: ${foreign} is no longer as the repair left it`, 'nothing was changed; the journal keeps the old values');
    const sequenceNow = readSequence(handle);
    for (const { name } of log.head.madeTriggers) handle.exec(`DROP TRIGGER main.${quoteName(name)}`);
    for (const change of changesOf(logPath, log, 'backward')) {
      if (change.op === 'insert') rows.remove(change.table, change.key);
      else if (change.op === 'delete') rows.insert(change.table, change.key, change.old ?? {});
      else rows.write(change.table, change.newKey ?? change.key, change.old ?? {});
    }
    settle(handle, rows, shapes, logPath, log);
    restoreSequence(handle, log, sequenceNow);
    for (const { sql } of log.head.droppedTriggers) handle.exec(sql);
    return { madeTriggers: log.head.droppedTriggers, mayDelete: (table) => inserted.has(table) };
  }, true);
}

function settle(db: SqliteDatabase, rows: RowAccess, shapes: Parameters<typeof capturedChanges>[1], logPath: string, log: RowLog): void {
  for (let pass = 1; pass <= settlePasses; pass++) {
    const done = new Map<string, Set<string> | null>();
    const aliases = new Map<string, StoredCell[]>();
    const wanted = function* (): Iterable<Desired> {
      yield* desiredRows(changesOf(logPath, log, 'forward'), done, aliases);
      // Rows and columns that only the undo's own triggers touched: as they were when the undo began.
      yield* desiredRows(capturedChanges(db, shapes), done, aliases);
    };
    if (compare(rows, wanted(), pass < settlePasses) === 0) return;
  }
  throw new FriendlyError('triggers of the store do not let the old rows come back exactly; nothing was changed');
}

function readSequence(db: SqliteDatabase): Map<string, string> {
  if (!db.prepare("SELECT 1 FROM main.sqlite_master WHERE name = 'sqlite_sequence'").get()) return new Map();
  return new Map(db.prepare('SELECT name, CAST(seq AS TEXT) FROM main.sqlite_sequence').raw(true).all() as [string, string][]);
}

/** Counters go back only where nobody else took a number since. */
function restoreSequence(db: SqliteDatabase, log: RowLog, now: ReadonlyMap<string, string>): void {
  const { before, after } = log.head.sequence;
  for (const [table, value] of now) {
    if (after[table] !== value || before[table] === value) continue;
    const old = before[table];
    if (old === undefined) db.prepare('DELETE FROM main.sqlite_sequence WHERE name = ?').run(table);
    else db.prepare('UPDATE main.sqlite_sequence SET seq = ? WHERE name = ?').run(BigInt(old), table);
  }
}
