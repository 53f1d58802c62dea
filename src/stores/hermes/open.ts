import { join } from 'node:path';
import { changedSince, fileState, type FileState } from '../../io/files.ts';
import { fileHashes } from '../../io/hashes.ts';
import { integrityDamage } from '../../io/sqlite-integrity.ts';
import { snapshotDatabase, type DatabaseSnapshot } from '../../io/sqlite-snapshot.ts';
import type { SqliteDatabase } from '../../io/sqlite.ts';
import { UnreadableError, errorMessage } from '../../model/errors.ts';
import { readTexts } from './texts.ts';
import type { ReadError } from '../../model/finding.ts';
import { inShard } from '../../model/shard.ts';
import type { OpenOptions, StoreRef } from '../../model/store.ts';
import { activityOf, activityReader, noActivity } from './activity.ts';
import { openCapture } from './capture.ts';
import { rowSource } from './captured-rows.ts';
import { newestSchema, readColumns, schemaVersion, type Columns } from './columns.ts';
import { readCompressionRuns } from './compression-log.ts';
import { readConfig } from './config.ts';
import { readLocks } from './locks.ts';
import { messageReader, type MessageReader } from './message-columns.ts';
import { clonedInto, readOrphans, textsWithin, toolCallIds } from './questions.ts';
import { noRepairQuestions, repairQuestions } from './repair-questions.ts';
import { readRoutingFile, readRoutingTable, readStoredRoutes, routingFilePath } from './routing.ts';
import { readSearchFacts } from './search-index.ts';
import { readSessions, readTitle } from './session-rows.ts';
import { openSpool } from './spooled.ts';
import { readSiblings } from './siblings.ts';
import type { HermesSnapshot, RoutingEntry, SessionActivity, SessionDigest, SessionRow } from './types.ts';

const noColumns: Columns = { tables: new Set(), sessions: new Set(), messages: new Set(), idSource: 'messages' };

/** Computes an answer once, when it is asked for. */
function once<T>(work: () => T): () => T {
  let done: { value: T } | null = null;
  return () => (done ??= { value: work() }).value;
}

/** Opens a Hermes home on a private copy of its database. Throws UnreadableError when the system refuses or the database is not Hermes'. */
export async function openHermes(ref: StoreRef, options: OpenOptions): Promise<HermesSnapshot> {
  const config = readConfig(ref.home);
  const errors: ReadError[] = [];
  const states: FileState[] = [];
  for (const path of [...config.files.map((file) => file.path), routingFilePath(ref.home)]) {
    const state = fileState(path);
    if (state) states.push(state);
  }
  const elsewhere = config.backend !== null && config.backend !== 'sqlite';
  let database: DatabaseSnapshot | null = null;
  if (fileState(ref.path) !== null) {
    database = await snapshotDatabase(ref.path, options);
    states.push(...database.states);
  } else if (!elsewhere) {
    throw new UnreadableError(`${ref.path} is missing, but its -wal lies there: rows that were committed last are in it; do not start the product, keep the -wal, and put the database back from a backup`, ref.path);
  }
  try {
    return makeSnapshot(ref, options, config, database, elsewhere, errors, states);
  } catch (error) {
    database?.close();
    throw error;
  }
}

