import { forEachLine } from '../../../io/lines.ts';
import type { SqliteDatabase } from '../../../io/sqlite.ts';
import { parseTime } from '../../../model/time.ts';
import { contentKey } from './content-key.ts';
import { iterateEvents } from './events.ts';
import type { AgentSchema } from './schema.ts';
import { isObject } from '../../../model/values.ts';

/** A JSONL transcript that a migration left beside the database, against the events that the database holds. */
export type Leftover = {
  /** Absolute path. */
  path: string;
  /** Session id by file name. */
  sessionId: string;
  /** live: where the JSONL era wrote it; imported, migrated: an original that the importer moved away. */
  kind: 'live' | 'imported' | 'migrated';
  /** Rows of the file, header included. */
  rowsInFile: number;
  /** Rows that no event of the session, and no archive of it, holds. */
  missingRows: number;
  /** Their ids, in file order, at most 1000; rows without id are counted only. */
  missingIds: string[];
  /** Lines that are no JSON object and so cannot be compared. */
  unreadableLines: number;
  /** Entry times of the first and last missing row, ms. */
  firstTime: number | null;
  lastTime: number | null;
  /** The database knows the session. */
  sessionKnown: boolean;
  /** Bytes of the file. */
  bytes: number;
};

const keptIds = 1000;
/** JSON nested deeper than the stack allows, or lines that are no objects, cannot be compared. */
function parseRow(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The ids and contents of one session's events: what a leftover's rows are looked up in. */
type Held = { contents: Set<string>; byId: Map<string, Set<string>>; hasHeader: boolean };

function heldBySession(db: SqliteDatabase, schema: AgentSchema, sessionId: string): Held {
  const held: Held = { contents: new Set(), byId: new Map(), hasHeader: false };
  for (const event of iterateEvents(db, schema, sessionId)) {
    const row = event.json === null ? null : parseRow(event.json);
    if (row) hold(held, row);
  }
  return held;
}

function hold(held: Held, row: Record<string, unknown>): void {
  if (row['type'] === 'session') {
    held.hasHeader = true;
    return;
  }
  const key = contentKey(row);
  held.contents.add(key);
  if (typeof row['id'] === 'string') {
    const known = held.byId.get(row['id']);
    if (known) known.add(key);
    else held.byId.set(row['id'], new Set([key]));
  }
}

/**
 * Compares a leftover with the store by content and id, never by counts. A row is there when an event has its content, or its
 * id while that id names one row only in the file (an import may repair a row's branch or provider fields under its id).
 * `archives` are files of the same session that hold rows as well.
 */
export function compareLeftover(db: SqliteDatabase, schema: AgentSchema, file: Pick<Leftover, 'path' | 'sessionId' | 'kind'>, archives: readonly string[], onMissing?: (row: Record<string, unknown>, line: number) => void): Leftover {
  const sessionKnown = windowExists(db, schema, file.sessionId);
  const held = heldBySession(db, schema, file.sessionId);
  for (const archive of archives) eachRow(archive, (row) => row && hold(held, row));
  const idsInFile = new Map<string, number>();
  eachRow(file.path, (row) => {
    if (typeof row?.['id'] === 'string') idsInFile.set(row['id'], (idsInFile.get(row['id']) ?? 0) + 1);
  });
  const result: Leftover = { ...file, rowsInFile: 0, missingRows: 0, missingIds: [], unreadableLines: 0, firstTime: null, lastTime: null, sessionKnown, bytes: 0 };
  result.bytes = eachRow(file.path, (row, line) => {
    if (!row) {
      result.unreadableLines++;
      return;
    }
    result.rowsInFile++;
    const id = typeof row['id'] === 'string' ? row['id'] : null;
    if (row['type'] === 'session' && result.rowsInFile === 1) {
      if (held.hasHeader || sessionKnown) return;
    } else if (held.contents.has(contentKey(row)) || (id !== null && held.byId.has(id) && idsInFile.get(id) === 1)) {
      return;
    }
    result.missingRows++;
    onMissing?.(row, line);
    if (id !== null && result.missingIds.length < keptIds) result.missingIds.push(id);
    const time = parseTime(row['timestamp']);
    if (time !== null) {
      result.firstTime = Math.min(result.firstTime ?? time, time);
      result.lastTime = Math.max(result.lastTime ?? time, time);
    }
  });
  return result;
}

function windowExists(db: SqliteDatabase, schema: AgentSchema, sessionId: string): boolean {
  const table = schema.shape === 'entries' ? 'sessions' : 'session_windows';
  if (!schema.tables.has(table)) return false;
  return db.prepare(`SELECT 1 FROM ${table} WHERE session_id = ?`).get(sessionId) !== undefined;
}

function eachRow(path: string, visit: (row: Record<string, unknown> | null, line: number) => void): number {
  return forEachLine(path, (line) => {
    if (line.bytes === 0) return;
    // A byte order mark at the beginning is no part of the row.
    const start = line.number === 1 && line.buffer[line.start] === 0xef && line.buffer[line.start + 1] === 0xbb && line.buffer[line.start + 2] === 0xbf ? line.start + 3 : line.start;
    const text = line.oversized ? '' : line.buffer.toString('utf8', start, line.end).trim();
    if (text === '' && !line.oversized) return;
    visit(line.oversized ? null : parseRow(text), line.number);
  });
}
