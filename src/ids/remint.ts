import { compareByTime, compareIds } from './compare.ts';
import { v1Digits, v2Digits } from './mint.ts';
import { readId } from './reading.ts';

/** What re-minting needs to know of a row. `time` is `time_created` in ms. */
export type IdRow = { id: string; time: number };

/** New ids by old id, in (time, id) order; or why there are none. */
export type Remint = { ok: true; mapping: Map<string, string> } | { ok: false; reason: string };

const v1Tail = 14;
const v2Tail = 9;

/**
 * Gives the rows of one session that lie before `boundary` (ms) the first ids of the epoch that begins there, in (time, id)
 * order, each with its old random tail, so that v1 readers that order by id see them before everything minted since
 * (opencode format notes §7.2). Rows of the first moments after the boundary follow where those ids need their room.
 * `before` (ms) bounds the new ids: the time of the next id a reader will mint. Refuses when there is no room, when a new id
 * is taken, when the order would still differ from the order by time, or when a row that keeps its id sorts after what is minted next.
 */
export function rekeyBeforeWrap(rows: readonly IdRow[], boundary: number, before: number): Remint {
  const mapping = new Map<string, string>();
  let last = '';
  for (const row of [...rows].sort(compareByTime)) {
    if (row.time >= boundary && (mapping.size === 0 || compareIds(row.id, last) > 0)) break;
    if (readId(row.id, row.time)?.format !== 'v1') return refuse(`${row.id} has no v1 id`);
    last = `${prefixOf(row.id)}_${v1Digits(boundary, mapping.size + 1)}${row.id.slice(-v1Tail)}`;
    mapping.set(row.id, last);
  }
  const next = `${prefixOf(last)}_${v1Digits(before, 0)}`;
  if (last !== '' && compareIds(last, next) >= 0) {
    return refuse(`the new epoch has no room for ${mapping.size} ids before the next one that will be minted`);
  }
  const high = last === '' ? undefined : rows.find((row) => !mapping.has(row.id) && compareIds(row.id, next) >= 0);
  if (high !== undefined) return refuse(`${high.id} keeps its id and sorts after the next one that will be minted`);
  return verified(rows, mapping);
}

/**
 * Gives the v1 rows of one session at or after `boundary` (ms) v2 ids of their own times, which sort after every v1 id
 * (opencode format notes §7.1 B). Each keeps the last 9 characters of its random tail. Refuses as `rekeyBeforeWrap` does.
 */
export function convertAfterWrap(rows: readonly IdRow[], boundary: number): Remint {
  const mapping = new Map<string, string>();
  let time = Number.NaN;
  let counter = 0;
  for (const row of rows.filter((candidate) => candidate.time >= boundary).sort(compareByTime)) {
    const format = readId(row.id, row.time)?.format;
    if (format === 'v2') continue;
    if (format !== 'v1') return refuse(`${row.id} has no v1 id`);
    counter = row.time === time ? counter + 1 : 1;
    time = row.time;
    mapping.set(row.id, `${prefixOf(row.id)}_${v2Digits(time, counter)}${row.id.slice(-v2Tail)}`);
  }
  return verified(rows, mapping);
}

function prefixOf(id: string): string {
  return id.slice(0, id.indexOf('_'));
}

function refuse(reason: string): Remint {
  return { ok: false, reason };
}

/**
 * A mapping is good when every id stays unique and no renamed row stands on the wrong side of another row. Rows that keep
 * their ids may be out of order among themselves (a skewed clock): that is not what is repaired here.
 */
function verified(rows: readonly IdRow[], mapping: Map<string, string>): Remint {
  const after = rows
    .map((row) => ({ id: mapping.get(row.id) ?? row.id, time: row.time, renamed: mapping.has(row.id) }))
    .sort(compareByTime);
  const fresh = new Set(mapping.values());
  if (fresh.size < mapping.size || rows.some((row) => fresh.has(row.id))) return refuse('a new id is taken by another row');
  let greatest = '';
  let greatestRenamed = '';
  for (const row of after) {
    const bound = row.renamed ? greatest : greatestRenamed;
    if (compareIds(bound, row.id) > 0) return refuse(`${row.id} would still sort before the older ${bound}`);
    if (compareIds(row.id, greatest) > 0) greatest = row.id;
    if (row.renamed && compareIds(row.id, greatestRenamed) > 0) greatestRenamed = row.id;
  }
  return { ok: true, mapping };
}
