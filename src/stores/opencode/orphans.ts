import type { SqliteDatabase } from '../../io/sqlite.ts';
import { text, type Tables } from './tables.ts';
import { listLimit, type Orphans, type SessionRow, type SessionSpan } from './types.ts';

/** SQL that names the parts' messages which have no row; both sides on indexes. */
export const partOrphanSql = 'SELECT DISTINCT message_id FROM part p WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.id = p.message_id)';

function childTables(db: SqliteDatabase, tables: Tables): { table: string; column: string }[] {
  const children: { table: string; column: string }[] = [];
  for (const table of tables.names) {
    if (table === 'message' || table === 'part' || table === 'session') continue;
    for (const key of db.prepare<[string], { table: string; from: string; to: string | null }>('SELECT "table", "from", "to" FROM pragma_foreign_key_list(?)').all(table)) {
      if (key.table === 'session' && (key.to === null || key.to === 'id') && tables.has(table, key.from)) children.push({ table, column: key.from });
    }
  }
  return children;
}

/** Messages, parts and other rows whose session or message row is gone, one group a missing parent. */
export function readOrphans(db: SqliteDatabase, tables: Tables, sessions: ReadonlyMap<string, SessionRow>, spans: Iterable<SessionSpan>): Orphans[] {
  const groups = new Map<string, Orphans>();
  const group = (parentTable: Orphans['parentTable'], missing: string, sessionId: string): Orphans => {
    const key = `${parentTable} ${missing}`;
    const known = groups.get(key) ?? { parentTable, missing, sessionId, rows: [], tables: {} };
    groups.set(key, known);
    return known;
  };
  if (!tables.has('session', 'id') || !tables.has('message', 'id', 'session_id', 'time_created')) return [];
  const idsOf = db.prepare<[string, number], string>('SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id LIMIT ?').pluck();
  const countOf = db.prepare<[string], number>('SELECT count(*) FROM message WHERE session_id = ?').pluck();
  for (const { sessionId } of spans) {
    if (sessions.has(sessionId)) continue;
    const orphans = group('session', sessionId, sessionId);
    orphans.rows.push(...idsOf.all(sessionId, listLimit).map(text));
    orphans.tables.message = countOf.get(sessionId) ?? 0;
  }
  for (const { table, column } of childTables(db, tables)) {
    const statement = db.prepare<[], unknown[]>(`SELECT "${column}", count(*) FROM "${table}" WHERE "${column}" IS NOT NULL AND "${column}" NOT IN (SELECT id FROM session) GROUP BY 1`).raw();
    for (const [id, count] of statement.all()) group('session', text(id), text(id)).tables[table] = Number(count);
  }
  if (tables.has('part', 'id', 'message_id', 'session_id') && tables.has('message', 'id')) {
    const parts = db.prepare<[unknown], unknown[]>('SELECT id, session_id FROM part WHERE message_id = ? ORDER BY id').raw();
    for (const missing of db.prepare<[], unknown>(partOrphanSql).pluck().all()) {
      const rows = parts.all(missing);
      const orphans = group('message', text(missing), text(rows[0]?.[1]));
      orphans.rows.push(...rows.slice(0, listLimit).map(([id]) => text(id)));
      orphans.tables.part = rows.length;
    }
  }
  return [...groups.values()];
}
