import type { SqliteDatabase } from '../../io/sqlite.ts';
import type { Columns } from './columns.ts';

type Cell = number | string | null;

function cell(value: unknown): Cell {
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}

/** What repairs ask of a store: the cells that they change, as they are stored. */
export function repairQuestions(db: SqliteDatabase, columns: Columns) {
  return {
    sessionCells(id: string, names: readonly string[]): { [column: string]: Cell } {
      const known = names.filter((name) => columns.sessions.has(name));
      if (known.length === 0) return {};
      const row = db.prepare<[string], { [column: string]: unknown }>(`SELECT ${known.map((name) => `"${name}"`).join(', ')} FROM sessions WHERE id = ?`).get(id);
      return row ? Object.fromEntries(known.map((name) => [name, cell(row[name])])) : {};
    },
    rowFlags(rows: readonly number[]): { row: number; active: number | null; compacted: number | null }[] {
      if (!columns.messages.has('active') || !columns.messages.has('compacted')) return [];
      const ask = db.prepare<[number], { row: number; active: number | null; compacted: number | null }>('SELECT id AS row, active, compacted FROM messages WHERE id = ?');
      return rows.flatMap((row) => ask.get(row) ?? []);
    },
    liveRowsAfter(sessionId: string, row: number): number[] {
      return db.prepare<[string, number], number>('SELECT id FROM messages WHERE session_id = ? AND id > ? AND active = 1 ORDER BY id').pluck().all(sessionId, row);
    },
    cjkTriggers(): { name: string; sql: string }[] {
      return db.prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'messages' AND sql LIKE '%messages\\_fts\\_cjk%' ESCAPE '\\' ORDER BY name").all();
    },
    stateMeta(key: string): string | null | undefined {
      if (!columns.tables.has('state_meta')) return undefined;
      return db.prepare<[string], string | null>('SELECT value FROM state_meta WHERE key = ?').pluck().get(key);
    },
  };
}

/** The same for a store whose database is not read. */
export const noRepairQuestions: ReturnType<typeof repairQuestions> = {
  sessionCells: () => ({}),
  rowFlags: () => [],
  liveRowsAfter: () => [],
  cjkTriggers: () => [],
  stateMeta: () => undefined,
};
