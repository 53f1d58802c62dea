import type { Links } from './links.ts';
import type { SessionEntry, TranscriptFile } from './types.ts';

/** What a path narrower than the store asks for: the named files or sessions, with the chats and archives that belong to them. */
export function selectFiles(only: readonly string[] | undefined, entries: readonly SessionEntry[], files: readonly TranscriptFile[], links: Links): { entries: readonly SessionEntry[]; files: readonly TranscriptFile[] } {
  if (only === undefined) return { entries, files };
  const named = files.filter((file) => only.includes(file.name) || only.includes(file.sessionId));
  const ids = new Set([...only, ...named.map((file) => file.sessionId)]);
  const keys = new Set(named.map((file) => links.ownerOf(file)).filter((key) => key !== null));
  const chosen = entries.filter((entry) => keys.has(entry.key) || (entry.sessionId !== null && ids.has(entry.sessionId)));
  for (const entry of chosen) keys.add(entry.key);
  const names = new Set(named.map((file) => file.name));
  return {
    entries: chosen,
    files: files.filter((file) => {
      if (names.has(file.name)) return true;
      const owner = links.ownerOf(file);
      return owner !== null && keys.has(owner);
    }),
  };
}
