import type { SqliteDatabase } from '../../../io/sqlite.ts';
import type { ColdSession, Dangling, DatabaseArchive, LateAppend, SequenceFacts, WindowRow } from './facts.ts';
import type { AgentSchema } from './schema.ts';

type Row = Record<string, unknown>;

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null);

function windowTable(schema: AgentSchema): string | null {
  const table = schema.shape === 'entries' ? 'sessions' : 'session_windows';
  return schema.tables.has(table) ? table : null;
}

/** Raw entries of the index: key, current session id and the entry's JSON text. Streams. */
export function* readNodes(db: SqliteDatabase, schema: AgentSchema): Iterable<{ key: string; sessionId: string | null; json: string; updatedAt: number | null; status: string | null }> {
  if (schema.shape === 'none') return;
  const table = schema.shape === 'nodes' ? 'session_nodes' : 'session_entries';
  const id = schema.shape === 'nodes' ? 'current_session_id' : 'session_id';
  const column = (name: string): string => (schema.nodeColumns.has(name) ? name : 'NULL');
  const rows = db.prepare(`SELECT session_key, ${column(id)} AS id, ${column('entry_json')} AS json, ${column('updated_at')} AS updated, ${column('status')} AS status FROM ${table} ORDER BY session_key`).iterate() as Iterable<Row>;
  for (const row of rows) yield { key: String(row['session_key']), sessionId: text(row['id']), json: text(row['json']) ?? '', updatedAt: number(row['updated']), status: text(row['status']) };
}

/** All windows in the order of their chats and their beginnings. */
export function readWindows(db: SqliteDatabase, schema: AgentSchema): WindowRow[] {
  const table = windowTable(schema);
  if (table === null) return [];
  const column = (name: string): string => (schema.windowColumns.has(name) ? name : 'NULL');
  const currents = new Set<string>();
  for (const node of readNodes(db, schema)) if (node.sessionId !== null) currents.add(node.sessionId);
  // Before schema 14 the chat of a session stands in session_routes.
  const key = schema.windowColumns.has('session_key') ? 'session_key' : schema.tables.has('session_routes') ? `(SELECT r.session_key FROM session_routes r WHERE r.session_id = w.session_id LIMIT 1)` : 'NULL';
  const rows = db
    .prepare(`SELECT session_id, ${key} AS session_key, ${column('previous_session_id')} AS previous, ${column('reason')} AS reason, ${column('created_at')} AS created, ${column('updated_at')} AS updated, ${column('status')} AS status FROM ${table} w ORDER BY 2, created, session_id`)
    .iterate() as Iterable<Row>;
  const windows: WindowRow[] = [];
  for (const row of rows) {
    const sessionId = String(row['session_id']);
    windows.push({
      sessionId,
      sessionKey: text(row['session_key']) ?? '',
      previousSessionId: text(row['previous']),
      reason: text(row['reason']),
      createdAt: number(row['created']),
      updatedAt: number(row['updated']),
      status: text(row['status']),
      current: currents.has(sessionId),
    });
  }
  return windows;
}

export function readArchives(db: SqliteDatabase, schema: AgentSchema): DatabaseArchive[] {
  if (!schema.tables.has('session_transcript_archives')) return [];
  const rows = db
    .prepare('SELECT session_id, generation, session_key, reason, encoding, archive_name, created_at, published_at, length(archive_blob) AS bytes FROM session_transcript_archives ORDER BY created_at, session_id, generation')
    .iterate() as Iterable<Row>;
  const archives: DatabaseArchive[] = [];
  for (const row of rows) {
    archives.push({
      sessionId: String(row['session_id']),
      generation: String(row['generation']),
      sessionKey: String(row['session_key']),
      reason: row['reason'] === 'reset' ? 'reset' : 'deleted',
      encoding: String(row['encoding']),
      name: String(row['archive_name']),
      createdAt: number(row['created_at']) ?? 0,
      publishedAt: number(row['published_at']),
      bytes: number(row['bytes']) ?? 0,
    });
  }
  return archives;
}

export function readColdSessions(db: SqliteDatabase, schema: AgentSchema): ColdSession[] {
  if (!schema.tables.has('session_transcript_cold_archives')) return [];
  const rows = db.prepare('SELECT session_id, event_count, storage, archive_name, archived_at FROM session_transcript_cold_archives ORDER BY session_id').iterate() as Iterable<Row>;
  const cold: ColdSession[] = [];
  for (const row of rows) {
    cold.push({
      sessionId: String(row['session_id']),
      events: number(row['event_count']) ?? 0,
      storage: row['storage'] === 'sqlite' ? 'sqlite' : 'file',
      archiveName: String(row['archive_name']),
      archivedAt: number(row['archived_at']) ?? 0,
    });
  }
  return cold;
}

