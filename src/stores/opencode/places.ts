import { isAbsolute, join } from 'node:path';
import type { Environment } from '../snapshot.ts';
import type { Family } from './product.ts';

/** The data folders of this user, existing or not, in order of preference (opencode format notes §2.1: XDG style on every system). */
export function dataFolders(family: Family, { env, home }: Environment): string[] {
  const folders: string[] = [];
  if (family.product === 'mimocode' && env.MIMOCODE_HOME && isAbsolute(env.MIMOCODE_HOME)) folders.push(join(env.MIMOCODE_HOME, 'data'));
  if (env.XDG_DATA_HOME) folders.push(join(env.XDG_DATA_HOME, family.folder));
  folders.push(join(home, '.local', 'share', family.folder));
  if (env.APPDATA) folders.push(join(env.APPDATA, family.folder));
  folders.push(join(home, 'Library', 'Application Support', family.folder));
  return [...new Set(folders)];
}

/** The data folders, and before them the database that a variable names. */
export function defaultPaths(family: Family, environment: Environment): string[] {
  const folders = dataFolders(family, environment);
  const named = environment.env[family.databaseVariable];
  if (!named || named === ':memory:') return folders;
  return [isAbsolute(named) ? named : join(folders[0] ?? environment.home, named), ...folders];
}
