import { chmodSync, closeSync, constants, openSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UnreadableError, errorCode, errorMessage } from '../model/errors.ts';
import type { OpenOptions } from '../model/store.ts';
import { explain, fileState, readHead, sameState, shmOf, type FileState, walOf } from './files.ts';
import { loadSqlite, type SqliteDatabase } from './sqlite.ts';
import { dropFolder, freeBytes, privateFolder } from './temp.ts';

/** What is wrong with a database as a whole. */
export type Damage = {
  /** zeroed: no bytes or only zeros; header: not SQLite's magic; short: fewer pages than the header counts; schema, content: SQLite refuses it. */
  kind: 'zeroed' | 'header' | 'short' | 'schema' | 'content';
  detail: string;
};

/** Facts about a database file that hold for every product. Sizes in bytes. */
export type DatabaseFacts = {
  path: string;
  fileBytes: number;
  walBytes: number;
  pageSize: number;
  /** Pages that the header counts; 0 when the header does not say. */
  pageCount: number;
  damage: Damage | null;
};

export type DatabaseSnapshot = {
  /** null when the database is damaged. */
  db: SqliteDatabase | null;
  facts: DatabaseFacts;
  readAs: 'snapshot' | 'in-place';
  /** States of the originals (database, WAL) as they were copied. */
  states: FileState[];
  close(): void;
};

const magic = Buffer.from('SQLite format 3\0', 'latin1');
const copyAttempts = 5;

/** True when a file begins with SQLite's magic. */
export function looksLikeSqlite(path: string): boolean {
  try {
    return readHead(path, 16).equals(magic);
  } catch {
    return false;
  }
}

function inspect(path: string, state: FileState, walBytes: number): DatabaseFacts {
  const facts: DatabaseFacts = { path, fileBytes: state.size, walBytes, pageSize: 0, pageCount: 0, damage: null };
  if (state.size === 0) {
    // SQLite keeps a fresh database's first pages in the WAL until a checkpoint.
    if (walBytes <= 32) facts.damage = { kind: 'zeroed', detail: 'the file has 0 bytes' };
    return facts;
  }
  const head = readHead(path, 100);
  if (!head.subarray(0, 16).equals(magic)) {
    const zeros = head.every((byte) => byte === 0);
    facts.damage = zeros
      ? { kind: 'zeroed', detail: 'the header holds only zero bytes' }
      : { kind: 'header', detail: 'the first 16 bytes are not those of a SQLite database (another format, encrypted, or overwritten)' };
    return facts;
  }
  if (head.length < 100) {
    facts.damage = { kind: 'short', detail: `the file has ${state.size} bytes, less than a database header` };
    return facts;
  }
  const rawSize = head.readUInt16BE(16);
  facts.pageSize = rawSize === 1 ? 65536 : rawSize;
  // The page count is only valid when the change counter at 24 equals the version-valid-for number at 92.
  if (head.readUInt32BE(24) === head.readUInt32BE(92)) facts.pageCount = head.readUInt32BE(28);
  // With a WAL, pages beyond the file's end may still lie in it.
  if (walBytes <= 32 && facts.pageSize > 0 && state.size < facts.pageCount * facts.pageSize) {
    facts.damage = { kind: 'short', detail: `the file has ${state.size} bytes, but its header counts ${facts.pageCount} pages of ${facts.pageSize} bytes (${facts.pageCount * facts.pageSize})` };
  }
  return facts;
}

/**
 * True when a WAL is what it was, or has more at its end. Frames are only ever appended until a checkpoint, which changes the
 * database, and then begin again under a new salt in the header. So a beginning of the WAL with an unchanged database is the
 * database as it was a moment ago; a frame that is cut, or has no commit behind it, does not count (sqlite.org/fileformat2, §4).
 */
function onlyGrew(before: FileState | null, after: FileState | null, head: Buffer | null): boolean {
  if (before === null || head === null || before.size < 32) return before === null || after !== null;
  return after !== null && after.ino === before.ino && after.size >= before.size && readHead(after.path, 32).equals(head);
}

const walState = (wal: string | null): FileState | null => (wal === null ? null : fileState(wal));

async function copyBundle(path: string, folder: string, wal: string | null = walOf(path)): Promise<{ states: FileState[]; copy: string }> {
  const copy = join(folder, basename(path));
  for (let attempt = 1; ; attempt++) {
    const before = fileState(path);
    const walBefore = walState(wal);
    if (before === null) throw new UnreadableError(`${path} does not exist`, path);
    const needed = before.size + (walBefore?.size ?? 0);
    const free = freeBytes(folder);
    if (needed * 1.02 > free) {
      throw new UnreadableError(
        `a private copy of ${path} needs ${needed} bytes, but ${dirname(folder)} has ${free} free`,
        path,
        'name a larger place with --snapshot-dir DIR, or read a live database with --in-place',
      );
    }
    const walHead = walBefore ? readHead(walBefore.path, 32) : null;
    try {
      // WAL first: a checkpoint in between then shows as a changed database file.
      if (walBefore) await copyFile(walBefore.path, `${copy}-wal`, constants.COPYFILE_FICLONE);
      await copyFile(path, copy, constants.COPYFILE_FICLONE);
      // A copy keeps the mode of its original; SQLite wants to write to its own.
      if (walBefore) chmodSync(`${copy}-wal`, 0o600);
      chmodSync(copy, 0o600);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOSPC') throw new UnreadableError(`no space for a private copy of ${path} (${needed} bytes) in ${dirname(folder)}`, path, 'name a larger place with --snapshot-dir DIR');
      throw new UnreadableError(explain(error, path), path);
    }
    const after = fileState(path);
    const walAfter = walState(wal);
    if (sameState(before, after) && onlyGrew(walBefore, walAfter, walHead)) {
      const states = walBefore ? [before, walBefore] : [before];
      return { states, copy };
    }
    rmSync(`${copy}-wal`, { force: true });
    rmSync(copy, { force: true });
    if (attempt === copyAttempts) {
      throw new UnreadableError(
        `${path} changed during each of ${copyAttempts} attempts to copy it: something is writing to it`,
        path,
        'stop the writer, or read the live database with --in-place',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50 * attempt));
  }
}

