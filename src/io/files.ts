import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { UnreadableError, errorCode, errorMessage } from '../model/errors.ts';

/** What tells whether a file was touched: size in bytes, mtime in ns, inode. */
export type FileState = { path: string; size: number; mtimeNs: bigint; ino: bigint };

function toState(path: string, stats: BigIntStats): FileState {
  return { path, size: Number(stats.size), mtimeNs: stats.mtimeNs, ino: stats.ino };
}

/** The state of a file, or null when it does not exist. Throws UnreadableError for anything else. */
export function fileState(path: string): FileState | null {
  try {
    return toState(path, statSync(path, { bigint: true }));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
    throw new UnreadableError(explain(error, path), path);
  }
}

/** True when both states describe the same untouched file (or both its absence). */
export function sameState(a: FileState | null, b: FileState | null): boolean {
  if (a === null || b === null) return a === b;
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ino === b.ino;
}

/** The names of the files whose state differs from what was recorded. */
export function changedSince(states: Iterable<FileState>): string[] {
  const changed: string[] = [];
  for (const state of states) {
    let current: FileState | null = null;
    try {
      current = fileState(state.path);
    } catch {
      current = null;
    }
    if (!sameState(state, current)) changed.push(state.path);
  }
  return changed.sort();
}

export type Entry = { name: string; path: string; kind: 'file' | 'folder' | 'link' | 'other' };

/** The entries of a folder in name order; links are named, not followed. Throws UnreadableError. */
export function listFolder(path: string): Entry[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .map((entry): Entry => ({
        name: entry.name,
        path: join(path, entry.name),
        kind: entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other',
      }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  } catch (error) {
    throw new UnreadableError(explain(error, path), path);
  }
}

/** What lies at a path, following links: 'missing' also for a dangling link. */
export function kindOf(path: string): 'file' | 'folder' | 'missing' | 'other' {
  try {
    const stats = statSync(path);
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(errorCode(error))) return 'missing';
    throw new UnreadableError(explain(error, path), path);
  }
}

export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The path without any link in it, also where its last part does not exist; the path itself where that cannot be told. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return path;
    }
  }
}

/** Where SQLite keeps the write-ahead log of a database: beside the file itself, not beside a link to it. */
export function walOf(database: string): string {
  return `${realPath(database)}-wal`;
}

/** Where SQLite keeps the shared memory of a database that is open; beside the file itself as well. */
export function shmOf(database: string): string {
  return `${realPath(database)}-shm`;
}

/** True when a link at `path` leads to something inside `root` (both resolved). */
export function staysInside(path: string, root: string): boolean {
  try {
    const target = realpathSync(path);
    const base = realpathSync(root);
    return target === base || target.startsWith(base + sep);
  } catch {
    return false;
  }
}

/** A path without links, so that one place has one name; as it was given where that cannot be had. */
export function placeOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * Opens a regular file for reading and returns its descriptor. Never waits, as a plain open of a named pipe would for ever.
 * Throws UnreadableError, also for a folder, a pipe or a device.
 */
export function openForReading(path: string): number {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw new UnreadableError(explain(error, path), path);
  }
  try {
    const stats = fstatSync(fd);
    if (stats.isFile()) return fd;
    throw new UnreadableError(`${path} is ${stats.isDirectory() ? 'a folder where a file was expected' : 'no regular file; it was not read'}`, path);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Opens a regular file for reading, hands its descriptor to `work` and closes it. Throws UnreadableError where it cannot be opened. */
export function withFile<T>(path: string, work: (fd: number) => T): T {
  const fd = openForReading(path);
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * A whole small file as bytes. Throws UnreadableError when it cannot be read or is larger than `limit` bytes.
 */
export function readSmallFile(path: string, limit = 256 * 1024 * 1024): Buffer {
  try {
    return withFile(path, (fd) => {
      const size = fstatSync(fd).size;
      if (size > limit) throw new UnreadableError(`${path} has ${size} bytes; at most ${limit} are read`, path);
      const buffer = Buffer.allocUnsafe(size);
      let filled = 0;
      while (filled < size) {
        const read = readSync(fd, buffer, filled, size - filled, filled);
        if (read === 0) break;
        filled += read;
      }
      return buffer.subarray(0, filled);
    });
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    throw new UnreadableError(explain(error, path), path);
  }
}

/** The first bytes of a file. Throws UnreadableError when it cannot be opened. */
export function readHead(path: string, length: number): Buffer {
  return withFile(path, (fd) => {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(fd, buffer, 0, length, 0));
  });
}

/** Why there is nothing at a path that a person named, and how far it leads. */
export function missingPath(path: string): string {
  try {
    if (lstatSync(path).isSymbolicLink()) return `${path} is a link that leads nowhere`;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') return explain(error, path);
  }
  let folder = dirname(path);
  while (kindOf(folder) === 'missing' && dirname(folder) !== folder) folder = dirname(folder);
  return `${path} does not exist${folder === dirname(path) ? '' : `; there is nothing below ${folder}`}`;
}

/** What lies at a path, in words: for an error that says what was found instead. */
export function foundAt(path: string): string {
  const stats = statSync(path);
  if (stats.isFile()) return `a file of ${stats.size === 1 ? '1 byte' : `${stats.size} bytes`}`;
  if (!stats.isDirectory()) return stats.isFIFO() ? 'a named pipe' : stats.isSocket() ? 'a socket' : 'a device';
  const entries = readdirSync(path).length;
  return entries === 0 ? 'an empty folder' : `a folder with ${entries === 1 ? '1 entry' : `${entries} entries`}`;
}

/** One sentence for a refused file operation: what, where, and what helps. */
export function explain(error: unknown, path: string): string {
  switch (errorCode(error)) {
    case 'ENOENT':
      return `${path} does not exist`;
    case 'EACCES':
    case 'EPERM':
      return `${path} may not be read by this user; run as the user that owns the store`;
    case 'EISDIR':
      return `${path} is a folder where a file was expected`;
    case 'ENOTDIR':
      return `${path} is a file where a folder was expected`;
    case 'ELOOP':
      return `${path} is a link that leads back to itself`;
    case 'EMFILE':
      return `${path} could not be opened: too many open files`;
    default:
      return `${path} could not be read: ${errorMessage(error)}`;
  }
}
