import { changedSince, fileState, staysInside, type FileState } from '../../io/files.ts';
import { fileHashes } from '../../io/hashes.ts';
import { fileHolders } from '../../io/processes.ts';
import { UnreadableError } from '../../model/errors.ts';
import type { ReadError } from '../../model/finding.ts';
import type { OpenOptions, StoreRef } from '../../model/store.ts';
import { newestVersion } from '../../model/version.ts';
import { configPath, readConfig, resetTriggers } from './config.ts';
import { openDatabaseCopy } from './database-copy.ts';
import { digestBuilder } from './digest-builder.ts';
import type { TranscriptSummary } from './digest-types.ts';
import { transcriptsElsewhere } from './elsewhere.ts';
import { readFolder } from './folder.ts';
import { liveGateways } from './gateway.ts';
import { readIndex } from './index-file.ts';
import { linksOf } from './links.ts';
import { readSessionNotes } from './notes.ts';
import { placeOf } from './paths.ts';
import { salvageIndex } from './salvage.ts';
import { fileRows } from './row-texts.ts';
import { selectFiles } from './selection.ts';
import { summarise } from './summary.ts';
import { readTranscript, sameBytes } from './transcript.ts';
import { asObject, asText } from './values.ts';
import type { OpenclawConfig, OpenclawSnapshot, SessionNote, Trajectory, TranscriptFile } from './types.ts';

/** Archives and copies before live transcripts, in name order. */
function readingOrder(files: readonly TranscriptFile[]): TranscriptFile[] {
  return [...files.filter((file) => file.kind !== 'live'), ...files.filter((file) => file.kind === 'live')];
}

/** The newest version that the configuration or a trajectory names. */
export function recordedVersion(config: OpenclawConfig, trajectories: readonly Trajectory[]): string | null {
  const touched = asText(asObject(config.meta)?.lastTouchedVersion);
  const harness = trajectories.map((one) => one.harnessVersion);
  return newestVersion([touched, ...harness].filter((version) => version !== null));
}

/** Opens an agent's JSONL store. Throws UnreadableError when its folder leads out of the state folder. */
export function openJsonl(ref: StoreRef, options: Pick<OpenOptions, 'snapshotDir'>): OpenclawSnapshot {
  const { folder, indexPath, agentId } = placeOf(ref);
  // `session.store` may name a folder elsewhere; a link inside the state folder may not.
  if (ref.path.startsWith(ref.home) && !staysInside(ref.path, ref.home)) {
    throw new UnreadableError(`${ref.path} leads out of ${ref.home} by a link; it was not followed`, ref.path, 'to read it all the same, name the folder that it leads to');
  }
  const errors: ReadError[] = [];
  const states = new Map<string, FileState>();
  const remember = (path: string): void => {
    try {
      const state = fileState(path);
      if (state) states.set(path, state);
    } catch {
      // Reading it will say why.
    }
  };
  remember(indexPath);
  const { index, entries: allEntries } = readIndex(indexPath);
  if (index.state === 'unreadable') errors.push({ store: ref.id, message: index.detail ?? `${indexPath} could not be read`, path: indexPath });
  const config = readConfig(configPath(ref.home, ref.config));
  remember(config.path);
  if (config.state === 'unreadable') errors.push({ store: ref.id, message: config.error ?? `${config.path} could not be read`, path: config.path });
  const found = readFolder(folder, ref.home, ref.id);
  errors.push(...found.errors);
  for (const state of found.states) states.set(state.path, state);

  const allLinks = linksOf(allEntries, found.files, found.trajectories);
  const { entries, files } = selectFiles(ref.only, allEntries, found.files, allLinks);
  const watermarked = entries.some((entry) => entry.watermarks.length > 0);
  const kept: TranscriptSummary[] = [];
  let notes: SessionNote[] | null = null;
  let recordsRead = 0;
  let recordsRejected = 0;
  let bytesRead = 0;
  const bytesInAll = files.reduce((sum, file) => sum + file.bytes, 0);
  let holders: Set<string> | null = null;

  return {
    ref,
    layout: 'jsonl',
    agentId,
    folder,
    recordedVersion: recordedVersion(config, found.trajectories),
    databases: [],
    schema: null,
    errors,
    config,
    index,
    entries,
    files,
    trajectories: found.trajectories,
    locks: ref.only === undefined ? found.locks : found.locks.filter((lock) => lock.sessionId === null || files.some((file) => file.sessionId === lock.sessionId)),
    sideFiles: found.sideFiles,
    entryOf: allLinks.entryOf,
    salvage: () => salvageIndex(index, found.sideFiles),
    elsewhere: (sessionId) => transcriptsElsewhere(ref.home, folder, sessionId),
    ownerOf: allLinks.ownerOf,
    fileOf: allLinks.fileOf,
    entriesOf: allLinks.entriesOf,
    databaseCopy: (path) => openDatabaseCopy(path, options.snapshotDir),
    hashes: fileHashes,
    rowsOf: (file) => fileRows(file.path),
    writerAlive(sessionId) {
      if (found.locks.some((lock) => lock.sessionId === sessionId && lock.process === 'alive')) return true;
      if (holders === null) {
        const live = found.files.filter((file) => file.kind === 'live').map((file) => file.path);
        holders = new Set(fileHolders(live).map((holder) => holder.path));
        if (liveGateways(config.path).length > 0) for (const path of live) holders.add(path);
      }
      return found.files.some((file) => file.kind === 'live' && file.sessionId === sessionId && holders?.has(file.path));
    },
    *digests() {
      kept.length = 0;
      recordsRead = 0;
      recordsRejected = 0;
      bytesRead = 0;
      const builder = digestBuilder({ triggers: resetTriggers(config), sameBytes });
      for (const file of readingOrder(files)) {
        remember(file.path);
        const digest = readTranscript(builder, file, allLinks.ownerOf(file));
        if (digest.readError !== null) errors.push({ store: ref.id, message: digest.readError, path: file.path });
        recordsRead += digest.rows.length + (digest.header === null ? 0 : 1);
        recordsRejected += digest.rejected;
        kept.push(summarise(digest, watermarked));
        bytesRead += file.bytes;
        yield digest;
      }
    },
    progress: () => ({ done: bytesRead, total: bytesInAll }),
    transcripts: () => kept,
    counts: () => ({
      sessions: entries.length,
      recordsRead,
      recordsRejected,
      bytes: found.bytes + index.bytes,
      readAs: 'files',
      counts: { archives: files.filter((file) => file.kind === 'reset' || file.kind === 'deleted').length },
    }),
    sessionNotes: () => (notes ??= readSessionNotes(ref.home)),
    changed: () => changedSince(states.values()),
    close() {},
  };
}

