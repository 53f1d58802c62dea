import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/** This user's home folder. Where HOME is empty or relative, what the system says: nothing may be looked for in the current folder instead. */
export function homeFolder(): string {
  const named = homedir();
  if (isAbsolute(named)) return named;
  try {
    return userInfo().homedir;
  } catch {
    return '/';
  }
}
