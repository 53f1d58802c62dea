import { errorMessage } from '../model/errors.ts';
import type { SqliteDatabase } from './sqlite.ts';
import type { Damage } from './sqlite-snapshot.ts';

/**
 * What `PRAGMA integrity_check` complains of, as damage, or null. Lines that match `ignore` do not count: a virtual table whose
 * tokenizer is missing here is no damage.
 */
export function integrityDamage(db: SqliteDatabase, ignore?: RegExp): Damage | null {
  const detail = integrityText(integrityLines(db).filter((line) => !ignore?.test(line)));
  return detail === null ? null : { kind: 'content', detail };
}

/** One clause for what integrity_check complains of; null for no line. */
export function integrityText(lines: readonly string[]): string | null {
  if (lines.length === 0) return null;
  return `integrity_check finds ${lines.length === 1 ? '1 problem' : `${lines.length >= 100 ? 'at least 100' : lines.length} problems`}, the first: ${lines[0]}`;
}

/** What `PRAGMA integrity_check` complains of, up to 100 lines; empty where all is well. `table`: of one table and its indexes alone. */
export function integrityLines(db: SqliteDatabase, table?: string): string[] {
  try {
    const lines = db.prepare<[], { integrity_check: string }>(`PRAGMA integrity_check(${table === undefined ? 100 : `"${table.replaceAll('"', '""')}"`})`).all().flatMap((row) => row.integrity_check.split('\n'));
    return lines.filter((line) => line !== 'ok' && line !== '' && !line.startsWith('***'));
  } catch (error) {
    return [errorMessage(error)];
  }
}
