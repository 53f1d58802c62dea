import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnreadableError } from '../model/errors.ts';
import { makeFolders } from './folders.ts';
import { reasonOf } from './output-file.ts';
import { processAlive } from './processes.ts';

const prefix = 'sessionfsck-';
const open = new Set<string>();
let hooked = false;

function removeAll(): void {
  for (const path of open) rmSync(path, { recursive: true, force: true });
  open.clear();
}

/** Removes what earlier runs that were killed left behind: folders that name a process that is gone. */
function removeAbandoned(parent: string): void {
  let names: string[];
  try {
    names = readdirSync(parent);
  } catch {
    return;
  }
  for (const name of names) {
    const match = /^sessionfsck-(\d+)-[A-Za-z0-9]{6}$/.exec(name);
    if (match && Number(match[1]) !== process.pid && processAlive(Number(match[1])) === 'gone') {
      try {
        rmSync(join(parent, name), { recursive: true, force: true });
      } catch {
        // Another user's folder: not ours to remove.
      }
    }
  }
}

/** Removes what killed runs left in the folder for private copies (null: the system's temporary folder). */
export function removeLeftovers(parent: string | null): void {
  removeAbandoned(parent ?? tmpdir());
}

/** A new private folder (mode 0700) that goes away with this process, also on signals. Throws UnreadableError. */
export function privateFolder(parent: string | null): string {
  const base = parent ?? tmpdir();
  if (!hooked) {
    hooked = true;
    process.on('exit', removeAll);
  }
  try {
    if (parent !== null) makeFolders(parent);
    removeAbandoned(base);
    const path = mkdtempSync(join(base, `${prefix}${process.pid}-`));
    open.add(path);
    return path;
  } catch (error) {
    throw new UnreadableError(`no private folder could be made in ${base}: ${reasonOf(error, join(base, prefix))}`, base, 'name another one with --snapshot-dir DIR');
  }
}

/** Removes a private folder before the process ends. */
export function dropFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
  open.delete(path);
}

/** Bytes free for this user where `path` lies. */
export function freeBytes(path: string): number {
  const stats = statfsSync(path);
  return stats.bavail * stats.bsize;
}
