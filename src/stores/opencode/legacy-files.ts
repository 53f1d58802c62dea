import { join } from 'node:path';
import { kindOf, listFolder, readSmallFile, type Entry } from '../../io/files.ts';

/** One message file of the JSON layout before 1.2.0. Ids come from the paths, as the product's own importer takes them. */
export type LegacyMessage = { sessionId: string; messageId: string; path: string };

/** One session file; `projectExists` is false when its project file is missing, so that the importer skipped it. */
export type LegacySession = { id: string; path: string; projectExists: boolean };

function folders(path: string): Entry[] {
  return kindOf(path) === 'folder' ? listFolder(path).filter((entry) => entry.kind === 'folder') : [];
}

function jsonFiles(path: string): Entry[] {
  return listFolder(path).filter((entry) => entry.kind === 'file' && entry.name.endsWith('.json'));
}

const stem = (name: string): string => name.slice(0, -'.json'.length);

export function* legacySessions(storage: string): Iterable<LegacySession> {
  for (const project of folders(join(storage, 'session'))) {
    const projectExists = kindOf(join(storage, 'project', `${project.name}.json`)) === 'file';
    for (const file of jsonFiles(project.path)) yield { id: stem(file.name), path: file.path, projectExists };
  }
}

export function* legacyMessages(storage: string): Iterable<LegacyMessage> {
  for (const session of folders(join(storage, 'message'))) {
    for (const file of jsonFiles(session.path)) yield { sessionId: session.name, messageId: stem(file.name), path: file.path };
  }
}

/** The content of a JSON file, or null when it is none. A file over 64 MiB counts as none. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readSmallFile(path, 64 * 1024 * 1024).toString('utf8'));
  } catch {
    return null;
  }
}

/** `time.created` (ms) of a message or session file, or null. */
export function createdOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('time' in value)) return null;
  const { time } = value;
  return typeof time === 'object' && time !== null && 'created' in time && typeof time.created === 'number' ? time.created : null;
}
