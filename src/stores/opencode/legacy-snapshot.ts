import { lstatSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { newestVersion } from '../../model/version.ts';
import type { StoreRef } from '../../model/store.ts';
import { readLegacyCopy } from './legacy-copy.ts';
import { legacyMessages, legacySessions, readJsonFile } from './legacy-files.ts';
import type { InvalidJson, OpencodeSnapshot, SessionRow } from './types.ts';

/**
 * The JSON layout before 1.2.0 without a database: sessions and messages are counted and every file must be JSON. No reader of
 * that time ordered by anything that can be asked here, so the questions over tables answer with nothing.
 */
export function openLegacy(ref: StoreRef): OpencodeSnapshot {
  const invalid: InvalidJson[] = [];
  const sessions = new Map<string, SessionRow>();
  const versions: string[] = [];
  let messages = 0;
  let rejected = 0;
  let bytes = 0;
  const read = (path: string, table: string, sessionId: string): unknown => {
    bytes += lstatSync(path).size;
    const value = readJsonFile(path);
    if (value === null) {
      rejected++;
      invalid.push({ table, column: 'file', sessionId, rows: [basename(path)], count: 1 });
    }
    return value;
  };
  for (const { id, path } of legacySessions(ref.path)) {
    const value = read(path, 'session', id);
    const version = typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'string' ? value.version : '';
    versions.push(version);
    sessions.set(id, { id, parentId: null, projectId: basename(dirname(path)), version, created: 0, updated: 0, archived: null, revert: null, revertRaw: null });
  }
  for (const { path, sessionId } of legacyMessages(ref.path)) {
    messages++;
    read(path, 'message', sessionId);
  }
  return {
    ref,
    recordedVersion: newestVersion(versions),
    databases: [],
    schema: null,
    digests: () => [],
    errors: [],
    has: () => false,
    thorough: true,
    inUse: () => false,
    sessions: () => sessions,
    spans: () => [],
    disordered: () => new Set(),
    messages: () => [],
    tail: () => [],
    countMessages: () => 0,
    countSides: () => ({ before: 0, after: 0 }),
    titleOf: () => null,
    carriers: () => [],
    holdsV2Ids: () => false,
    messageIds: () => [],
    orphans: () => [],
    unfinished: () => [],
    invalidJson: () => invalid,
    dangling: () => [],
    settledTurns: () => [],
    lostMessages: () => [],
    messageTexts: () => [],
    lostTexts: () => [],
    orphanTexts: () => [],
    legacyCopy: () => readLegacyCopy(ref.path, false),
    memoryFiles: () => [],
    revertEvents: () => [],
    loggedTime: () => null,
    survivors: () => [],
    unindexed: () => [],
    searchIndex: () => null,
    openToolPart: () => null,
    openReply: () => null,
    findId: () => null,
    repairFacts: () => ({ workspaceId: null, eventOwner: null, shared: false, importSources: [] }),
    partIds: () => [],
    idUses: () => [],
    importedSessions: () => new Set(),
    counts: () => ({ sessions: sessions.size, recordsRead: messages, recordsRejected: rejected, bytes, readAs: 'files', counts: {} }),
    changed: () => [],
    close() {},
  };
}