/** Copies a database with its WAL into a folder, in one consistent state; returns the copy's path. Throws UnreadableError. */
export async function copyDatabase(path: string, folder: string): Promise<string> {
  return (await copyBundle(path, folder)).copy;
}

/** Classifies what SQLite said when it refused a database. */
export function damageOf(error: unknown): Damage | null {
  const code = errorCode(error);
  if (code === 'SQLITE_NOTADB') return { kind: 'header', detail: errorMessage(error) };
  if (code.startsWith('SQLITE_CORRUPT')) {
    return { kind: errorMessage(error).includes('schema') ? 'schema' : 'content', detail: errorMessage(error) };
  }
  return null;
}

/**
 * Opens a private copy of a database with its WAL; the original is only ever read as a file. On POSIX systems the copy is
 * unlinked as soon as it is open, so that nothing stays behind however this process ends.
 * A damaged database gives `db: null` with `facts.damage`. `wal` is where its WAL lies when not beside it; null: it has none. Throws
 * UnreadableError when the system refuses.
 */
export async function snapshotDatabase(path: string, options: Pick<OpenOptions, 'snapshotDir' | 'inPlace'>, wal: string | null = walOf(path)): Promise<DatabaseSnapshot> {
  const Database = loadSqlite();
  const state = fileState(path);
  if (state === null) throw new UnreadableError(`${path} does not exist`, path);
  const log = walState(wal);
  checkReadable(path);
  const facts = inspect(path, state, log?.size ?? 0);
  const originals = log ? [state, log] : [state];
  if (facts.damage) return { db: null, facts, readAs: 'snapshot', states: originals, close() {} };
  if (options.inPlace && fileState(shmOf(path)) !== null) return openInPlace(path, facts, originals);

  const folder = privateFolder(options.snapshotDir);
  try {
    const { states, copy } = await copyBundle(path, folder, wal);
    let db: SqliteDatabase | null = null;
    try {
      db = new Database(copy);
      // Heap WAL index: no -shm is made, and the copy can be unlinked while it is open.
      db.pragma('locking_mode = EXCLUSIVE');
      db.pragma('foreign_keys = OFF');
      // Large sorts go to files that SQLite unlinks as it opens them: memory stays flat and nothing is left behind.
      db.pragma('temp_store = FILE');
      db.pragma('cache_size = -8000');
      db.prepare('SELECT count(*) FROM sqlite_master').get();
      db.pragma('query_only = ON');
    } catch (error) {
      db?.close();
      const damage = damageOf(error);
      dropFolder(folder);
      if (damage) return { db: null, facts: { ...facts, damage }, readAs: 'snapshot', states, close() {} };
      throw new UnreadableError(`${path} could not be opened: ${errorMessage(error)}`, path);
    }
    if (process.platform !== 'win32') dropFolder(folder);
    const handle = db;
    return {
      db: handle,
      facts,
      readAs: 'snapshot',
      states,
      close() {
        handle.close();
        dropFolder(folder);
      },
    };
  } catch (error) {
    dropFolder(folder);
    throw error;
  }
}

function openInPlace(path: string, facts: DatabaseFacts, states: FileState[]): DatabaseSnapshot {
  const Database = loadSqlite();
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 5000 });
    db.pragma('query_only = ON');
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_master').get();
    return { db, facts, readAs: 'in-place', states, close: () => db.close() };
  } catch (error) {
    const damage = damageOf(error);
    if (damage) return { db: null, facts: { ...facts, damage }, readAs: 'in-place', states, close() {} };
    throw new UnreadableError(`${path} could not be read in place: ${errorMessage(error)}`, path, 'leave out --in-place to read a private copy');
  }
}

function checkReadable(path: string): void {
  try {
    closeSync(openSync(path, 'r'));
  } catch (error) {
    throw new UnreadableError(explain(error, path), path);
  }
}

/** Column names of a table; empty when there is no such table. */
export function columnsOf(db: SqliteDatabase, table: string): Set<string> {
  const rows = db.prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)').all(table);
  return new Set(rows.map((row) => row.name));
}

/** Names of all tables and views. */
export function tablesOf(db: SqliteDatabase): Set<string> {
  const rows = db.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type IN ('table','view')").all();
  return new Set(rows.map((row) => row.name));
}
