import { faultPoint } from '../io/faults.ts';
import { editJson } from '../io/json-edit.ts';
import { bindCell, quoteName } from '../io/sqlite-cells.ts';
import type { SqliteDatabase } from '../io/sqlite.ts';
import { RefusedError } from '../model/errors.ts';
import type { Json } from '../model/finding.ts';
import type { Action, JsonEdit, MappedColumn } from '../model/step.ts';

type MapAction = Extract<Action, { kind: 'map-ids' }>;

const again = 'make a new plan';
const mapTable = 'sessionfsck_ids';

/** The places in a parsed JSON text that `path` names (`*`: every item) and that hold an id of the mapping. */
function mappedPlaces(value: unknown, path: readonly (string | number)[], mapping: ReadonlyMap<string, string>, at: (string | number)[] = []): JsonEdit[] {
  const [part, ...rest] = path;
  if (part === undefined) {
    const after = typeof value === 'string' ? mapping.get(value) : undefined;
    return after === undefined ? [] : [{ op: 'set', path: at, before: value as Json, after }];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    if (part === '*') return value.flatMap((item, index) => mappedPlaces(item, rest, mapping, [...at, index]));
    return typeof part === 'number' ? mappedPlaces(value[part], rest, mapping, [...at, part]) : [];
  }
  const member = Object.entries(value).find(([key]) => key === part);
  return member ? mappedPlaces(member[1], rest, mapping, [...at, member[0]]) : [];
}

function mapJson(text: string, path: readonly (string | number)[], mapping: ReadonlyMap<string, string>, where: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const edits = mappedPlaces(value, path, mapping);
  return edits.length === 0 ? text : editJson(text, edits, where);
}

function mapEmbedded(text: string, mapping: ReadonlyMap<string, string>): string {
  return text.replace(/[A-Za-z]+_[A-Za-z0-9-]+/g, (token) => mapping.get(token) ?? token);
}

/**
 * Renames ids in every named column, in one pass over each. New ids may neither be old ones nor stand in a plain column
 * already; afterwards no old id is left in any of them. Throws RefusedError.
 */
export function mapIds(context: { db: SqliteDatabase; path: string }, action: MapAction): void {
  const { db } = context;
  const mapping = new Map(Object.entries(action.mapping));
  const targets = new Set(mapping.values());
  if (targets.size !== mapping.size) throw new RefusedError('two ids would become the same one', again);
  for (const id of targets) if (mapping.has(id)) throw new RefusedError(`${id} is both an old and a new id`, again);
  db.exec(`CREATE TEMP TABLE IF NOT EXISTS ${mapTable} (old TEXT PRIMARY KEY, new TEXT NOT NULL UNIQUE) WITHOUT ROWID; DELETE FROM ${mapTable};`);
  const add = db.prepare(`INSERT INTO ${mapTable} (old, new) VALUES (?, ?)`);
  for (const [old, fresh] of mapping) add.run(old, fresh);
  registerFunctions(db, mapping);
  for (const column of action.columns) mapColumn(context, column);
  for (const column of action.columns) requireNone(context, column);
  db.exec(`DELETE FROM ${mapTable}`);
}

/** Only for the statements below: SQLite calls back for each text that may hold an id. */
function registerFunctions(db: SqliteDatabase, mapping: ReadonlyMap<string, string>): void {
  const options = { deterministic: true, directOnly: true };
  db.function('sessionfsck_map_json', options, (text: unknown, path: unknown) => (typeof text === 'string' ? mapJson(text, JSON.parse(String(path)), mapping, 'a JSON cell') : text));
  db.function('sessionfsck_map_embedded', options, (text: unknown) => (typeof text === 'string' ? mapEmbedded(text, mapping) : text));
}

function condition(column: MappedColumn): { sql: string; values: (string | number | bigint | Buffer | null)[] } {
  const entries = Object.entries(column.where ?? {});
  return {
    sql: entries.map(([name]) => ` AND ${quoteName(name)} IS ?`).join(''),
    values: entries.map(([, cell]) => bindCell(cell)),
  };
}

function mapColumn(context: { db: SqliteDatabase; path: string }, column: MappedColumn): void {
  const { db } = context;
  const table = quoteName(column.table);
  const name = quoteName(column.column);
  const where = condition(column);
  faultPoint('statement', context.path);
  if (column.path !== undefined) {
    const path = JSON.stringify(column.path);
    // The last member name on the path must occur in the text at all: spares parsing the others.
    const lastName = [...column.path].reverse().find((part): part is string => typeof part === 'string' && part !== '*');
    const hint = lastName === undefined ? '' : ` AND instr(${name}, ?) > 0`;
    db.prepare(`UPDATE ${table} SET ${name} = sessionfsck_map_json(${name}, ?) WHERE typeof(${name}) = 'text'${where.sql}${hint} AND sessionfsck_map_json(${name}, ?) IS NOT ${name}`).run(
      path,
      ...where.values,
      ...(lastName === undefined ? [] : [JSON.stringify(lastName)]),
      path,
    );
  } else if (column.embedded) {
    db.prepare(`UPDATE ${table} SET ${name} = sessionfsck_map_embedded(${name}) WHERE typeof(${name}) = 'text'${where.sql} AND sessionfsck_map_embedded(${name}) IS NOT ${name}`).run(...where.values);
  } else {
    db.prepare(`UPDATE ${table} SET ${name} = (SELECT new FROM ${mapTable} WHERE old = ${table}.${name}) WHERE ${name} IN (SELECT old FROM ${mapTable})${where.sql}`).run(...where.values);
  }
}

function requireNone(context: { db: SqliteDatabase; path: string }, column: MappedColumn): void {
  if (column.path !== undefined || column.embedded) return;
  const where = condition(column);
  const left = context.db
    .prepare(`SELECT count(*) FROM ${quoteName(column.table)} WHERE ${quoteName(column.column)} IN (SELECT old FROM ${mapTable})${where.sql}`)
    .pluck(true)
    .safeIntegers(false)
    .get(...where.values);
  if (left !== 0) throw new RefusedError(`${String(left)} old ids would be left in ${column.table}.${column.column}`, again);
}
