import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { UnreadableError, errorMessage } from '../model/errors.ts';
import { readRange } from './splice.ts';
import { dropFolder, privateFolder } from './temp.ts';

/** Texts that are put aside on disk, so that memory does not grow with them. */
export type Shelf = {
  /** Puts a text aside and returns what reads it back. */
  put(text: string): () => string;
  close(): void;
};

/**
 * A shelf in a file of this process alone (null: the system's temporary folder), or in memory where no file can be made. On POSIX
 * systems the file is unlinked as soon as it is open, so that nothing stays behind however this process ends.
 */
export function openShelf(parent: string | null): Shelf {
  let folder: string;
  let fd: number;
  try {
    folder = privateFolder(parent);
    const path = join(folder, 'shelf');
    fd = openSync(path, 'wx+', 0o600);
    if (process.platform !== 'win32') unlinkSync(path);
  } catch {
    return { put: (text) => () => text, close() {} };
  }
  let end = 0;
  return {
    put(text) {
      const bytes = Buffer.from(text, 'utf8');
      const offset = end;
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, offset + done);
      } catch (error) {
        throw new UnreadableError(`${folder} has no room for what is put aside: ${errorMessage(error)}`, folder, 'name a larger place with --snapshot-dir DIR');
      }
      end += bytes.length;
      return () => readRange(fd, offset, bytes.length).toString('utf8');
    },
    close() {
      closeSync(fd);
      dropFolder(folder);
    },
  };
}
