import { basename } from 'node:path';
import { fileState, isLink, kindOf } from '../../io/files.ts';
import { rowDamage } from '../../io/row-damage.ts';
import { snapshotDatabase, type DatabaseSnapshot } from '../../io/sqlite-snapshot.ts';
import { inspectWal } from '../../io/wal.ts';
import { errorMessage } from '../../model/errors.ts';
import { iterateEvents, type StoredEvent } from './sqlite/events.ts';
import { readAgentSchema } from './sqlite/schema.ts';

/** A database that the product put aside, opened on a private copy. */
export type DatabaseCopy = {
  /** How it was read; one sentence each. */
  notes: string[];
  /** Why nothing of it can be read; null: its events can. */
  problem: string | null;
  /** Sessions that events name, by id. */
  sessions(): string[];
  /** The events of one session in their order. */
  events(sessionId: string): Iterable<StoredEvent>;
  /** The chat of a session, where the copy knows it. */
  keyOf(sessionId: string): string | null;
  close(): void;
};

/** The log that was put aside with a database, where SQLite would read something of it. */
function logOf(path: string): { wal: string | null; notes: string[] } {
  const wal = `${path}-wal`;
  if (isLink(wal)) return { wal: null, notes: [`${basename(wal)} is a link, and links are not followed.`] };
  if (kindOf(wal) !== 'file' || (fileState(wal)?.size ?? 0) === 0) return { wal: null, notes: [] };
  const { problem, cut, committed, frames } = inspectWal(wal);
  if (problem !== null) return { wal: null, notes: [`${basename(wal)} was not read: ${problem}.`] };
  return { wal, notes: cut === null ? [] : [`${basename(wal)} was read up to frame ${committed} of ${frames}: ${cut}.`] };
}

/** Opens a database that the product put aside. Its events are handed out only when integrity_check finds no damage that makes them doubtful. Never throws for what it holds. */
export async function openDatabaseCopy(path: string, snapshotDir: string | null): Promise<DatabaseCopy> {
  const refuse = (problem: string, notes: string[] = []): DatabaseCopy => ({ notes, problem, sessions: () => [], events: () => [], keyOf: () => null, close() {} });
  let database: DatabaseSnapshot | null = null;
  try {
    if (isLink(path) || kindOf(path) !== 'file') return refuse('it is no regular file');
    const { wal, notes } = logOf(path);
    database = await snapshotDatabase(path, { snapshotDir, inPlace: false }, wal);
    const { db } = database;
    if (db === null) return refuse(database.facts.damage?.detail ?? 'SQLite cannot open it', notes);
    const schema = readAgentSchema(db);
    if (schema === null || !schema.eventColumns.has('event_json')) {
      database.close();
      return refuse('it has no table transcript_events of an agent', notes);
    }
    const windows = schema.shape === 'entries' ? 'sessions' : 'session_windows';
    const damage = rowDamage(db, ['transcript_events', windows], false);
    if (damage !== null) {
      database.close();
      return refuse(damage, notes);
    }
    const key = schema.tables.has(windows) && schema.windowColumns.has('session_key') ? db.prepare<[string], unknown>(`SELECT session_key FROM ${windows} WHERE session_id = ?`).pluck() : null;
    const opened = database;
    return {
      notes,
      problem: null,
      sessions: () => db.prepare<[], string>('SELECT DISTINCT session_id FROM transcript_events ORDER BY 1').pluck().all().map(String),
      events: (sessionId) => iterateEvents(db, schema, sessionId),
      keyOf(sessionId) {
        const found = key?.get(sessionId);
        return typeof found === 'string' ? found : null;
      },
      close: () => opened.close(),
    };
  } catch (error) {
    database?.close();
    return refuse(errorMessage(error));
  }
}
