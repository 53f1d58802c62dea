import type { SqliteDatabase } from '../../io/sqlite.ts';
import { number, text, textOrNull, type Tables } from './tables.ts';
import type { RevertPoint, SessionRow, SessionSpan } from './types.ts';

/** Every row of `session`, narrow, by id. */
export function readSessions(db: SqliteDatabase, tables: Tables): Map<string, SessionRow> {
  const rows = new Map<string, SessionRow>();
  if (!tables.has('session', 'id')) return rows;
  const column = (name: string, table = 'session'): string => (tables.has(table, name) ? name : 'NULL');
  const names = ['id', 'parent_id', 'project_id', 'version', 'time_created', 'time_updated', 'time_archived', 'revert'];
  const statement = db.prepare<[], unknown[]>(`SELECT ${names.map((name) => column(name)).join(', ')} FROM session`).raw();
  for (const [id, parent, project, version, created, updated, archived, revert] of statement.iterate()) {
    const raw = textOrNull(revert);
    rows.set(text(id), {
      id: text(id),
      parentId: textOrNull(parent),
      projectId: textOrNull(project),
      version: text(version),
      created: number(created),
      updated: number(updated),
      archived: archived === null || archived === undefined ? null : number(archived),
      revert: parseRevert(raw),
      revertRaw: raw,
    });
  }
  return rows;
}

/** The title of one session; null without the column, the row or a title. */
export function readTitle(db: SqliteDatabase, tables: Tables, sessionId: string): string | null {
  if (!tables.has('session', 'id', 'title')) return null;
  return textOrNull(db.prepare<[string], unknown>('SELECT title FROM session WHERE id = ?').pluck().get(sessionId)) || null;
}

function parseRevert(raw: string | null): RevertPoint | null {
  if (raw === null) return null;
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value !== 'object' || value === null || !('messageID' in value) || typeof value.messageID !== 'string') return null;
    return { messageId: value.messageID, partId: 'partID' in value && typeof value.partID === 'string' ? value.partID : null };
  } catch {
    return null;
  }
}

/** SQL of `spanRows`: one seek a session to the next session id, and two seeks for its ends. */
export const spanSql = `
WITH RECURSIVE s(id) AS (
  SELECT min(session_id) FROM message
  UNION ALL
  SELECT (SELECT min(session_id) FROM message WHERE session_id > s.id) FROM s WHERE s.id IS NOT NULL
)
SELECT s.id, a.id, a.time_created, z.id, z.time_created
FROM s
JOIN message a ON a.rowid = (SELECT rowid FROM message WHERE session_id = s.id ORDER BY time_created, id LIMIT 1)
JOIN message z ON z.rowid = (SELECT rowid FROM message WHERE session_id = s.id ORDER BY time_created DESC, id DESC LIMIT 1)
WHERE s.id IS NOT NULL`;

/** The first and the last row of every session that has messages, whether its session row exists or not. */
export function* spanRows(db: SqliteDatabase, tables: Tables): Iterable<SessionSpan> {
  if (!tables.has('message', 'id', 'session_id', 'time_created')) return;
  for (const [sessionId, firstId, firstTime, lastId, lastTime] of db.prepare<[], unknown[]>(spanSql).raw().iterate()) {
    yield { sessionId: text(sessionId), firstId: text(firstId), firstTime: number(firstTime), lastId: text(lastId), lastTime: number(lastTime) };
  }
}
