import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolders } from './folders.ts';

/** The secret of this user that makes pseudonyms stable from run to run; made once, mode 0600. Where it cannot be kept, a new one each time. */
export function readSalt(path: string): string {
  try {
    const kept = readFileSync(path, 'utf8').trim();
    if (/^[0-9a-f]{64}$/.test(kept)) return kept;
  } catch {
    // Not there yet.
  }
  const salt = randomBytes(32).toString('hex');
  try {
    makeFolders(dirname(path), 0o700);
    writeFileSync(path, `${salt}\n`, { mode: 0o600 });
  } catch {
    // A read-only home: the names of this bundle are its own.
  }
  return salt;
}
