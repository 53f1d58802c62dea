import { statSync } from 'node:fs';
import { fileState, isLink, kindOf, listFolder, staysInside, type Entry, type FileState } from '../../io/files.ts';
import { errorMessage } from '../../model/errors.ts';
import type { ReadError } from '../../model/finding.ts';
import { readLock } from './locks.ts';
import { classifyName } from './names.ts';
import { readTrajectory } from './trajectory.ts';
import type { LockFile, SideFile, Trajectory, TranscriptFile } from './types.ts';

/** What lies in a sessions folder, transcripts not yet read. */
export type FolderFacts = {
  files: TranscriptFile[];
  trajectories: Trajectory[];
  locks: LockFile[];
  sideFiles: SideFile[];
  /** States of the small files that were read, to tell later whether they changed. */
  states: FileState[];
  errors: ReadError[];
  /** Bytes of all of them. */
  bytes: number;
};

function mayBeRead(entry: Entry, root: string): 'yes' | 'no' | 'leads out' {
  if (entry.kind === 'file') return 'yes';
  if (entry.kind !== 'link') return 'no';
  if (kindOf(entry.path) === 'missing') return 'no';
  return staysInside(entry.path, root) ? (kindOf(entry.path) === 'file' ? 'yes' : 'no') : 'leads out';
}

/**
 * Lists a sessions folder and reads its small files (locks, the ends of trajectories). Links that lead out of `root` and what
 * cannot be read become errors; the rest is read. An absent folder is empty.
 */
export function readFolder(folder: string, root: string, store: string): FolderFacts {
  const found: FolderFacts = { files: [], trajectories: [], locks: [], sideFiles: [], states: [], errors: [], bytes: 0 };
  const refuse = (message: string, path: string): void => void found.errors.push({ store, message, path });
  let entries: Entry[];
  try {
    if (kindOf(folder) === 'missing') {
      if (isLink(folder)) refuse(`${folder} is a link to nothing that may be entered`, folder);
      return found;
    }
    entries = listFolder(folder);
  } catch (error) {
    refuse(errorMessage(error), folder);
    return found;
  }
  for (const entry of entries) {
    const { name, path } = entry;
    const named = classifyName(name);
    const may = mayBeRead(entry, root);
    if (may !== 'yes') {
      if (may === 'leads out') refuse(`${path} is a link that leads out of the store; it was not followed`, path);
      else if (entry.kind === 'folder' && (named.class === 'transcript' || named.class === 'trajectory')) refuse(`${path} is a folder where a transcript was expected`, path);
      else if (entry.kind === 'other') refuse(`${path} is neither a file nor a folder; it was not opened`, path);
      else if (entry.kind === 'link') refuse(`${path} is a link to nothing that may be read`, path);
      continue;
    }
    try {
      const stats = statSync(path);
      const bytes = stats.size;
      const modifiedAt = Math.floor(stats.mtimeMs);
      found.bytes += bytes;
      switch (named.class) {
        case 'transcript': {
          const { kind, baseId, sessionId, topic, archivedAt, generation, compressed } = named;
          found.files.push({ name, path, kind, baseId, sessionId, topic, archivedAt, generation, compressed, bytes, modifiedAt });
          break;
        }
        case 'trajectory': {
          const state = fileState(path);
          if (state) found.states.push(state);
          found.trajectories.push(readTrajectory(name, path, named.sessionId, bytes));
          break;
        }
        case 'lock':
          found.locks.push(readLock(name, path, named.guards, modifiedAt));
          break;
        case 'index':
          break;
        case 'other':
          found.sideFiles.push({ name, path, kind: named.kind, bytes, modifiedAt });
          break;
      }
    } catch (error) {
      refuse(errorMessage(error), path);
    }
  }
  return found;
}
