import { contentKey } from './sqlite/content-key.ts';

/** Rows of one session that a store has: asked by content, and by id (a repair may change a row under its id). */
export type HeldRows = { add(row: Record<string, unknown>): void; has(row: Record<string, unknown>): boolean };

export function heldRows(): HeldRows {
  const contents = new Set<string>();
  const ids = new Set<string>();
  return {
    add(row) {
      contents.add(contentKey(row));
      if (typeof row['id'] === 'string') ids.add(row['id']);
    },
    has: (row) => contents.has(contentKey(row)) || (typeof row['id'] === 'string' && ids.has(row['id'])),
  };
}
