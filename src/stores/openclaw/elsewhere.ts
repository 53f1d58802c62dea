import { join } from 'node:path';
import { kindOf, listFolder, staysInside } from '../../io/files.ts';

/** Paths of `<sessionId>.jsonl` in the sessions folders of other agents and in the folder of the first releases; never `folder`'s own. */
export function transcriptsElsewhere(home: string, folder: string, sessionId: string): string[] {
  const name = `${sessionId}.jsonl`;
  if (name.includes('/') || name.includes('\\') || name.includes('\0')) return [];
  let agents: string[] = [];
  try {
    const path = join(home, 'agents');
    if (kindOf(path) === 'folder') agents = listFolder(path).map((entry) => join(entry.path, 'sessions'));
  } catch {
    // What may not be listed holds nothing that could be linked.
  }
  return [...agents, join(home, 'sessions')].filter((place) => place !== folder).map((place) => join(place, name)).filter((path) => kindOf(path) === 'file' && staysInside(path, home));
}
