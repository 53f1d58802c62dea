import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { homeFolder } from '../io/home.ts';
import { appendDurably, makePrivateFolder, replaceWith, syncFolder, writeNewFile } from '../io/atomic.ts';
import { explain, isLink, kindOf, listFolder } from '../io/files.ts';
import { reasonOf } from '../io/output-file.ts';
import { sha256Of } from '../io/splice.ts';
import { FriendlyError, UnreadableError, UsageError, errorCode, syntaxProblem } from '../model/errors.ts';
import type { Product } from '../model/product.ts';
import type { FileImage } from './file-image.ts';

/** One file or one database of a journal. `n` names its files in the journal's folder. */
export type JournalUnit =
  | {
      kind: 'file';
      n: number;
      store: string;
      path: string;
      before: FileImage | null;
      after: FileImage | null;
      renamedFrom?: string;
      renamedTo?: string;
    }
  | {
      kind: 'database';
      n: number;
      store: string;
      path: string;
      /** For an undo: the row log that is taken back. */
      takesBack?: { journal: string; n: number };
    };

export type JournalStore = { id: string; product: Product; path: string; label: string; home: string; config?: string };

export type Journal = {
  schemaVersion: 1;
  kind: 'sessionfsck-journal';
  id: string;
  job: 'apply' | 'undo';
  /** For an undo: the journal that it takes back. */
  of: string | null;
  tool: { name: 'sessionfsck'; version: string };
  created: string;
  /** sha256 of the plan file; null for an undo. */
  plan: string | null;
  stores: JournalStore[];
  steps: { id: string; fix: string; store: string; session: string | null; sessionKey: string | null; title: string }[];
  units: JournalUnit[];
};

export type JournalEvent = { at: string; event: 'prepared' | 'done' | 'finished' | 'verified' | 'undone' | 'redone'; unit?: number; by?: string };

/** `$XDG_STATE_HOME/sessionfsck/journals`, or the folder that was named. */
export function journalsFolder(named: string | undefined, env: Record<string, string | undefined> = process.env, home = homeFolder()): string {
  return named ?? join(stateFolder(env, home), 'journals');
}

export function stateFolder(env: Record<string, string | undefined> = process.env, home = homeFolder()): string {
  const base = env.XDG_STATE_HOME;
  return join(base !== undefined && base.startsWith('/') ? base : join(home, '.local', 'state'), 'sessionfsck');
}

const idPattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[0-9a-f]{4}$/;

export function isJournalId(text: string): boolean {
  return idPattern.test(text);
}

/** The time in a journal's id, ms since the epoch. */
export function timeOfId(id: string): number {
  return Date.parse(id.slice(0, 20).replace(/T(\d\d)-(\d\d)-(\d\d)Z$/, 'T$1:$2:$3Z'));
}

/** `2026-11-30T17-58-03Z-7f3a`: sorts by time, also within one second, and is never used twice. */
export function newJournalId(folder: string, now: number): string {
  const stamp = `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  const newest = journalIds(folder).filter((id) => id.startsWith(`${stamp}-`)).at(-1);
  const last = newest === undefined ? null : Number.parseInt(newest.slice(-4), 16);
  // The first of a second takes a random number of the lower half; those after it follow, so that an undo sorts behind its apply.
  let suffix = last === null ? randomBytes(2).readUInt16BE(0) & 0x7fff : (last + 1) & 0xffff;
  for (;;) {
    const id = `${stamp}-${suffix.toString(16).padStart(4, '0')}`;
    if (!existsSync(join(folder, id))) return id;
    suffix = (suffix + 1) & 0xffff;
  }
}

export const filePath = (folder: string, n: number, side: 'before' | 'after'): string => join(folder, 'files', `${n}.${side}`);
export const rowLogPath = (folder: string, n: number): string => join(folder, 'rows', `${n}.jsonl`);

/** Makes the folder of all journals. Throws FriendlyError that says what helps: nothing was done yet. */
export function makeJournalsFolder(journals: string): void {
  try {
    makePrivateFolder(journals);
  } catch (error) {
    throw new FriendlyError(`the folder of the journals ${journals} could not be made: ${reasonOf(error, journals)}; nothing was changed`, 'name another place with --journal-dir DIR');
  }
}

/** Makes a journal's folders, mode 0700. */
export function makeJournalFolder(folder: string): void {
  makePrivateFolder(folder);
  makePrivateFolder(join(folder, 'files'));
  makePrivateFolder(join(folder, 'rows'));
}

/** From here on the journal counts: whole or absent, sealed with a hash, durable. */
export function sealJournal(folder: string, journal: Journal): void {
  const body = JSON.stringify(journal);
  const temporary = join(folder, 'journal.json.tmp');
  writeNewFile(temporary, 0o600, (sink) => sink(Buffer.from(`${JSON.stringify({ sha256: sha256Of(body), journal }, null, 2)}\n`, 'utf8')));
  syncFolder(join(folder, 'files'));
  syncFolder(join(folder, 'rows'));
  replaceWith(temporary, join(folder, 'journal.json'));
  syncFolder(join(folder, '..'));
}

export function logEvent(folder: string, event: JournalEvent['event'], extra: { unit?: number; by?: string } = {}): void {
  appendDurably(join(folder, 'log.jsonl'), `${JSON.stringify({ at: new Date().toISOString(), event, ...extra })}\n`);
}

/** The events that were written whole. A torn last line is one that did not happen. */
export function readEvents(folder: string): JournalEvent[] {
  const path = join(folder, 'log.jsonl');
  if (!existsSync(path)) return [];
  const events: JournalEvent[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    try {
      events.push(JSON.parse(line));
    } catch {
      // Torn by a crash while it was written.
    }
  }
  return events;
}

/** Throws FriendlyError where a journal is missing, torn or of another kind. */
export function readJournal(folder: string): Journal {
  const path = join(folder, 'journal.json');
  if (kindOf(folder) === 'folder') listFolder(folder);
  if (!existsSync(folder)) throw new UsageError(`there is no journal ${folder}`, 'sessionfsck journals lists them; --journal-dir names another folder');
  if (!existsSync(path)) throw new FriendlyError(`journal ${folder} was never finished: nothing was changed by it`, 'sessionfsck journals --prune removes it');
  try {
    const sealed: { sha256: string; journal: Journal } = JSON.parse(readFileSync(path, 'utf8'));
    if (sealed.journal.kind !== 'sessionfsck-journal' || sealed.journal.schemaVersion !== 1) throw new Error('another kind of file');
    if (sha256Of(JSON.stringify(sealed.journal)) !== sealed.sha256) throw new Error('its hash does not match');
    return sealed.journal;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EIO'].includes(errorCode(error))) throw new UnreadableError(explain(error, path), path);
    throw new FriendlyError(`${path} is torn (${syntaxProblem(error)}): the journal cannot be used`);
  }
}

/** Ids of all journals in a folder, oldest first. Links and foreign names are none. Throws UnreadableError. */
export function journalIds(folder: string): string[] {
  const kind = kindOf(folder);
  if (kind === 'missing' && !isLink(folder)) return [];
  if (kind === 'file') throw new UsageError(`${folder} is a file, not the folder of the journals`, 'name the folder with --journal-dir DIR');
  return listFolder(folder).filter((entry) => entry.kind === 'folder' && isJournalId(entry.name)).map((entry) => entry.name);
}
