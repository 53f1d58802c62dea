import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UnreadableError, errorCode, errorMessage } from '../model/errors.ts';

/**
 * Writes a report whole or not at all: a reader such as node_exporter sees the old file or the new one, never a part. An
 * existing file's mode is kept; a new one has `mode` less the umask, or `exact`ly it. The temporary name begins with a dot and keeps no ending, so that no collector picks it up.
 * Throws UnreadableError.
 */
export function writeOutputFile(path: string, text: string, { mode = 0o644, exact = false, option = '-o' }: { mode?: number; exact?: boolean; option?: string } = {}): void {
  const target = resolve(path);
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  let fd: number | null = null;
  try {
    const old = existingMode(target);
    fd = openSync(temporary, 'w', mode);
    if (old !== null || exact) fchmodSync(fd, old ?? mode);
    const bytes = Buffer.from(text, 'utf8');
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    fsyncSync(fd);
    closeSync(fd);
    fd = null;
    renameSync(temporary, target);
  } catch (error) {
    if (fd !== null) closeSync(fd);
    removeQuietly(temporary);
    throw new UnreadableError(`${target} could not be written: ${reasonOf(error, target)}`, target, `name another place with ${option} FILE`);
  }
}

/** Removes a file; where nothing could be written, there may be nothing to remove either. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The first error says why.
  }
}

function existingMode(path: string): number | null {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new Error('it is not a file');
    return stats.mode & 0o7777;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Why nothing can be written at a path, in words. */
export function reasonOf(error: unknown, path: string): string {
  switch (errorCode(error)) {
    case 'EEXIST':
      return `${path} is a file, not a folder`;
    case 'ENOENT':
      return `there is no folder ${dirname(path)}`;
    case 'ENOTDIR':
      return `${dirname(path)} is not a folder`;
    case 'EISDIR':
      return 'it is a folder';
    case 'EACCES':
    case 'EPERM':
      return `this user may not write in ${dirname(path)}`;
    case 'EROFS':
      return `${dirname(path)} is read-only`;
    case 'ENOSPC':
      return `${dirname(path)} is full`;
    default:
      return errorMessage(error);
  }
}
