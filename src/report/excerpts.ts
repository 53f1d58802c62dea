import type { Excerpt, Excerpts } from '../model/excerpt.ts';
import { basename } from 'node:path';
import { count, groupDigits, printable } from './printable.ts';
import type { Style } from './style.ts';

/** When, who and which row. */
export function excerptHead({ at, role, row }: Excerpt): string {
  return `${at === null ? 'time unknown' : at.slice(0, 19).replace('T', ' ')}  ${role}  ${row}`;
}

/** The text of a row as it may stand on a terminal; what is not shown is counted. */
export function excerptText({ text, characters }: Excerpt): string {
  if (text === '') return '(no text)';
  return text.endsWith('…') ? `${text} (${groupDigits(characters)} characters)` : text;
}

/** Characters that take two columns of a terminal: CJK, Hangul, kana, full-width forms, pictographs. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Prose as lines of at most `width` columns; a word that is longer than a line is cut. */
export function foldText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const flush = (): void => {
    if (used > 0) lines.push(line);
    line = '';
    used = 0;
  };
  for (const word of text.split(' ')) {
    const characters = [...word];
    const columns = characters.reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0);
    if (used > 0 && used + 1 + columns > width) flush();
    if (used > 0) {
      line += ' ';
      used++;
    }
    for (const character of characters) {
      const own = wide.test(character) ? 2 : 1;
      if (used + own > width) flush();
      line += character;
      used += own;
    }
  }
  flush();
  return lines;
}

/** Excerpts as lines of at most `width` columns: a head and the text below it. Every place that changes is named once. */
export function excerptLines(rows: readonly Excerpt[], width: number, style: Style): string[] {
  const lines: string[] = [];
  let path: string | null = null;
  for (const row of rows) {
    if (row.from.path !== path && (path !== null || rows.some((other) => other.from.path !== row.from.path))) lines.push(style.dim(`in ${printable(basename(row.from.path))}`));
    path = row.from.path;
    lines.push(style.dim(printable(excerptHead(row))), ...foldText(printable(excerptText(row)), width - 2).map((line) => `  ${line}`));
  }
  return lines;
}

/** What a finding's rows say, for a person who asked for it: title, texts, how many more there are. */
export function findingExcerpts({ rows, further, title }: Excerpts, width: number, style: Style): string[] {
  const lines = title === undefined ? [] : foldText(`title: ${printable(title)}`, width);
  lines.push(...excerptLines(rows, width, style));
  if (further > 0) lines.push(`and ${count(further, 'more row')}`);
  return lines;
}
