import { existsSync, fstatSync, lstatSync } from 'node:fs';
import { moveFile, removeFile, removeIfThere, replaceWith, restoreAttributes, writeNewFile } from '../io/atomic.ts';
import { withFile } from '../io/files.ts';
import { copyRange, digester, digestFile } from '../io/splice.ts';
import { FriendlyError, RefusedError, errorCode, errorMessage } from '../model/errors.ts';
import type { FileImage } from './file-image.ts';
import { filePath, type JournalUnit } from './journal-file.ts';

export type FileUnit = Extract<JournalUnit, { kind: 'file' }>;
export type UnitState = 'old' | 'new' | 'other';

function there(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return false;
    throw error;
  }
}

function matches(path: string, image: FileImage | null): boolean {
  if (!there(path)) return image === null && !existsSync(path);
  if (image === null || lstatSync(path).size !== image.size) return false;
  return digestFile(path).sha256 === image.sha256;
}

/** Whether a file begins with what it should be: somebody appends to it already. */
function grew(path: string, image: FileImage | null): boolean {
  if (image === null || !there(path) || lstatSync(path).size <= image.size) return false;
  const { sink, result } = digester();
  withFile(path, (fd) => copyRange(fd, 0, image.size, sink));
  return result().sha256 === image.sha256;
}

/** Whether a file is as before or as after its change, or neither. */
export function fileUnitState(unit: FileUnit): UnitState {
  if (matches(unit.path, unit.after)) return 'new';
  return matches(unit.path, unit.before) ? 'old' : 'other';
}

export function temporaryOf(unit: FileUnit, id: string): string {
  return `${unit.path}.sessionfsck-${id}-${unit.n}.tmp`;
}

/** What a person needs to know when a file refuses to be written. */
export function fileError(error: unknown, path: string): Error {
  if (error instanceof FriendlyError) return error;
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new FriendlyError(`no space to write ${path}`, 'make room, then run the same command again');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new FriendlyError(`${path} or its folder may not be written by this user`, 'run as the user that owns the store');
    case 'EEXIST':
      return new RefusedError(`${path} exists already`, 'the store changed meanwhile: make a new plan');
    default:
      return new FriendlyError(`${path} could not be written: ${errorMessage(error)}`);
  }
}

/**
 * Puts `temporary` in the place of `path`. What somebody else writes between the last look and the rename lands in the file that
 * loses its name: it is noticed, and that file's bytes come back. Throws RefusedError.
 */
function replaceWatched(temporary: string, path: string, before: FileImage): void {
  const changed = (): RefusedError => new RefusedError(`${path} was changed by another process meanwhile`, 'stop the writer, then plan again');
  withFile(path, (fd) => {
    const seen = fstatSync(fd, { bigint: true });
    if (!matches(path, before) || lstatSync(path, { bigint: true }).ino !== seen.ino) throw changed();
    replaceWith(temporary, path);
    const now = fstatSync(fd, { bigint: true });
    if (now.size === seen.size && now.mtimeNs === seen.mtimeNs) return;
    writeNewFile(temporary, before.attributes.mode, (sink) => void copyRange(fd, 0, null, sink), before.attributes);
    restoreAttributes(temporary, { ...before.attributes, mtime: null });
    replaceWith(temporary, path);
    throw changed();
  });
}

/** Does the change of one file: old or new at every instant, never half. `folder` is the journal's. */
export function changeFile(unit: FileUnit, folder: string, id: string): void {
  const { path, before, after } = unit;
  try {
    if (unit.renamedTo !== undefined) {
      // The file under the new name does the work, unless a crash left both names.
      if (matches(unit.renamedTo, before) && there(path)) removeFile(path);
      return;
    }
    if (after === null) {
      removeFile(path);
    } else if (unit.renamedFrom !== undefined) {
      // A crash between the two halves of an earlier attempt leaves both names.
      if (matches(path, after) && there(unit.renamedFrom)) removeFile(unit.renamedFrom);
      else moveFile(unit.renamedFrom, path);
      if (after.attributes.mtime !== null) restoreAttributes(path, after.attributes);
    } else {
      const temporary = temporaryOf(unit, id);
      removeIfThere(temporary);
      writeNewFile(temporary, after.attributes.mode, (sink) => withFile(filePath(folder, unit.n, 'after'), (fd) => void copyRange(fd, 0, null, sink)), after.attributes);
      restoreAttributes(temporary, after.attributes);
      if (!matches(temporary, after)) {
        removeIfThere(temporary);
        throw new FriendlyError(`the content for ${path} that journal ${id} keeps is damaged`, 'the file was not touched');
      }
      if (before === null) moveFile(temporary, path);
      else replaceWatched(temporary, path, before);
    }
  } catch (error) {
    throw fileError(error, path);
  }
  if (!matches(path, after) && !grew(path, after)) throw new FriendlyError(`${path} is not what was written to it`);
}
