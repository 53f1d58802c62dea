import { InvalidArgumentError } from 'commander';

/** Seconds, zero or more. */
export function parseWait(value: string): number {
  const seconds = Number(value);
  if (value.trim() === '' || !Number.isFinite(seconds) || seconds < 0) throw new InvalidArgumentError('a number of seconds, such as 60.');
  return seconds;
}

/** What an undo command must repeat. */
export function undoOptionsText(journalDir: string | undefined): string {
  return journalDir === undefined ? '' : ` --journal-dir ${/^[\w@%+=:,./-]+$/.test(journalDir) ? journalDir : `'${journalDir.replaceAll("'", "'\\''")}'`}`;
}
