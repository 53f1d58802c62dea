import type { SessionStory, StoryGeneration } from '../model/story.ts';
import { count, groupDigits, wrap } from './printable.ts';
import type { Style } from './style.ts';

/** How many rows of the context are named unless everything is asked for. */
const namedRows = 60;

function clock(iso: string | null): string {
  return iso === null ? 'time unknown' : iso.slice(0, 19).replace('T', ' ');
}

function line(values: readonly string[]): string {
  const widths = [22, 9, 9, 8, 7, 9];
  return values.map((value, column) => (column === 0 ? value.padEnd(widths[column] ?? 0) : value.padStart(widths[column] ?? 0))).join('');
}

/** Row numbers with runs drawn together: `17–20, 33`. */
export function rowRanges(rows: readonly number[]): string {
  const parts: string[] = [];
  for (let from = 0; from < rows.length; ) {
    let to = from;
    while (to + 1 < rows.length && (rows[to + 1] ?? 0) === (rows[to] ?? 0) + 1) to++;
    parts.push(to === from ? String(rows[from]) : `${rows[from]}–${rows[to]}`);
    from = to + 1;
  }
  return parts.join(', ');
}

function generationLines(generations: readonly StoryGeneration[], width: number, style: Style): string[] {
  const lines = [style.dim(line(['compaction', 'summary', 'archived', 'carried', 'cloned', 'stranded']))];
  for (const generation of generations) {
    const lost = generation.stranded.length;
    lines.push(line([clock(generation.at), String(generation.carrier), groupDigits(generation.archived), String(generation.carried), String(generation.cloned), lost === 0 ? '0' : style.error(String(lost).padStart(9)).padStart(9)]));
    if (lost > 0) lines.push(...wrap(`rows ${rowRanges(generation.stranded)} were archived unseen; the newest row carried over is ${generation.newestCarried ?? 'none'}`, width - 4).map((text) => `  ${text}`));
  }
  return lines;
}

/** The compactions of a session as a table, and the rows that the model gets: row numbers and roles, never a word of the text. */
export function storyTables(story: SessionStory, options: { width: number; verbose: boolean }, style: Style): string[] {
  const lines: string[] = [];
  if (story.generations && story.generations.length > 0) lines.push('', ...generationLines(story.generations, options.width, style).map((text) => `  ${text}`));
  if (story.context) {
    const all = story.context;
    const shown = options.verbose ? all : all.slice(-namedRows);
    lines.push('', `  the model gets ${count(all.length, 'row')}${shown.length < all.length ? `, the last ${shown.length} of them (--verbose: all)` : ''}:`);
    lines.push(...wrap(shown.map(({ row, role }) => `${role}\u00a0${row}`).join(' '), options.width - 4).map((text) => `    ${text.replaceAll('\u00a0', ' ')}`));
  }
  return lines;
}
