import { dirname, join } from 'node:path';
import { changedSince, shmOf, walOf } from '../../io/files.ts';
import { fileHolders } from '../../io/processes.ts';
import { integrityDamage } from '../../io/sqlite-integrity.ts';
import { damageOf, snapshotDatabase, type DatabaseSnapshot } from '../../io/sqlite-snapshot.ts';
import type { SqliteDatabase } from '../../io/sqlite.ts';
import { inShard } from '../../model/shard.ts';
import type { OpenOptions, StoreRef } from '../../model/store.ts';
import { newestVersion } from '../../model/version.ts';
import { findIdRow } from './find-id.ts';
import { readLoggedTime, readRevertEvents } from './event-log.ts';
import { readInvalidJson } from './json-columns.ts';
import { readLegacyCopy } from './legacy-copy.ts';
import { readMemoryFiles } from './memory-files.ts';
import { openLegacy } from './legacy-snapshot.ts';
import { readLost } from './lost.ts';
import { readLostTexts } from './lost-texts.ts';
import { readMessageTexts } from './message-texts.ts';
import { holdsV2, readCarriers, readMessages, readTail } from './messages.ts';
import { readOpenReply, readOpenToolPart } from './open-turns.ts';
import { disorderedSessions } from './order-screen.ts';
import { readOrphanTexts } from './orphan-texts.ts';
import { readOrphans } from './orphans.ts';
import { readDangling } from './references.ts';
import { readIdUses, readPartIds, readRepairFacts } from './repair-facts.ts';
import { readSchemaFacts } from './schema-facts.ts';
import { readSearchIndex, readUnindexed } from './search-index.ts';
import { readSessions, readTitle, spanRows } from './sessions.ts';
import { countSides } from './sides.ts';
import { fromEvents, fromFiles, fromIndex } from './survivors.ts';
import { inspectTables, text, type Tables } from './tables.ts';
import { readSettledTurns } from './turns.ts';
import { readUnfinished } from './unfinished.ts';
import type { MessageRow, OpencodeSnapshot, SessionRow, SessionSpan } from './types.ts';

/** Up to this size (bytes, with the WAL) questions over wide columns look at every row even without --deep. */
const thoroughBytes = 64 * 1024 * 1024;
/** Message rows that are kept for the next check that asks for the same session. */
const cachedRows = 20_000;

const noTables: Tables = { has: () => false, hasIndex: () => false, names: new Set() };

