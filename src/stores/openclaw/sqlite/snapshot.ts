import { basename, dirname } from 'node:path';
import { changedSince, fileState, shmOf, walOf, type FileState } from '../../../io/files.ts';
import { fileHashes } from '../../../io/hashes.ts';
import { fileHolders } from '../../../io/processes.ts';
import { snapshotDatabase } from '../../../io/sqlite-snapshot.ts';
import type { OpenOptions, StoreRef } from '../../../model/store.ts';
import { newestVersion } from '../../../model/version.ts';
import { configPath, readConfig, resetTriggers } from '../config.ts';
import { openDatabaseCopy } from '../database-copy.ts';
import { digestBuilder } from '../digest-builder.ts';
import type { TranscriptDigest, TranscriptSummary } from '../digest-types.ts';
import { transcriptsElsewhere } from '../elsewhere.ts';
import { linksOf } from '../links.ts';
import { readSessionNotes } from '../notes.ts';
import { recordedVersion } from '../snapshot.ts';
import { fileRows } from '../row-texts.ts';
import { summarise } from '../summary.ts';
import { readTranscript, sameBytes } from '../transcript.ts';
import type { OpenclawSnapshot } from '../types.ts';
import { blobLines, coldDigest, windowDigests } from './digests.ts';
import type { SqliteFacts } from './facts.ts';
import { readAgentFiles } from './files.ts';
import { iterateEvents } from './events.ts';
import { compareLeftover, type Leftover } from './leftovers.ts';
import { danglingReferences, lateAppends, orphanEvents, sequenceGaps } from './questions.ts';
import { newestAgentSchema } from './schema.ts';
import { storedStatus, windowStorage } from './storage.ts';
import { archiveFile, readTables, windowFile } from './tables.ts';

