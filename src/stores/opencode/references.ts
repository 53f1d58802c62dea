import type { SqliteDatabase } from '../../io/sqlite.ts';
import { field, text, type Tables } from './tables.ts';
import { listLimit, type DanglingIds } from './types.ts';

type Reference = { table: string; column: string; row: string; value: string; target: 'message' | 'session' | 'project'; wide?: boolean; list?: boolean };

const columns = (table: string, row: string, target: Reference['target'], names: string[]): Reference[] => names.map((column) => ({ table, column, row, value: column, target }));

/** Every stored id that is no foreign key (opencode format notes §4). */
const references: Reference[] = [
  ...columns('session', 'id', 'project', ['project_id']),
  ...columns('session', 'id', 'session', ['context_from', 'fork_session_id']),
  ...columns('session', 'id', 'message', ['context_watermark', 'last_checkpoint_message_id', 'fork_message_id']),
  { table: 'session', column: 'revert', row: 'id', value: field('revert', '$.messageID'), target: 'message' },
  ...columns('actor_registry', 'session_id', 'message', ['context_watermark']),
  ...columns('session_prefix_snapshot', 'session_id', 'message', ['watermark_message_id']),
  ...columns('turn_lane_state', 'session_id', 'message', ['consumed_frontier']),
  ...columns('turn_receipt', 'id', 'message', ['claim_frontier', 'message_id', 'delivery_message_id']),
  ...columns('external_import', 'source_key', 'session', ['session_id']),
  { table: 'external_import', column: 'message_ids', row: 'source_key', value: 'message_ids', target: 'message', list: true },
  { table: 'turn_legacy_bootstrap', column: 'message_ids', row: 'session_id', value: 'message_ids', target: 'message', list: true },
  { table: 'message', column: 'data', row: 'id', value: field('data', '$.parentID'), target: 'message', wide: true },
  { table: 'part', column: 'data', row: 'id', value: `CASE WHEN ${field('data', '$.type')} = 'compaction' THEN ${field('data', '$.tail_start_id')} WHEN ${field('data', '$.type')} = 'checkpoint' THEN ${field('data', '$.coveredUpTo')} END`, target: 'message', wide: true },
];

const fields: { [key: string]: string } = { 'message.data': 'message.data.parentID', 'part.data': 'part.data.tail_start_id/coveredUpTo', 'session.revert': 'session.revert.messageID' };

/** Stored ids without a row, by column; those inside wide JSON only when `thorough`. Values that look like no id are left alone. */
export function readDangling(db: SqliteDatabase, tables: Tables, thorough: boolean): DanglingIds[] {
  const found: DanglingIds[] = [];
  for (const { table, column, row, value, target, wide, list } of references) {
    if ((wide && !thorough) || !tables.has(table, column, row) || !tables.has(target, 'id')) continue;
    const source = list
      ? `SELECT t."${row}" AS holder, j.value AS named FROM "${table}" t, json_each(CASE WHEN json_valid(t."${column}") THEN t."${column}" ELSE '[]' END) j`
      : `SELECT "${row}" AS holder, ${value} AS named FROM "${table}"`;
    const looksRight = target === 'message' ? "named LIKE 'msg%'" : target === 'session' ? "named LIKE 'ses%'" : "named <> ''";
    const statement = db.prepare<[], unknown[]>(`SELECT holder, named FROM (${source}) WHERE named IS NOT NULL AND ${looksRight} AND NOT EXISTS (SELECT 1 FROM "${target}" x WHERE x.id = named)`).raw();
    const name = `${table}.${column}`;
    const group: DanglingIds = { column: fields[name] ?? name, rows: [], missing: [], count: 0 };
    const rows = new Set<string>();
    const missing = new Set<string>();
    for (const [holder, named] of statement.iterate()) {
      group.count++;
      if (rows.size < listLimit) rows.add(text(holder));
      if (missing.size < listLimit) missing.add(text(named));
    }
    if (group.count > 0) found.push({ ...group, rows: [...rows], missing: [...missing] });
  }
  return found;
}
