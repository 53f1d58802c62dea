/** Finds the row of an id without an object a row: open addressing over numbers, ids compared in the column itself. */
export type IdTable = {
  clear(): void;
  /** Names `row` by `ids[row]`; returns the row that had the id before, or -1. The newest row is found from now on. */
  set(ids: readonly (string | null)[], row: number): number;
  /** The newest row with this id, or -1. */
  get(ids: readonly (string | null)[], id: string): number;
};

function hashOf(id: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 16777619);
  return (hash ^ (hash >>> 15)) >>> 0;
}

export function idTable(): IdTable {
  let slots = new Int32Array(4096); // row + 1; 0 is free
  let used = 0;

  const slotOf = (ids: readonly (string | null)[], id: string): number => {
    const mask = slots.length - 1;
    let slot = hashOf(id) & mask;
    for (;;) {
      const row = slots[slot]! - 1;
      if (row === -1 || ids[row] === id) return slot;
      slot = (slot + 1) & mask;
    }
  };

  const grow = (ids: readonly (string | null)[]): void => {
    const old = slots;
    slots = new Int32Array(old.length * 2);
    for (const entry of old) if (entry !== 0) slots[slotOf(ids, ids[entry - 1] ?? '')] = entry;
  };

  return {
    clear() {
      // A table that one huge transcript grew is not swept again for every small one.
      if (slots.length > 65536) slots = new Int32Array(4096);
      else slots.fill(0);
      used = 0;
    },
    set(ids, row) {
      if (used * 2 >= slots.length) grow(ids);
      const slot = slotOf(ids, ids[row] ?? '');
      const before = slots[slot]! - 1;
      slots[slot] = row + 1;
      if (before === -1) used++;
      return before;
    },
    get(ids, id) {
      return slots[slotOf(ids, id)]! - 1;
    },
  };
}
