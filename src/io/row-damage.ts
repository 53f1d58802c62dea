import { integrityLines, integrityText } from './sqlite-integrity.ts';
import type { SqliteDatabase } from './sqlite.ts';

const tokenizer = /no such tokenizer/i;
/** What stays when all but the tables themselves was left out of the schema: their pages, and the index that a primary key brings. */
const beside = /^(Page \d+: never used|Freelist: |row \d+ missing from index|wrong # of entries in index|non-unique entry in index)/;

/** Leaves only the tables that rows are read from in the schema. On a private copy only: it writes to it. */
function reduceToRows(db: SqliteDatabase, tables: readonly string[]): void {
  db.unsafeMode();
  try {
    db.pragma('query_only = OFF');
    // A journal file is refused for a copy that was unlinked; a log that is open already is not.
    if (db.pragma('journal_mode', { simple: true }) !== 'wal') db.pragma('journal_mode = MEMORY');
    db.pragma('writable_schema = ON');
    db.exec("DELETE FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL");
    db.prepare(`DELETE FROM sqlite_master WHERE tbl_name NOT IN (${tables.map(() => '?').join(', ')})`).run(...tables);
    db.pragma('writable_schema = RESET');
    db.pragma('query_only = ON');
  } finally {
    db.unsafeMode(false);
  }
}

/**
 * What integrity_check finds that makes the rows of these tables doubtful, or null. Damage of indexes and of the search index costs no row:
 * the table is read without them. `mixed`: the pages come from two files, so that damage of any kind shows that they do not
 * belong together. On a private copy only: it may be written to.
 */
export function rowDamage(db: SqliteDatabase, tables: readonly string[], mixed: boolean): string | null {
  const lines = integrityLines(db);
  if (lines.length === 0) return null;
  // A search index whose tokenizer only the product has may end the whole check before it came to the rows.
  const stopped = lines.some((line) => tokenizer.test(line));
  if (mixed) {
    const more = stopped ? tables.flatMap((table) => integrityLines(db, table)) : [];
    return integrityText([...lines.filter((line) => !tokenizer.test(line)), ...more]);
  }
  reduceToRows(db, tables);
  return integrityText(integrityLines(db).filter((line) => !beside.test(line)));
}
