import { errorCode, errorMessage } from '../../model/errors.ts';
import type { SqliteDatabase } from '../../io/sqlite.ts';
import type { Columns } from './columns.ts';
import type { SearchFacts, SearchIndexFacts } from './types.ts';

/** Keys of `state_meta` that say: rows are left out of the index on purpose for now (Hermes format notes §2.7). */
const pendingKeys = ['fts_stale', 'fts_rebuild_high_water', 'fts_rebuild_progress', 'fts_rebuild_deferral'];

function pendingReason(db: SqliteDatabase, columns: Columns): string | null {
  if (!columns.tables.has('messages_fts')) return 'the store has no messages_fts';
  if (!columns.tables.has('state_meta')) return null;
  const key = db.prepare<string[], string>(`SELECT key FROM state_meta WHERE key IN (${pendingKeys.map(() => '?').join(', ')}) AND value IS NOT NULL AND value NOT IN ('', '0') LIMIT 1`).pluck().get(...pendingKeys);
  return key === undefined ? null : `${key} is set: the product is about to rebuild the index`;
}

function sqlOf(db: SqliteDatabase, name: string): string {
  return db.prepare<[string], string | null>('SELECT sql FROM sqlite_master WHERE name = ?').pluck().get(name) ?? '';
}

/** Ids on one side only, by walking both id lists in order. */
function compareIds(db: SqliteDatabase, indexed: string, rows: string): { missing: number; extra: number } {
  const left = db.prepare<[], number>(`SELECT id FROM ${indexed} ORDER BY id`).pluck().iterate();
  const right = db.prepare<[], number>(`SELECT id FROM ${rows} ORDER BY id`).pluck().iterate();
  let missing = 0;
  let extra = 0;
  try {
    let a = left.next();
    let b = right.next();
    while (!a.done || !b.done) {
      if (b.done || (!a.done && a.value < b.value)) {
        extra++;
        a = left.next();
      } else if (a.done || a.value > b.value) {
        missing++;
        b = right.next();
      } else {
        a = left.next();
        b = right.next();
      }
    }
  } finally {
    left.return?.();
    right.return?.();
  }
  return { missing, extra };
}

/** FTS5's own comparison of index and content. It writes to the index's tables inside the private copy, in a transaction that is taken back. */
function strictProblem(db: SqliteDatabase, name: string): string | null {
  db.pragma('query_only = OFF');
  try {
    db.exec('BEGIN');
    db.exec(`INSERT INTO ${name}(${name}, rank) VALUES ('integrity-check', 1)`);
    return null;
  } catch (error) {
    return errorCode(error).startsWith('SQLITE_CORRUPT') ? errorMessage(error) : null;
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
    db.pragma('query_only = ON');
  }
}

/**
 * How `messages_fts` stands against the rows. Without `deep` only counts are compared. The trigram index leaves out rows by
 * design (tool output; sessions of jobs and subagents), so its counts mean nothing where it reads a view; the strict check
 * compares with that view. Not judged strictly: layouts below 3 over raw tool rows, which cannot be satisfied, and the CJK
 * index, whose tokenizer is not here.
 */
export function readSearchFacts(db: SqliteDatabase, columns: Columns, deep: boolean, privateCopy: boolean): SearchFacts {
  const pending = pendingReason(db, columns);
  if (pending !== null) return { pending, indexes: [] };
  const indexes: SearchIndexFacts[] = [];
  for (const name of ['messages_fts', 'messages_fts_trigram']) {
    const sql = sqlOf(db, name);
    if (sql === '' || /cjk_unicode61/.test(sql)) continue;
    const external = /content\s*=\s*['"]?(\w*)/.exec(sql);
    const source = external?.[1] ?? '';
    const wholeTable = external === null || source === 'messages' || source === 'messages_fts_src';
    const docsize = `${name}_docsize`;
    const facts: SearchIndexFacts = { name, rowsMissing: 0, rowsExtra: 0, strictProblem: null };
    if (wholeTable && columns.tables.has(docsize) && !(name === 'messages_fts_trigram' && external !== null)) {
      if (deep) {
        const { missing, extra } = compareIds(db, docsize, 'messages');
        Object.assign(facts, { rowsMissing: missing, rowsExtra: extra });
      } else {
        const count = db.prepare<[], { indexed: number; stored: number }>(`SELECT (SELECT count(*) FROM ${docsize}) AS indexed, (SELECT count(*) FROM messages) AS stored`).get();
        if (count) Object.assign(facts, { rowsMissing: Math.max(0, count.stored - count.indexed), rowsExtra: Math.max(0, count.indexed - count.stored) });
      }
    }
    if (deep && privateCopy && !(external !== null && source === 'messages' && hasLongToolRow(db))) facts.strictProblem = strictProblem(db, name);
    indexes.push(facts);
  }
  return { pending: null, indexes };
}

function hasLongToolRow(db: SqliteDatabase): boolean {
  return db.prepare<[], number>("SELECT 1 FROM messages WHERE role = 'tool' AND length(content) > 8192 LIMIT 1").pluck().get() === 1;
}