/** Opens an agent's database of the SQLite era, from a private copy. Throws UnreadableError when the system refuses. */
export async function openSqlite(ref: StoreRef, options: OpenOptions): Promise<OpenclawSnapshot> {
  const database = await snapshotDatabase(ref.path, options);
  const { db, schema, entries, invalid, windows, archives, cold } = readTables(database, options.deep);
  const around = readAgentFiles(ref.path, ref.home, ref.id);
  const config = readConfig(configPath(ref.home, ref.config));
  const errors = [...around.errors];
  if (config.state === 'unreadable') errors.push({ store: ref.id, message: config.error ?? `${config.path} could not be read`, path: config.path });
  const states = new Map<string, FileState>([...database.states, ...around.folder.states].map((state) => [state.path, state]));
  const remember = (path: string): void => {
    try {
      const state = fileState(path);
      if (state && !states.has(path)) states.set(path, state);
    } catch {
      // Reading it will say why.
    }
  };
  if (config.state !== 'missing') remember(config.path);

  const windowFiles = new Map(windows.map((window) => [window.sessionId, windowFile(window, ref.path)]));
  const published = new Set(around.archives.map((file) => file.name));
  const unpublished = archives.filter((archive) => !published.has(archive.name));
  const blobs = new Map(unpublished.map((archive) => [archive.name, archive]));
  const files = [...around.archives, ...unpublished.map((archive) => archiveFile(archive, ref.path)), ...windowFiles.values()];
  const keys = new Map(windows.map((window) => [window.sessionId, window.sessionKey]));
  for (const archive of archives) if (!keys.has(archive.sessionId)) keys.set(archive.sessionId, archive.sessionKey);
  const links = linksOf(entries, files, around.trajectories, keys);
  const watermarked = entries.some((entry) => entry.watermarks.length > 0);
  const kept: TranscriptSummary[] = [];
  let recordsRead = 0;
  let recordsRejected = 0;
  let leftovers: Leftover[] | null = null;
  let holders: boolean | null = null;

  const facts: SqliteFacts = {
    path: ref.path,
    schemaVersion: schema.version,
    entriesTable: schema.shape === 'none' ? null : schema.shape === 'nodes' ? 'session_nodes' : 'session_entries',
    storageOf: (sessionId) => (db && schema.tables.has('transcript_events') ? windowStorage(db, schema, sessionId) : null),
    digestOf(sessionId) {
      if (!db) return null;
      const builder = digestBuilder({ triggers: resetTriggers(config), sameBytes: () => null });
      for (const digest of windowDigests(db, schema, builder, windowFiles, links.ownerOf, { ...facts, unreadable: [], compressedEvents: 0 }, sessionId)) return digest;
      return null;
    },
    statusOf: (sessionKey) => (db ? storedStatus(db, schema, sessionKey) : null),
    windows,
    archives,
    cold,
    invalidEntries: invalid,
    sequenceGaps: () => (db ? sequenceGaps(db, schema) : []),
    dangling: () => (db ? danglingReferences(db, schema) : []),
    orphanEvents: () => (db ? orphanEvents(db, schema) : []),
    lateAppends: (slack) => (db ? lateAppends(db, schema, windows, slack) : []),
    *missingRows(path) {
      const file = around.leftovers.find((one) => one.path === path);
      if (!db || !file) return;
      const copies = around.archives.filter((archive) => archive.sessionId === file.sessionId).map((archive) => archive.path);
      const missing: { row: Record<string, unknown>; line: number }[] = [];
      compareLeftover(db, schema, file, copies, (row, line) => missing.push({ row, line }));
      yield* missing;
    },
    leftovers() {
      if (leftovers === null) {
        leftovers = [];
        for (const file of around.leftovers) {
          remember(file.path);
          const copies = around.archives.filter((archive) => archive.sessionId === file.sessionId).map((archive) => archive.path);
          try {
            if (db) leftovers.push(compareLeftover(db, schema, file, copies));
          } catch (error) {
            errors.push({ store: ref.id, message: error instanceof Error ? error.message : String(error), path: file.path });
          }
        }
      }
      return leftovers;
    },
    unreadable: [],
    compressedEvents: 0,
  };

  const keep = (digest: TranscriptDigest): TranscriptDigest => {
    if (digest.readError !== null) errors.push({ store: ref.id, message: digest.readError, path: digest.file.path });
    recordsRead += digest.rows.length + (digest.header === null ? 0 : 1);
    recordsRejected += digest.rejected;
    kept.push(summarise(digest, watermarked));
    return digest;
  };

  return {
    ref,
    layout: 'sqlite',
    sqlite: facts,
    agentId: schema.agentId ?? basename(dirname(dirname(ref.path))),
    folder: around.sessionsFolder,
    recordedVersion: newestVersion([recordedVersion(config, around.trajectories), schema.appVersion].filter((version) => version !== null)),
    databases: [database.facts],
    schema: { path: ref.path, version: schema.version === 0 ? null : String(schema.version), newestKnown: String(newestAgentSchema), newer: schema.version > newestAgentSchema },
    errors,
    config,
    index: { path: ref.path, state: 'ok', bytes: database.facts.fileBytes, detail: null },
    entries,
    files,
    trajectories: around.trajectories,
    locks: around.folder.locks,
    sideFiles: around.sideFiles,
    entryOf: links.entryOf,
    salvage: () => [],
    elsewhere: (sessionId) => transcriptsElsewhere(ref.home, around.sessionsFolder, sessionId),
    ownerOf: links.ownerOf,
    fileOf: links.fileOf,
    entriesOf: links.entriesOf,
    databaseCopy: (path) => openDatabaseCopy(path, options.snapshotDir),
    hashes: fileHashes,
    rowsOf: (file) => (visit) => {
      if (!db) return;
      const blob = blobs.get(file.name);
      if (file.kind === 'window') {
        for (const event of iterateEvents(db, schema, file.sessionId)) if (event.json !== null) visit(event.json, event.seq + 1);
      } else if (blob) {
        const bytes = db.prepare('SELECT archive_blob FROM session_transcript_archives WHERE session_id = ? AND generation = ?').pluck().get(blob.sessionId, blob.generation);
        if (Buffer.isBuffer(bytes)) blobLines(bytes, file.compressed, file.name)((line) => visit(line.buffer.toString('utf8', line.start, line.end), line.number));
      } else {
        fileRows(file.path)(visit);
      }
    },
    writerAlive() {
      holders ??= fileHolders([ref.path, walOf(ref.path), shmOf(ref.path)]).length > 0;
      return holders;
    },
    *digests() {
      kept.length = 0;
      recordsRead = 0;
      recordsRejected = 0;
      facts.unreadable = [];
      facts.compressedEvents = 0;
      if (!db) return;
      const builder = digestBuilder({ triggers: resetTriggers(config), sameBytes: (file, rows, a, b) => (file.path === ref.path ? null : sameBytes(file, rows, a, b)) });
      for (const file of files) {
        if (file.kind === 'window') continue;
        const blob = blobs.get(file.name);
        if (!blob) {
          remember(file.path);
          yield keep(readTranscript(builder, file, links.ownerOf(file)));
          continue;
        }
        const bytes = db.prepare('SELECT archive_blob FROM session_transcript_archives WHERE session_id = ? AND generation = ?').pluck().get(blob.sessionId, blob.generation);
        if (Buffer.isBuffer(bytes)) yield keep(readTranscript(builder, file, links.ownerOf(file), blobLines(bytes, file.compressed, file.name)));
      }
      for (const digest of windowDigests(db, schema, builder, windowFiles, links.ownerOf, facts)) yield keep(digest);
      for (const one of cold) {
        const file = windowFiles.get(one.sessionId);
        if (file) yield keep(coldDigest(db, builder, one, file, around.sessionsFolder, links.ownerOf(file)));
      }
    },
    transcripts: () => kept,
    counts: () => ({
      sessions: entries.length,
      recordsRead,
      recordsRejected,
      bytes: database.facts.fileBytes + database.facts.walBytes + around.folder.bytes,
      readAs: database.readAs,
      counts: {
        archives: files.filter((file) => file.kind === 'reset' || file.kind === 'deleted').length,
        'compressed events': facts.compressedEvents,
        'cold transcripts': facts.cold.length,
        'leftover files': around.leftovers.length,
        'of them imported': leftovers?.filter((one) => one.missingRows === 0).length ?? 0,
      },
    }),
    sessionNotes: () => readSessionNotes(ref.home),
    changed: () => changedSince(states.values()),
    close: database.close,
  };
}
