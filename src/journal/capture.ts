import { createHash } from 'node:crypto';
import { quoteName, storeCell, type Bound, type StoredCell } from '../io/sqlite-cells.ts';
import type { SqliteDatabase } from '../io/sqlite.ts';
import { keyExpressions, type TableShape } from './schema.ts';

/** One row change as it happened, with what takes it back. */
export type RowChange = {
  table: string;
  op: 'insert' | 'update' | 'delete';
  /** Rowid (or primary key) before; of an insert: the new one. */
  key: StoredCell[];
  /** Only where an update moved the row. */
  newKey?: StoredCell[];
  /** Columns that changed (update) or all of them (delete), with their old values. */
  old?: { [column: string]: StoredCell };
  /** sha256 of the same columns' new values (update), or of all of them (insert): what must still be there to take it back. */
  after?: string;
};

const captureTable = 'sessionfsck_changes';

/** Hash of values in column order; binds an undo to what was written. */
export function hashCells(cells: readonly StoredCell[]): string {
  return createHash('sha256').update(JSON.stringify(cells)).digest('hex').slice(0, 32);
}

/**
 * Records every row change of this connection, also those that the store's own triggers make, in a temporary table.
 * Temporary triggers see all of them; the store's schema is not touched.
 */
export function startCapture(db: SqliteDatabase, shapes: ReadonlyMap<string, TableShape>): void {
  const width = Math.max(1, ...[...shapes.values()].map((shape) => shape.columns.length));
  const keyWidth = Math.max(1, ...[...shapes.values()].map((shape) => keyExpressions(shape).length));
  const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  db.exec(`CREATE TEMP TABLE ${captureTable} (n INTEGER PRIMARY KEY, t TEXT, op TEXT, mask TEXT, ${[...names('k', keyWidth), ...names('j', keyWidth), ...names('o', width), ...names('w', width)].join(', ')})`);
  let index = 0;
  for (const shape of shapes.values()) {
    index++;
    const columns = shape.columns.map(quoteName);
    const oldKeys = keyExpressions(shape, 'old.');
    const newKeys = keyExpressions(shape, 'new.');
    const name = `'${shape.name.replaceAll("'", "''")}'`;
    const differs = columns.map((column) => `(old.${column} IS NOT new.${column} COLLATE BINARY OR typeof(old.${column}) <> typeof(new.${column}))`);
    const into = (op: string, mask: string, parts: [string, string][]): string =>
      `INSERT INTO ${captureTable} (t, op, mask, ${parts.map(([column]) => column).join(', ')}) VALUES (${name}, '${op}', ${mask}, ${parts.map(([, value]) => value).join(', ')});`;
    const keyed = (values: string[], prefix: string): [string, string][] => values.map((value, position) => [`${prefix}${position}`, value]);
    const all = (side: string, prefix: string): [string, string][] => columns.map((column, position) => [`${prefix}${position}`, `${side}.${column}`]);
    const changed = (side: string, prefix: string): [string, string][] =>
      columns.map((column, position) => [`${prefix}${position}`, `CASE WHEN ${differs[position]} THEN ${side}.${column} END`]);
    const mask = differs.map((test) => `CASE WHEN ${test} THEN '1' ELSE '0' END`).join(' || ') || "''";
    const target = quoteName(shape.name);
    db.exec(`
      CREATE TEMP TRIGGER sessionfsck_i${index} AFTER INSERT ON main.${target} BEGIN ${into('insert', "''", [...keyed(newKeys, 'k'), ...all('new', 'w')])} END;
      CREATE TEMP TRIGGER sessionfsck_d${index} AFTER DELETE ON main.${target} BEGIN ${into('delete', "''", [...keyed(oldKeys, 'k'), ...all('old', 'o')])} END;
      CREATE TEMP TRIGGER sessionfsck_u${index} AFTER UPDATE ON main.${target} BEGIN ${into('update', mask, [...keyed(oldKeys, 'k'), ...keyed(newKeys, 'j'), ...changed('old', 'o'), ...changed('new', 'w')])} END;`);
  }
}

