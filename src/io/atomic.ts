import {
  chmodSync, chownSync, closeSync, fchmodSync, fchownSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, unlinkSync, utimesSync, writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../model/errors.ts';
import { makeFolders } from './folders.ts';
import { faultPoint, isFlushing } from './faults.ts';

/** What a file keeps besides its bytes. Times in seconds; null where they shall be those of the writing. */
export type Attributes = { mode: number; uid: number; gid: number; atime: number | null; mtime: number | null };

export function attributesOf(path: string): Attributes {
  const stats = lstatSync(path);
  return { mode: stats.mode & 0o7777, uid: stats.uid, gid: stats.gid, atime: stats.atimeMs / 1000, mtime: stats.mtimeMs / 1000 };
}

/** Receives bytes in order. */
export type Sink = (bytes: Buffer) => void;

/** Makes the folder's entries durable. Systems that cannot open a folder are let be. */
export function syncFolder(folder: string): void {
  faultPoint('folder-fsync', folder);
  let fd: number;
  try {
    fd = openSync(folder, 'r');
  } catch (error) {
    if (process.platform === 'win32' || errorCode(error) === 'EISDIR') return;
    throw error;
  }
  try {
    if (isFlushing()) fsyncSync(fd);
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(errorCode(error))) throw error;
  } finally {
    closeSync(fd);
  }
}

/** Makes a file's bytes durable. */
export function syncFile(fd: number, path: string): void {
  faultPoint('fsync', path);
  if (isFlushing()) fsyncSync(fd);
}

function writeAll(fd: number, bytes: Buffer, path: string): void {
  let done = 0;
  // In two halves, so that a test can stop in the middle of a write.
  for (const end of bytes.length > 1 ? [bytes.length >> 1, bytes.length] : [bytes.length]) {
    faultPoint('write', path);
    while (done < end) done += writeSync(fd, bytes, done, end - done);
  }
}

/** Writes a new file and makes its bytes durable; it must not exist. Throws the system's error. */
export function writeNewFile(path: string, mode: number, produce: (sink: Sink) => void, owner: Pick<Attributes, 'uid' | 'gid'> | null = null): void {
  faultPoint('open', path);
  const fd = openSync(path, 'wx', 0o600);
  try {
    if (owner !== null && process.getuid !== undefined && (process.getuid() !== owner.uid || process.getgid?.() !== owner.gid)) {
      faultPoint('attributes', path);
      fchownSync(fd, owner.uid, owner.gid);
    }
    fchmodSync(fd, mode);
    produce((bytes) => writeAll(fd, bytes, path));
    syncFile(fd, path);
  } finally {
    closeSync(fd);
  }
}

/** Puts `temporary` in the place of `path` in one step and makes the change durable. */
export function replaceWith(temporary: string, path: string): void {
  faultPoint('rename', path);
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/**
 * Gives a file another name that must be free. The new name is made before the old one goes, so that a crash in between
 * leaves both, never none.
 */
export function moveFile(from: string, to: string): void {
  faultPoint('link', to);
  linkSync(from, to);
  syncFolder(dirname(to));
  removeFile(from);
}

export function removeFile(path: string): void {
  faultPoint('unlink', path);
  unlinkSync(path);
  syncFolder(dirname(path));
}

export function removeIfThere(path: string): void {
  try {
    removeFile(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Adds bytes to a file and makes them durable; makes the file (0600) when there is none. */
export function appendDurably(path: string, text: string): void {
  faultPoint('open', path);
  const fd = openSync(path, 'a', 0o600);
  try {
    writeAll(fd, Buffer.from(text, 'utf8'), path);
    syncFile(fd, path);
  } finally {
    closeSync(fd);
  }
}

/** A folder of mode 0700 and what leads to it. */
export function makePrivateFolder(path: string): void {
  faultPoint('mkdir', path);
  makeFolders(path, 0o700);
}

/** Gives a file the times, mode and owner that were recorded. */
export function restoreAttributes(path: string, attributes: Attributes): void {
  faultPoint('attributes', path);
  const current = attributesOf(path);
  if (current.uid !== attributes.uid || current.gid !== attributes.gid) chownSync(path, attributes.uid, attributes.gid);
  if (current.mode !== attributes.mode) chmodSync(path, attributes.mode);
  if (attributes.mtime !== null) utimesSync(path, attributes.atime ?? attributes.mtime, attributes.mtime);
}
