import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from '../model/errors.ts';

const systemWords = { ENOENT: 'no such folder', ENOTDIR: 'not a folder', EACCES: 'no folder can be made here' };

/** A system error of a file operation, for a reason that this program sees first. */
function systemError(code: keyof typeof systemWords, path: string): Error {
  return Object.assign(new Error(`${code}: ${systemWords[code]}, mkdir '${path}'`), { code, path });
}

function isFolder(path: string): boolean | null {
  try {
    return statSync(path).isDirectory();
  } catch {
    return null;
  }
}

/**
 * Makes a folder and those that lead to it. Throws the system's error. The recursive mkdir of Node 20 never returns where a
 * file system answers ENOENT for a folder whose parent exists, as /proc does.
 */
export function makeFolders(path: string, mode?: number): void {
  const target = resolve(path);
  const missing: string[] = [];
  let at = target;
  for (let known = isFolder(at); known !== true; known = isFolder(at)) {
    if (known === false) throw systemError('ENOTDIR', at);
    missing.push(at);
    if (dirname(at) === at) throw systemError('ENOENT', target);
    at = dirname(at);
  }
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, mode);
    } catch (error) {
      // Another process made it meanwhile.
      if (errorCode(error) === 'EEXIST' && isFolder(folder) === true) continue;
      throw errorCode(error) === 'ENOENT' ? systemError('EACCES', folder) : error;
    }
  }
}