/** Reads one expression so that its storage class and its exact bytes are kept. */
export function exact(expression: string): string {
  return `typeof(${expression}), CASE typeof(${expression}) WHEN 'text' THEN CAST(${expression} AS BLOB) ELSE ${expression} END`;
}

/** Turns the pairs that `exact` gives into stored cells. */
export function pairs(values: readonly unknown[], from: number, count: number): StoredCell[] {
  const cells: StoredCell[] = [];
  for (let index = 0; index < count; index++) cells.push(storeCell(String(values[from + index * 2]), values[from + index * 2 + 1] as Bound));
  return cells;
}

/** How many rows each table gained and lost so far. */
export function capturedCounts(db: SqliteDatabase): Map<string, { inserted: number; updated: number; deleted: number }> {
  const counts = new Map<string, { inserted: number; updated: number; deleted: number }>();
  const rows = db.prepare<[], { t: string; op: string; c: number | bigint }>(`SELECT t, op, count(*) AS c FROM ${captureTable} GROUP BY t, op`).all();
  for (const { t, op, c } of rows) {
    const entry = counts.get(t) ?? { inserted: 0, updated: 0, deleted: 0 };
    if (op === 'insert') entry.inserted = Number(c);
    else if (op === 'delete') entry.deleted = Number(c);
    else entry.updated = Number(c);
    counts.set(t, entry);
  }
  return counts;
}

/** The recorded changes in the order in which they happened, streamed. */
export function* capturedChanges(db: SqliteDatabase, shapes: ReadonlyMap<string, TableShape>): Iterable<RowChange> {
  const statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>();
  // Row by row with a fresh read each: an open iterator would block every other statement of the connection.
  const next = db.prepare<[bigint | number], { n: bigint | number; t: string; op: RowChange['op']; mask: string }>(`SELECT n, t, op, mask FROM ${captureTable} WHERE n > ? ORDER BY n LIMIT 1`);
  let position: bigint | number = 0;
  for (;;) {
    const row = next.get(position);
    if (!row) return;
    position = row.n;
    const shape = shapes.get(row.t);
    if (!shape) throw new Error(`a change of an unknown table ${row.t} was recorded`);
    const keyCount = keyExpressions(shape).length;
    const width = shape.columns.length;
    let statement = statements.get(row.t);
    if (!statement) {
      const list = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => exact(`${prefix}${index}`));
      statement = db.prepare(`SELECT ${[...list('k', keyCount), ...list('j', keyCount), ...list('o', width), ...list('w', width)].join(', ')} FROM ${captureTable} WHERE n = ?`).raw(true).safeIntegers(true);
      statements.set(row.t, statement);
    }
    const values = statement.get(row.n) as unknown[];
    const key = pairs(values, 0, keyCount);
    const moved = pairs(values, keyCount * 2, keyCount);
    const old = pairs(values, keyCount * 4, width);
    const fresh = pairs(values, keyCount * 4 + width * 2, width);
    switch (row.op) {
      case 'insert':
        yield { table: row.t, op: 'insert', key, after: hashCells(fresh) };
        break;
      case 'delete':
        yield { table: row.t, op: 'delete', key, old: Object.fromEntries(shape.columns.map((column, index) => [column, old[index] ?? null])) };
        break;
      case 'update': {
        const places = shape.columns.map((_, index) => index).filter((index) => row.mask[index] === '1');
        if (places.length === 0 && JSON.stringify(key) === JSON.stringify(moved)) break;
        const change: RowChange = {
          table: row.t,
          op: 'update',
          key,
          old: Object.fromEntries(places.map((index) => [shape.columns[index] ?? '', old[index] ?? null])),
          after: hashCells(places.map((index) => fresh[index] ?? null)),
        };
        if (JSON.stringify(key) !== JSON.stringify(moved)) change.newKey = moved;
        yield change;
        break;
      }
    }
  }
}
