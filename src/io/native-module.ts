import { fileURLToPath } from 'node:url';
import { FriendlyError, errorCode, errorMessage } from '../model/errors.ts';

/** Why better-sqlite3 cannot be loaded, and what cures it. `folder` is that of our own package.json. */
export function nativeModuleError(error: unknown, folder = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')): FriendlyError {
  const { why, cure } = causeOf(error, folder);
  return new FriendlyError(`databases cannot be read (JSONL stores can), because the native module better-sqlite3 ${why}`, cure);
}

function causeOf(error: unknown, folder: string): { why: string; cure: string } {
  const text = errorMessage(error);
  // In our own folder, because the package.json there allows the script: npm 12 runs none for `npm rebuild -g`, and says nothing.
  const at = /^[\w@%+=:,./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
  const rebuild = `as the user who installed it: cd ${at} && npm rebuild better-sqlite3   (needs python3, make and g++ unless a built copy can be fetched)`;
  if (errorCode(error) === 'MODULE_NOT_FOUND') {
    return { why: 'is not installed: npm leaves it out when its install script fails', cure: 'install sessionfsck again where python3, make and g++ are (npm 12: with --allow-scripts=better-sqlite3), in a clone with npm ci' };
  }
  if (text.startsWith('Could not locate the bindings file')) return { why: 'was not built: its install script did not run (npm 12 runs none unasked) or failed', cure: rebuild };
  const versions = [...text.matchAll(/NODE_MODULE_VERSION (\d+)/g)].map((match) => match[1]);
  if (versions.length === 2) return { why: `was built for another Node (module version ${versions[0]}; Node ${process.version} has ${versions[1]})`, cure: rebuild };
  return { why: `cannot be loaded: ${text.split('\n').join(' ')}`, cure: rebuild };
}