/** Sessions whose events are not numbered 0…n−1, by the primary key alone. */
export function* sequenceGaps(db: SqliteDatabase, schema: AgentSchema): Iterable<SequenceFacts> {
  if (!schema.tables.has('transcript_events')) return;
  const rows = db
    .prepare('SELECT session_id, count(*) AS events, min(seq) AS first, max(seq) AS last FROM transcript_events GROUP BY session_id HAVING min(seq) <> 0 OR max(seq) <> count(*) - 1')
    .iterate() as Iterable<Row>;
  for (const row of rows) yield { sessionId: String(row['session_id']), events: number(row['events']) ?? 0, first: number(row['first']) ?? 0, last: number(row['last']) ?? 0 };
}

const examples = 20;

/** References that the product's own foreign keys or rules forbid (format notes §1.6), one entry a column that has some. */
export function danglingReferences(db: SqliteDatabase, schema: AgentSchema): Dangling[] {
  const found: Dangling[] = [];
  const ask = (table: string, column: string, needs: string[], sql: string): void => {
    if (![table, ...needs].every((name) => schema.tables.has(name))) return;
    const names: string[] = [];
    let rows = 0;
    for (const row of db.prepare(sql).raw().iterate() as Iterable<[unknown]>) {
      rows++;
      if (names.length < examples) names.push(String(row[0]));
    }
    if (rows > 0) found.push({ table, column, rows, examples: names });
  };
  ask(
    'transcript_event_identities',
    'seq',
    ['transcript_events'],
    `SELECT i.session_id || ' ' || i.event_id FROM transcript_event_identities i
     WHERE NOT EXISTS (SELECT 1 FROM transcript_events e WHERE e.session_id = i.session_id AND e.seq = i.seq)`,
  );
  ask(
    'session_transcript_active_events',
    'event_seq',
    ['transcript_events'],
    `SELECT a.session_id || ' ' || a.event_seq FROM session_transcript_active_events a
     WHERE NOT EXISTS (SELECT 1 FROM transcript_events e WHERE e.session_id = a.session_id AND e.seq = a.event_seq)`,
  );
  if (schema.tables.has('session_windows')) {
    ask(
      'session_nodes',
      'current_session_id',
      ['session_windows'],
      `SELECT n.session_key FROM session_nodes n WHERE NOT EXISTS (SELECT 1 FROM session_windows w WHERE w.session_id = n.current_session_id)`,
    );
  }
  return found;
}

/** Events without a window row, by session; at most 1000 sequence numbers each. */
export function orphanEvents(db: SqliteDatabase, schema: AgentSchema): { sessionId: string; rows: string[] }[] {
  const table = windowTable(schema);
  if (table === null || !schema.tables.has('transcript_events')) return [];
  const ids = db.prepare(`SELECT DISTINCT session_id FROM transcript_events e WHERE NOT EXISTS (SELECT 1 FROM ${table} w WHERE w.session_id = e.session_id)`).raw().all() as [string][];
  const sequence = db.prepare('SELECT seq FROM transcript_events WHERE session_id = ? ORDER BY seq LIMIT 1000').raw();
  return ids.map(([sessionId]) => ({ sessionId, rows: (sequence.all(sessionId) as [number][]).map(([seq]) => String(seq)) }));
}

/**
 * Messages in a window that is not its chat's current one, appended more than `slack` ms after the next window of that chat
 * began (openclaw issue 119220). Forks and switches begin a window without ending the other, so those are left out.
 */
export function* lateAppends(db: SqliteDatabase, schema: AgentSchema, windows: readonly WindowRow[], slack: number): Iterable<LateAppend> {
  if (!schema.eventColumns.has('created_at') || !schema.tables.has('transcript_event_identities')) return;
  // An event that was written past the product may have no identity row; then it is asked itself.
  const own = (path: string): string => `CASE WHEN json_valid(e.event_json) THEN json_extract(e.event_json, '${path}') END`;
  const late = db.prepare(
    `SELECT coalesce(i.event_id, ${own('$.id')}, 'seq ' || e.seq), e.created_at FROM transcript_events e LEFT JOIN transcript_event_identities i ON i.session_id = e.session_id AND i.seq = e.seq
     WHERE e.session_id = ? AND e.created_at > ? AND coalesce(i.event_type, ${own('$.type')}) = 'message' ORDER BY e.seq LIMIT 1000`,
  ).raw();
  const newest = db.prepare('SELECT created_at FROM transcript_events WHERE session_id = ? ORDER BY seq DESC LIMIT 1').pluck();
  for (let i = 0; i + 1 < windows.length; i++) {
    const window = windows[i]!;
    const next = windows[i + 1]!;
    if (next.sessionKey !== window.sessionKey || window.sessionKey === '' || window.current || next.createdAt === null) continue;
    if (next.reason !== null && ['fork', 'switch', 'rewind'].includes(next.reason)) continue;
    const last = number(newest.get(window.sessionId));
    if (last === null || last <= next.createdAt + slack) continue;
    const rows = late.all(window.sessionId, next.createdAt + slack) as [string, number][];
    const lastRow = rows.at(-1);
    if (lastRow) yield { sessionId: window.sessionId, sessionKey: window.sessionKey, nextSessionId: next.sessionId, nextCreatedAt: next.createdAt, rows: rows.map(([id]) => id), lastTime: lastRow[1] };
  }
}
