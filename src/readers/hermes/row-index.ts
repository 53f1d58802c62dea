/** Rows of one session by a numeric key, in typed arrays: 12 bytes a row, whatever the session's size. */
export type RowIndex = { heads: Int32Array; next: Int32Array; keys: Float64Array; from: number };

function slotOf(key: number, mask: number): number {
  let hash = Math.imul((key >>> 0) ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(Math.floor(key / 0x200000) >>> 0, 0xc2b2ae35);
  hash ^= hash >>> 15;
  return (hash >>> 0) & mask;
}

/** An index without rows that has room for `size` of them, numbered from `from`. */
export function emptyIndex(size: number, from = 0): RowIndex {
  let slots = 16;
  while (slots < size * 1.5) slots *= 2;
  return { heads: new Int32Array(slots).fill(-1), next: new Int32Array(size).fill(-1), keys: new Float64Array(size), from };
}

/** Adds a row; rows come in ascending order. A key of 0 leaves it out. */
export function addRow(index: RowIndex, row: number, key: number): void {
  index.keys[row - index.from] = key;
  if (key === 0) return;
  const slot = slotOf(key, index.heads.length - 1);
  index.next[row - index.from] = index.heads[slot] ?? -1;
  index.heads[slot] = row;
}

/** Indexes the rows from `from` to `to` (exclusive). `keyOf` gives 0 for a row that is left out. */
export function indexRows(from: number, to: number, keyOf: (row: number) => number): RowIndex {
  const index = emptyIndex(Math.max(0, to - from), from);
  for (let row = from; row < to; row++) addRow(index, row, keyOf(row));
  return index;
}

/** The rows with this key, the latest first. */
export function* rowsWith(index: RowIndex, key: number): Iterable<number> {
  if (key === 0) return;
  for (let row = index.heads[slotOf(key, index.heads.length - 1)] ?? -1; row !== -1; row = index.next[row - index.from] ?? -1) {
    if (index.keys[row - index.from] === key) yield row;
  }
}

const scratch = new Float64Array(1);
const scratchWords = new Uint32Array(scratch.buffer);

/** One key of 53 bits for up to four numbers, never 0. */
export function keyFor(a: number, b: number, c: number, d = 0): number {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (const part of [a, b, c, d]) {
    scratch[0] = part;
    high = Math.imul(high ^ (scratchWords[0] ?? 0), 0x85ebca6b);
    low = Math.imul(low ^ (scratchWords[1] ?? 0), 0xc2b2ae35);
    high = (high ^ (low >>> 13)) | 0;
    low = (low ^ (high >>> 16)) | 0;
    high = Math.imul(high, 0x27d4eb2f);
  }
  return (low >>> 0) * 0x200000 + (high >>> 11) || 1;
}
