import { basename, dirname, join } from 'node:path';
import { statSync } from 'node:fs';
import { kindOf, listFolder } from '../../../io/files.ts';
import { errorMessage } from '../../../model/errors.ts';
import type { ReadError } from '../../../model/finding.ts';
import { readFolder, type FolderFacts } from '../folder.ts';
import { classifyName } from '../names.ts';
import { readTrajectory } from '../trajectory.ts';
import type { SideFile, Trajectory, TranscriptFile } from '../types.ts';
import type { Leftover } from './leftovers.ts';

/** What lies around an agent's database. */
export type AgentFiles = {
  sessionsFolder: string;
  folder: FolderFacts;
  /** Archives and copies of the sessions folder; live files of the JSONL era are leftovers here. */
  archives: TranscriptFile[];
  trajectories: Trajectory[];
  sideFiles: SideFile[];
  leftovers: Pick<Leftover, 'path' | 'sessionId' | 'kind'>[];
  errors: ReadError[];
};

/** `<key>.<sessionId>.jsonl.imported-<ms>` and `archive-tier.<sessionId>.trajectory.jsonl.imported-<ms>` of an import (settled facts, 2026.9.6). */
const imported = /^(?:.*\.)?([A-Za-z0-9][A-Za-z0-9_-]{0,127})\.jsonl\.imported-\d+$/;
const importedTrajectory = /^(?:.*\.)?([A-Za-z0-9][A-Za-z0-9_-]{0,127})\.trajectory\.jsonl\.imported-\d+$/;
const migrated = /^(.+)\.jsonl\.migrated\.[0-9a-f]{64}\..+$/;

/** Lists what lies around an agent's database. What cannot be read becomes an error; the rest is listed. */
export function readAgentFiles(databasePath: string, home: string, store: string): AgentFiles {
  const agent = dirname(dirname(databasePath));
  const inAgent = basename(dirname(databasePath)) === 'agent';
  const sessionsFolder = inAgent ? join(agent, 'sessions') : join(dirname(databasePath), 'sessions');
  const folder = readFolder(sessionsFolder, home, store);
  const files: AgentFiles = {
    sessionsFolder,
    folder,
    archives: folder.files.filter((file) => file.kind !== 'live'),
    trajectories: [...folder.trajectories],
    sideFiles: [...folder.sideFiles],
    leftovers: folder.files.filter((file) => file.kind === 'live').map(({ path, sessionId }) => ({ path, sessionId, kind: 'live' as const })),
    errors: [...folder.errors],
  };
  for (const side of folder.sideFiles) {
    const name = migrated.exec(side.name);
    const base = name?.[1] === undefined ? null : classifyName(`${name[1]}.jsonl`);
    if (base?.class === 'transcript') files.leftovers.push({ path: side.path, sessionId: base.sessionId, kind: 'migrated' });
  }
  const list = (path: string): ReturnType<typeof listFolder> => {
    try {
      return kindOf(path) === 'folder' ? listFolder(path) : [];
    } catch (error) {
      files.errors.push({ store, message: errorMessage(error), path });
      return [];
    }
  };
  if (inAgent) {
    for (const entry of list(join(agent, 'session-sqlite-import-archive'))) {
      if (entry.kind !== 'file') continue;
      const trajectory = importedTrajectory.exec(entry.name);
      if (trajectory?.[1] !== undefined) {
        try {
          files.trajectories.push(readTrajectory(entry.name, entry.path, trajectory[1], 0));
        } catch (error) {
          files.errors.push({ store, message: errorMessage(error), path: entry.path });
        }
        continue;
      }
      const transcript = imported.exec(entry.name);
      const named = transcript?.[1] === undefined ? null : classifyName(`${transcript[1]}.jsonl`);
      if (named?.class === 'transcript') files.leftovers.push({ path: entry.path, sessionId: named.sessionId, kind: 'imported' });
    }
  }
  for (const entry of list(dirname(databasePath))) {
    if (entry.kind === 'file' && entry.name.startsWith(`${basename(databasePath)}.corrupt-`)) {
      const stats = statSync(entry.path);
      files.sideFiles.push({ name: entry.name, path: entry.path, kind: 'quarantine', bytes: stats.size, modifiedAt: Math.floor(stats.mtimeMs) });
    }
  }
  return files;
}
