import type { SqliteDatabase } from '../../io/sqlite.ts';
import { text, textOrNull, type Tables } from './tables.ts';
import type { IdUse, RepairFacts } from './types.ts';

/** Who else keeps ids of a session: a workspace, a share page, an event log that another host owns, an importer. */
export function readRepairFacts(db: SqliteDatabase, tables: Tables, sessionId: string): RepairFacts {
  const one = (table: string, column: string, key: string): string | null =>
    tables.has(table, column, key) ? textOrNull(db.prepare<[string], unknown>(`SELECT ${column} FROM ${table} WHERE ${key} = ? AND ${column} IS NOT NULL LIMIT 1`).pluck().get(sessionId)) : null;
  return {
    workspaceId: one('session', 'workspace_id', 'id'),
    eventOwner: one('event_sequence', 'owner_id', 'aggregate_id'),
    shared: one('session_share', 'id', 'session_id') !== null || one('session', 'share_url', 'id') !== null,
    importSources: tables.has('external_import', 'source', 'session_id') ? db.prepare<[string], unknown>('SELECT DISTINCT source FROM external_import WHERE session_id = ? ORDER BY source').pluck().all(sessionId).map(text) : [],
  };
}

/** Part ids of a message in order of id, which is the order that every reader shows them in. */
export function readPartIds(db: SqliteDatabase, tables: Tables, messageId: string): string[] {
  if (!tables.has('part', 'id', 'message_id')) return [];
  return db.prepare<[string], unknown>('SELECT id FROM part WHERE message_id = ? ORDER BY id').pluck().all(messageId).map(text);
}

const token = /[A-Za-z]+_[A-Za-z0-9-]+/g;
const idHint = 'msg_';

/** The column that ties a table's rows to a session, or null for a table that is looked at whole. */
function sessionColumn(tables: Tables, table: string): string | null {
  if (table === 'session') return 'id';
  if (table === 'event' || table === 'event_sequence') return 'aggregate_id';
  return tables.has(table, 'session_id') ? 'session_id' : null;
}

/**
 * Every place of the database where one of `ids` stands, apart from the text of the event log's rows: whole cells, strings in
 * JSON (with the path, `*` for array items), or inside longer texts. Rows of other sessions are not looked at in tables that
 * belong to a session.
 */
export function readIdUses(db: SqliteDatabase, tables: Tables, sessionId: string, ids: ReadonlySet<string>): IdUse[] {
  const uses = new Map<string, IdUse>();
  const add = (table: string, column: string, path: string[], whole: boolean): void => {
    const key = JSON.stringify([table, column, path, whole]);
    const known = uses.get(key);
    if (known) known.count++;
    else uses.set(key, { table, column, path, whole, count: 1 });
  };
  const ordinary = db.prepare<[], unknown>("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'").pluck().all().map(text);
  for (const table of ordinary.sort()) {
    const scope = sessionColumn(tables, table);
    for (const column of db.prepare<[string], unknown>('SELECT name FROM pragma_table_info(?)').pluck().all(table).map(text)) {
      if (table === 'event' && column === 'data') continue;
      const [name, from] = [quote(column), quote(table)];
      const statement = db.prepare<unknown[], unknown>(`SELECT ${name} FROM ${from} WHERE typeof(${name}) = 'text' AND instr(${name}, '${idHint}') > 0${scope === null ? '' : ` AND ${quote(scope)} = ?`}`).pluck();
      for (const value of statement.iterate(...(scope === null ? [] : [sessionId]))) visit(parsed(text(value)), [], (path, whole) => add(table, column, path, whole), ids);
    }
  }
  return [...uses.values()];
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function parsed(value: string): unknown {
  if (!/^\s*[[{"]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function visit(value: unknown, path: string[], report: (path: string[], whole: boolean) => void, ids: ReadonlySet<string>): void {
  if (typeof value === 'string') {
    if (ids.has(value)) report(path, true);
    else if (value.match(token)?.some((word) => ids.has(word))) report(path, false);
  } else if (Array.isArray(value)) {
    for (const item of value) visit(item, [...path, '*'], report, ids);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) visit(item, [...path, key], report, ids);
  }
}
