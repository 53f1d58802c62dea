import type { SqliteDatabase } from '../../io/sqlite.ts';
import type { Columns } from './columns.ts';
import { callIdOf } from './message-columns.ts';
import { lenientJson } from './session-rows.ts';
import type { OrphanGroup } from './types.ts';

/** Session ids that a table names, by id: one seek each on an index that leads with `session_id`. */
export function* sessionIdsOf(db: SqliteDatabase, table: string): Iterable<string> {
  const next = db.prepare<[string], string | null>(`SELECT min(session_id) FROM ${table} WHERE session_id > ?`).pluck();
  const first = db.prepare<[], string | null>(`SELECT min(session_id) FROM ${table}`).pluck().get();
  for (let id = first; id !== null && id !== undefined; id = next.get(id)) yield id;
}

/** Rows of messages and of usage that name a session without a row. */
export function readOrphans(db: SqliteDatabase, columns: Columns, known: (id: string) => boolean): OrphanGroup[] {
  const groups = new Map<string, OrphanGroup>();
  const group = (sessionId: string): OrphanGroup => {
    const existing = groups.get(sessionId);
    if (existing) return existing;
    const made: OrphanGroup = { sessionId, rows: [], messages: 0, usageRows: 0 };
    groups.set(sessionId, made);
    return made;
  };
  if (columns.messages.has('session_id')) {
    const rows = db.prepare<[string], number>(`SELECT id FROM ${columns.idSource} WHERE session_id = ? ORDER BY id`).pluck();
    for (const id of [...sessionIdsOf(db, columns.idSource)].filter((candidate) => !known(candidate))) {
      const found = group(id);
      for (const row of rows.iterate(id)) {
        found.messages++;
        if (found.rows.length < 1000) found.rows.push(row);
      }
    }
  }
  if (columns.tables.has('session_model_usage')) {
    const size = db.prepare<[string], number>('SELECT count(*) FROM session_model_usage WHERE session_id = ?').pluck();
    for (const id of [...sessionIdsOf(db, 'session_model_usage')].filter((candidate) => !known(candidate))) group(id).usageRows = size.get(id) ?? 0;
  }
  return [...groups.values()].sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
}

const jsonPrefix = '\u0000json:';

function plain(value: unknown): string {
  return typeof value === 'string' && !value.startsWith(jsonPrefix) ? value : '';
}

/** Paragraph by paragraph: whether `inner` stands inside `outer` between blank lines, markers or the ends of the text. */
export function standsWithin(inner: string, outer: string): boolean {
  const needle = inner.trim();
  if (needle === '') return false;
  for (let at = outer.indexOf(needle); at !== -1; at = outer.indexOf(needle, at + 1)) {
    const before = outer.slice(Math.max(0, at - 200), at);
    const after = outer.slice(at + needle.length, at + needle.length + 200);
    // A stamp such as `[Tue 14:02] ` may stand before the words of a person.
    const opens = /(^|\n[ \t]*\n|(\]|---)\s*)$/.test(before) || before.trim() === '';
    const closes = /^\s*($|\n[ \t]*\n|\[|---)/.test(after) || after.trim() === '';
    if (opens && closes) return true;
  }
  return false;
}

/** Of `rows`, those whose text stands inside one of `holders` (see HermesSnapshot.textsWithin). */
export function textsWithin(db: SqliteDatabase, rows: readonly number[], holders: readonly number[]): Set<number> {
  const content = db.prepare<[number], unknown>('SELECT content FROM messages WHERE id = ?').pluck();
  const wanted = new Map(rows.map((row) => [row, plain(content.get(row))]));
  const found = new Set<number>();
  for (const holder of holders) {
    const outer = plain(content.get(holder));
    if (outer === '') continue;
    for (const [row, inner] of wanted) {
      if (!found.has(row) && row !== holder && inner.length <= outer.length && standsWithin(inner, outer)) found.add(row);
    }
  }
  return found;
}

/** Ids of the calls that a row declares; empty when `tool_calls` cannot be read. */
export function toolCallIds(db: SqliteDatabase, row: number): string[] {
  const source = db.prepare<[number], unknown>('SELECT tool_calls FROM messages WHERE id = ?').pluck().get(row);
  const parsed = typeof source === 'string' ? lenientJson(source) : undefined;
  return Array.isArray(parsed) ? parsed.map(callIdOf).filter((id) => id !== '') : [];
}

/** Of `rows`, those that `sessionId` holds as well: same role, time and text. */
export function clonedInto(db: SqliteDatabase, sessionId: string, rows: readonly number[]): Set<number> {
  const clone = db.prepare<[string, number], number>(
    'SELECT 1 FROM messages o JOIN messages c ON c.session_id = ? AND c.timestamp = o.timestamp AND c.role = o.role AND c.content IS o.content WHERE o.id = ? LIMIT 1',
  ).pluck();
  return new Set(rows.filter((row) => clone.get(sessionId, row) === 1));
}