/** Opens a database of the family, or the JSON layout before it. Throws UnreadableError when the system refuses. */
export async function openSnapshot(ref: StoreRef, options: OpenOptions): Promise<OpencodeSnapshot> {
  if (ref.layout === 'json') return openLegacy(ref);
  const database = await snapshotDatabase(ref.path, options);
  try {
    return compose(ref, options, database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function compose(ref: StoreRef, options: OpenOptions, database: DatabaseSnapshot): OpencodeSnapshot {
  const { facts } = database;
  const { db, tables, sessions } = usable(database, options.deep);
  const thorough = options.deep || facts.fileBytes + facts.walBytes <= thoroughBytes;
  const product = ref.product === 'mimocode' ? 'mimocode' : 'opencode';
  const lazy = <T>(make: () => T): (() => T) => {
    let value: { made: T } | null = null;
    return () => (value ??= { made: make() }).made;
  };
  const ask = <T>(question: (handle: SqliteDatabase) => T, none: T): T => (db === null ? none : question(db));
  const askMessages = <T>(question: (handle: SqliteDatabase) => T, none: T): T => (tables.has('message', 'id', 'session_id', 'time_created') ? ask(question, none) : none);
  const disordered = lazy(() => new Set(ask((handle) => [...disorderedSessions(handle, tables)], [])));
  const messages = cached((sessionId: string) => ask((handle) => readMessages(handle, tables, sessionId), []));
  const spans = lazy((): SessionSpan[] => ask((handle) => [...spanRows(handle, tables)], []));
  const messageCount = lazy(() => (tables.has('message', 'id') ? ask((handle) => Number(handle.prepare('SELECT count(*) FROM message').pluck().get()), 0) : 0));
  return {
    ref,
    recordedVersion: db === null ? null : newestVersion([...sessions.values()].map((session) => session.version)),
    databases: [facts],
    schema: ask((handle) => readSchemaFacts(handle, tables, ref.path, product), null),
    *digests() {
      for (const sessionId of disordered()) {
        if (inShard(sessionId, options.shard)) yield { sessionId, session: sessions.get(sessionId) ?? null, rows: messages(sessionId) };
      }
    },
    errors: [],
    has: (table, ...columns) => tables.has(table, ...columns),
    thorough,
    inUse: lazy(() => fileHolders([ref.path, walOf(ref.path), shmOf(ref.path)]).length > 0),
    sessions: () => sessions,
    spans,
    disordered,
    messages,
    tail: (sessionId, agent, limit) => ask((handle) => readTail(handle, tables, sessionId, agent, limit), []),
    countMessages: (sessionId) => askMessages((handle) => Number(handle.prepare('SELECT count(*) FROM message WHERE session_id = ?').pluck().get(sessionId)), 0),
    countSides: (sessionId, boundary) => ask((handle) => countSides(handle, tables, sessionId, boundary), { before: 0, after: 0 }),
    titleOf: (sessionId) => ask((handle) => readTitle(handle, tables, sessionId), null),
    carriers: (sessionId) => ask((handle) => readCarriers(handle, tables, sessionId), []),
    holdsV2Ids: lazy(() => ask((handle) => holdsV2(handle, tables), false)),
    messageIds: (sessionId) => askMessages((handle) => handle.prepare<[string], unknown>('SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id').pluck().all(sessionId).map(text), []),
    orphans: () => ask((handle) => readOrphans(handle, tables, sessions, spans()), []),
    unfinished: () => ask((handle) => readUnfinished(handle, tables, thorough, spans), []),
    invalidJson: () => ask((handle) => readInvalidJson(handle, tables, options.deep), []),
    dangling: () => ask((handle) => readDangling(handle, tables, thorough), []),
    settledTurns: () => ask((handle) => readSettledTurns(handle, tables), []),
    lostMessages: () => ask((handle) => readLost(handle, tables, sessions, ref.path, thorough), []),
    messageTexts: (ids) => ask((handle) => readMessageTexts(handle, tables, ref.path, ids), []),
    lostTexts: (sessionId, messageId) => ask((handle) => readLostTexts(handle, tables, ref.path, join(dirname(ref.path), 'storage'), sessionId, messageId), []),
    orphanTexts: (parent, missing) => ask((handle) => readOrphanTexts(handle, tables, ref.path, parent, missing), []),
    legacyCopy: () => (facts.damage === null ? null : readLegacyCopy(join(dirname(ref.path), 'storage'), true)),
    memoryFiles: (sessionId) => readMemoryFiles(dirname(ref.path), sessionId),
    revertEvents: (sessionId) => ask((handle) => readRevertEvents(handle, tables, sessionId), []),
    loggedTime: (sessionId, messageId) => ask((handle) => readLoggedTime(handle, tables, sessionId, messageId), null),
    *survivors(sessionId, messageIds) {
      yield* ask((handle) => fromEvents(handle, tables, sessionId, messageIds), []);
      yield* fromFiles(join(ref.path, '..', 'storage'), sessionId, messageIds);
      yield* ask((handle) => fromIndex(handle, tables, sessionId, messageIds), []);
    },
    unindexed: () => ask((handle) => readUnindexed(handle, tables, thorough), []),
    searchIndex: () => ask((handle) => readSearchIndex(handle, tables, options.deep && database.readAs === 'snapshot'), null),
    openToolPart: (partId) => ask((handle) => readOpenToolPart(handle, tables, partId), null),
    openReply: (messageId) => ask((handle) => readOpenReply(handle, tables, messageId), null),
    findId: (id) => ask((handle) => findIdRow(handle, tables, id), null),
    repairFacts: (sessionId) => ask((handle) => readRepairFacts(handle, tables, sessionId), { workspaceId: null, eventOwner: null, shared: false, importSources: [] }),
    partIds: (messageId) => ask((handle) => readPartIds(handle, tables, messageId), []),
    idUses: (sessionId, ids) => ask((handle) => readIdUses(handle, tables, sessionId, ids), []),
    importedSessions: lazy(() => new Set(tables.has('external_import', 'session_id') ? ask((handle) => handle.prepare('SELECT DISTINCT session_id FROM external_import').pluck().all().map(text), []) : [])),
    counts: () => ({
      sessions: sessions.size,
      recordsRead: messageCount(),
      recordsRejected: 0,
      bytes: facts.fileBytes + facts.walBytes,
      readAs: database.readAs,
      counts: {},
    }),
    changed: () => (database.readAs === 'in-place' ? [] : changedSince(database.states)),
    close: () => database.close(),
  };
}

/** The handle, its tables and its sessions; no handle when reading them shows damage, which then counts as damage of the store. */
function usable(database: DatabaseSnapshot, deep: boolean): { db: SqliteDatabase | null; tables: Tables; sessions: Map<string, SessionRow> } {
  const none = { db: null, tables: noTables, sessions: new Map<string, SessionRow>() };
  if (database.db === null) return none;
  if (deep) database.facts.damage = integrityDamage(database.db);
  if (database.facts.damage !== null) return none;
  try {
    const tables = inspectTables(database.db);
    return { db: database.db, tables, sessions: readSessions(database.db, tables) };
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    database.facts.damage = damage;
    return none;
  }
}

/** Keeps the rows of the sessions asked for last. */
function cached(read: (sessionId: string) => MessageRow[]): (sessionId: string) => MessageRow[] {
  const kept = new Map<string, MessageRow[]>();
  let total = 0;
  return (sessionId) => {
    const known = kept.get(sessionId);
    if (known) return known;
    const rows = read(sessionId);
    kept.set(sessionId, rows);
    total += rows.length;
    for (const [oldest, old] of kept) {
      if (total <= cachedRows || oldest === sessionId) break;
      kept.delete(oldest);
      total -= old.length;
    }
    return rows;
  };
}
