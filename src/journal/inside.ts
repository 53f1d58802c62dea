import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { RefusedError } from '../model/errors.ts';
import { nameTaken } from './file-image.ts';
import { planAgain } from './advice.ts';

/** Refuses paths outside the store's home, links, and files with other names. A plan is a file that anybody may have edited. */
export function requireInside(path: string, home: string): void {
  let folder: string;
  let root: string;
  try {
    folder = realpathSync(dirname(path));
    root = realpathSync(home);
  } catch {
    throw new RefusedError(`${dirname(path)} does not exist`, planAgain);
  }
  const inner = relative(root, join(folder, basename(path)));
  if (inner === '' || inner === '..' || inner.startsWith(`..${sep}`)) throw new RefusedError(`${path} lies outside the store (${home})`, 'the plan was edited, or a link leads out of the store');
  if (!nameTaken(path)) return;
  const stats = lstatSync(path);
  if (!stats.isFile()) throw new RefusedError(`${path} is not a plain file`, 'links and folders are never replaced');
  if (stats.nlink > 1) throw new RefusedError(`${path} has ${stats.nlink} names (hard links), and replacing it would part them`, 'copy the file so that it stands alone');
}
