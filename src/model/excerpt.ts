import type { Location } from './finding.ts';
import type { RecoveredText } from './recovery.ts';
import { isoTime } from './time.ts';

/** Characters of a text that an excerpt shows at most. */
export const excerptLength = 200;

/**
 * The beginning of one row's text, as a single line. It exists only where a person asked with --show-text: a message text is
 * private. `row`: a row number, an entry id or a message id; `at`: ISO 8601 UTC; `characters`: length of the whole text.
 */
export type Excerpt = { row: string; role: string; at: string | null; text: string; characters: number; from: Location };

/** Excerpts of the rows that something names, how many further ones it has, and the session's title where there is one. */
export type Excerpts = { rows: Excerpt[]; further: number; title?: string };

/** The beginning of a text on one line: runs of white space become one space, and a character is never cut in two. */
export function beginningOf(text: string, length = excerptLength): string {
  const line = text.slice(0, length * 8).replace(/[\ud800-\udbff]$/, '').replace(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= length) return text.length > length * 8 ? `${line}…` : line;
  return `${characters.slice(0, length).join('')}…`;
}

export function excerptOf({ id, role, time, text, from }: RecoveredText): Excerpt {
  return { row: id, role, at: isoTime(time), text: beginningOf(text), characters: text.length, from };
}
