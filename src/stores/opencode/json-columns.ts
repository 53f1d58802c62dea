import type { SqliteDatabase } from '../../io/sqlite.ts';
import { text, textOrNull, type Tables } from './tables.ts';
import { listLimit, type InvalidJson } from './types.ts';

type JsonColumn = { table: string; column: string; session: string | null; row: string };

/** JSON columns whose rows are few or short. */
const narrow: JsonColumn[] = [
  ...['revert', 'permission', 'metadata', 'model', 'prompt'].map((column) => ({ table: 'session', column, session: 'id', row: 'id' })),
  { table: 'project', column: 'sandboxes', session: null, row: 'id' },
  { table: 'project', column: 'commands', session: null, row: 'id' },
  { table: 'external_import', column: 'message_ids', session: 'session_id', row: 'source_key' },
  { table: 'inbox', column: 'content', session: 'receiver_session_id', row: 'id' },
  { table: 'turn_receipt', column: 'intent', session: 'session_id', row: 'id' },
  { table: 'turn_legacy_bootstrap', column: 'message_ids', session: 'session_id', row: 'session_id' },
];

/** JSON columns that hold most of a store's bytes. */
const wide: JsonColumn[] = [
  { table: 'message', column: 'data', session: 'session_id', row: 'id' },
  { table: 'part', column: 'data', session: 'session_id', row: 'id' },
  { table: 'session', column: 'summary_diffs', session: 'id', row: 'id' },
  { table: 'session_message', column: 'data', session: 'session_id', row: 'id' },
  { table: 'event', column: 'data', session: 'aggregate_id', row: 'id' },
];

/** Rows whose JSON columns are not JSON, by column and session; the wide columns only when `deep`. */
export function readInvalidJson(db: SqliteDatabase, tables: Tables, deep: boolean): InvalidJson[] {
  const groups = new Map<string, InvalidJson>();
  for (const { table, column, session, row } of deep ? [...narrow, ...wide] : narrow) {
    if (!tables.has(table, column, row) || (session !== null && !tables.has(table, session))) continue;
    const statement = db.prepare<[], unknown[]>(`SELECT ${session ?? 'NULL'}, ${row} FROM ${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column})`).raw();
    for (const [owner, id] of statement.iterate()) {
      const sessionId = textOrNull(owner);
      const key = `${table} ${column} ${sessionId ?? ''}`;
      const group = groups.get(key) ?? { table, column, sessionId, rows: [], count: 0 };
      groups.set(key, group);
      group.count++;
      if (group.rows.length < listLimit) group.rows.push(text(id));
    }
  }
  return [...groups.values()];
}
