import { quoteName } from '../io/sqlite-cells.ts';
import type { SqliteDatabase } from '../io/sqlite.ts';

/** How a table's rows are named: by rowid, or by primary key where it has none. */
export type TableShape = {
  name: string;
  /** Stored columns, in order; generated ones are left out. */
  columns: string[];
  /** `rowid` under a name that no column hides, or null for a WITHOUT ROWID table. */
  rowid: string | null;
  /** Primary key columns of a WITHOUT ROWID table. */
  key: string[];
};

/** The ordinary tables of a database: no views, no virtual tables, no tables that belong to one, none of SQLite's own. */
export function tableShapes(db: SqliteDatabase): Map<string, TableShape> {
  const tables = db
    .prepare<[], { name: string; wr: bigint | number }>("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .all();
  const shapes = new Map<string, TableShape>();
  for (const { name, wr } of tables) {
    const columns = db.prepare<[string], { name: string; pk: bigint | number; hidden: bigint | number }>('SELECT name, pk, hidden FROM pragma_table_xinfo(?)').all(name);
    const stored = columns.filter((column) => Number(column.hidden) === 0).map((column) => column.name);
    const lower = new Set(columns.map((column) => column.name.toLowerCase()));
    const alias = ['rowid', '_rowid_', 'oid'].find((candidate) => !lower.has(candidate));
    const key = columns.filter((column) => Number(column.pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk)).map((column) => column.name);
    const withoutRowid = Number(wr) === 1 || alias === undefined;
    shapes.set(name, { name, columns: stored, rowid: withoutRowid ? null : (alias ?? null), key });
  }
  return shapes;
}

/** Expressions that name a row of `shape`; `from` is a prefix such as `old.`. */
export function keyExpressions(shape: TableShape, from = ''): string[] {
  return shape.rowid === null ? shape.key.map((column) => `${from}${quoteName(column)}`) : [`${from}${shape.rowid}`];
}