function makeSnapshot(ref: StoreRef, options: OpenOptions, config: HermesSnapshot['config'], database: DatabaseSnapshot | null, elsewhere: boolean, errors: ReadError[], states: FileState[]): HermesSnapshot {
  // A store whose rows live elsewhere is not judged: what lies here is stale or absent.
  const db: SqliteDatabase | null = elsewhere ? null : (database?.db ?? null);
  const columns = db ? readColumns(db) : noColumns;
  if (db && (columns.sessions.size === 0 || columns.messages.size === 0)) {
    throw new UnreadableError(`${ref.path} is a SQLite database without the tables sessions and messages: not a store of Hermes Agent, or one that was never used`, ref.path);
  }
  const version = db ? schemaVersion(db, columns.tables) : null;
  const facts = database ? [database.facts] : [];
  if (db && options.deep) noteIntegrity(db, database);

  const attempt = <T>(path: string, fallback: T, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      errors.push({ store: ref.id, message: errorMessage(error), path });
      return fallback;
    }
  };
  const routingFile = once(() => attempt(routingFilePath(ref.home), null, () => readRoutingFile(ref.home)));
  const sessions = once((): SessionRow[] => (db ? readSessions(db, columns) : []));
  const byId = once(() => new Map(sessions().map((row) => [row.id, row])));
  const children = once(() => {
    const map = new Map<string, SessionRow[]>();
    for (const row of sessions()) {
      if (row.parentId === null) continue;
      const list = map.get(row.parentId);
      if (list) list.push(row);
      else map.set(row.parentId, [row]);
    }
    return map;
  });
  const reader = once(() => (db ? messageReader(db, columns) : null));
  const askActivity = once(() => (db ? activityReader(db, columns) : null));
  const ownRows = once(() => (db && !database?.facts.damage ? rowSource(db) : null));
  const activities = new Map<string, SessionActivity>();
  // A part of the sessions counts the rows of the store, so that reports of parts agree on it and can be joined.
  const allRows = once(() => db?.prepare<[], number>('SELECT count(*) FROM messages').pluck().get() ?? 0);
  let recordsRead = 0;
  const digestFor = (source: MessageReader, session: SessionRow): SessionDigest => {
    const read = source.read(session.id);
    activities.set(session.id, activityOf(read));
    return { session, messages: read.messages, absorbed: read.absorbed, invalidJson: read.invalidJson };
  };

  return {
    ref,
    recordedVersion: null,
    databases: facts,
    schema: version === null ? null : { path: ref.path, version: String(version), newestKnown: String(newestSchema), newer: version > newestSchema },
    errors,
    config,
    columns,
    tables: columns.tables,
    *digests() {
      const source = reader();
      if (!source) return;
      for (const session of sessions()) {
        if (!inShard(session.id, options.shard)) continue;
        const digest = digestFor(source, session);
        recordsRead += digest.messages.count;
        yield digest;
      }
    },
    digestOf(id) {
      const source = reader();
      const session = byId().get(id);
      return source && session ? digestFor(source, session) : null;
    },
    sessions,
    session: (id) => byId().get(id),
    titleOf: (id) => (db ? readTitle(db, columns, id) : null),
    childrenOf: (id) => children().get(id) ?? [],
    activity(id) {
      const known = activities.get(id);
      if (known) return known;
      const found = byId().has(id) ? (askActivity()?.(id) ?? noActivity) : noActivity;
      activities.set(id, found);
      return found;
    },
    routing: once((): RoutingEntry[] => {
      const table = db ? readRoutingTable(db, ref.path) : [];
      const keys = new Set(table.map((entry) => entry.sessionKey));
      return [...table, ...(elsewhere ? [] : (routingFile()?.entries ?? [])).filter((entry) => !keys.has(entry.sessionKey))];
    }),
    routingFile: () => routingFile()?.file ?? null,
    storedRoutes: once(() => (db ? readStoredRoutes(db) : [])),
    hashes: fileHashes,
    generations: once(() => {
      if (!db || !columns.tables.has('conversation_generations')) return [];
      return db.prepare<[], { source: string; sessionKey: string; generation: number }>('SELECT source, session_key AS sessionKey, generation FROM conversation_generations ORDER BY 1, 2').all();
    }),
    locks: once(() => (db ? readLocks(db) : [])),
    compressionRuns: once(() => attempt(join(ref.home, 'logs'), [], () => readCompressionRuns(ref.home))),
    siblings: once(() => attempt(ref.home, [], () => readSiblings(ref.home))),
    openCapture: async (sibling) => (sibling.kind === 'spool' || sibling.kind === 'diverted-transcript' ? openSpool(sibling, ownRows) : openCapture(sibling, ref, ownRows, options.snapshotDir)),
    orphans: once(() => (db ? readOrphans(db, columns, (id) => byId().has(id)) : [])),
    search: (deep) => (db ? readSearchFacts(db, columns, deep, database?.readAs === 'snapshot') : { pending: 'the database is not read', indexes: [] }),
    ...(db ? repairQuestions(db, columns) : noRepairQuestions),
    textsWithin: (rows, holders) => (db ? textsWithin(db, rows, holders) : new Set()),
    texts: (rows) => (db ? readTexts(db, ref.path, rows) : []),
    rowsOfSession: (id) => (db && columns.messages.has('session_id') ? db.prepare<[string], number>(`SELECT id FROM ${columns.idSource} WHERE session_id = ? ORDER BY id`).pluck().all(id) : []),
    toolCallIds: (row) => (db ? toolCallIds(db, row) : []),
    clonedInto: (sessionId, rows) => (db ? clonedInto(db, sessionId, rows) : new Set()),
    counts() {
      const whole = db !== null && database?.facts.damage === null;
      const orphanRows = whole && !options.shard ? this.orphans().reduce((sum, group) => sum + group.messages, 0) : 0;
      return {
        sessions: database?.facts.damage || !db ? 0 : sessions().length,
        recordsRead: whole && options.shard ? allRows() : recordsRead + orphanRows,
        recordsRejected: 0,
        bytes: facts.reduce((sum, fact) => sum + fact.fileBytes + fact.walBytes, 0) + (routingFile()?.file.bytes ?? 0),
        readAs: database?.readAs ?? 'files',
        counts: {},
      };
    },
    changed: () => changedSince(states),
    close: () => database?.close(),
  };
}

/** With `--deep`: what integrity_check says of tables and indexes. The search index has its own check, and a missing tokenizer is no damage. */
function noteIntegrity(db: SqliteDatabase, database: DatabaseSnapshot | null): void {
  if (!database || database.facts.damage) return;
  database.facts.damage = integrityDamage(db, /no such tokenizer|messages_fts|malformed inverted index/i);
}
