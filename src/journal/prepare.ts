import { chmodSync, closeSync, constants, copyFileSync, existsSync, lstatSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFile, writeNewFile } from '../io/atomic.ts';
import { withFile } from '../io/files.ts';
import { copyRange, digestFile } from '../io/splice.ts';
import { freeBytes } from '../io/temp.ts';
import { faultPoint } from '../io/faults.ts';
import { FriendlyError } from '../model/errors.ts';
import type { FileChange } from './file-plan.ts';
import { produce } from './file-source.ts';
import { filePath, type JournalUnit } from './journal-file.ts';
import { fileError } from './file-unit.ts';

/** Contents first, names last: what would be lost is safe before anything goes. */
function rank(change: FileChange): number {
  if (change.before === null && change.renamedFrom === undefined) return 0;
  if (change.after !== null && change.renamedFrom === undefined) return 1;
  return change.renamedFrom === undefined && change.renamedTo === undefined ? 3 : 2;
}

/** The units of a journal for some file changes, in the order in which they are done. */
export function fileUnits(changes: readonly FileChange[], store: string, first: number): Extract<JournalUnit, { kind: 'file' }>[] {
  return [...changes]
    .sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))
    .map((change, index) => ({
      kind: 'file',
      n: first + index,
      store,
      path: change.path,
      before: change.before,
      after: change.after,
      ...(change.renamedFrom === undefined ? {} : { renamedFrom: change.renamedFrom }),
      ...(change.renamedTo === undefined ? {} : { renamedTo: change.renamedTo }),
    }));
}

/** Bytes that a journal needs for the old and the new contents. */
export function requireSpace(folder: string, changes: readonly FileChange[]): void {
  let needed = 0;
  for (const { before, after, renamedFrom, renamedTo } of changes) {
    if (renamedFrom === undefined && renamedTo === undefined) needed += (before?.size ?? 0) + (after?.size ?? 0);
  }
  const free = freeBytes(folder);
  if (needed > free) throw new FriendlyError(`the journal needs ${needed} bytes, but ${folder} has ${free} free`, 'name a larger place with --journal-dir DIR');
  for (const { path, after } of changes) {
    const room = freeBytes(dirname(path));
    if (after !== null && after.size > room) throw new FriendlyError(`${path} needs ${after.size} bytes beside it, but ${dirname(path)} has ${room} free`, 'make room first');
  }
}

/** Copies a file so that the copy is durable, sharing blocks where the file system can. */
export function keepFile(from: string, to: string): void {
  faultPoint('write', to);
  if (existsSync(to)) rmSync(to);
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  chmodSync(to, 0o600);
  const fd = openSync(to, 'r+');
  try {
    syncFile(fd, to);
  } finally {
    closeSync(fd);
  }
}

/** Writes the old and the new content of each changed file into the journal and checks both. Nothing of the store is written. */
export function keepContents(folder: string, units: readonly JournalUnit[], changes: readonly FileChange[]): void {
  for (const unit of units) {
    if (unit.kind !== 'file') continue;
    const change = changes.find((candidate) => candidate.path === unit.path);
    const renamed = unit.renamedFrom !== undefined || unit.renamedTo !== undefined;
    try {
      if (unit.before !== null && !renamed) {
        keepFile(unit.path, filePath(folder, unit.n, 'before'));
        if (digestFile(filePath(folder, unit.n, 'before')).sha256 !== unit.before.sha256) throw new FriendlyError(`${unit.path} changed while it was copied`, 'stop the writer, then apply again');
      }
      if (unit.after !== null && !renamed && change?.source) {
        const { source } = change;
        const path = filePath(folder, unit.n, 'after');
        writeNewFile(path, 0o600, (sink) => produce(source, unit.path, sink));
        if (digestFile(path).sha256 !== unit.after.sha256) throw new FriendlyError(`${unit.path} changed while its new content was prepared`, 'stop the writer, then apply again');
      }
    } catch (error) {
      throw fileError(error, lstatSync(folder, { throwIfNoEntry: false }) ? folder : unit.path);
    }
  }
}

/** Puts a kept content of one journal into another. Throws FriendlyError where it is not what it was. */
export function takeContent(from: string, to: string, sha256: string): void {
  writeNewFile(to, 0o600, (sink) => withFile(from, (fd) => void copyRange(fd, 0, null, sink)));
  if (digestFile(to).sha256 !== sha256) throw new FriendlyError(`${from} is damaged: it is no longer what was kept`, 'nothing was undone');
}
