import { basename } from 'node:path';
import type { Location } from '../model/finding.ts';
import type { RecoveredText, Recovery, RecoveryOutcome } from '../model/recovery.ts';
import { isoTime } from '../model/time.ts';
import { count, printable, wrap } from './printable.ts';
import { chatName } from './session-name.ts';
import { styleFor, type TextOptions } from './style.ts';

function place({ path, line, table, row }: Location): string {
  return `${basename(path)}${line === undefined ? '' : ` line ${line}`}${table === undefined ? '' : ` table ${table}`}${row === undefined ? '' : ` row ${row}`}`;
}

/** One JSON object: the text with where it stands and which finding or copy has it. */
export function recoveredLine(text: RecoveredText, about: Recovery['about'], source: string | null, product: string): string {
  const { checkId, store } = about;
  const [session, sessionKey] = text.session === undefined ? [about.session, about.sessionKey] : [text.session, text.sessionKey ?? null];
  return `${JSON.stringify({ schemaVersion: 1, product, store, checkId, ...(source === null ? {} : { source }), session, sessionKey, id: text.id, role: text.role, time: isoTime(text.time), text: text.text, from: text.from })}\n`;
}

/** The head of a Markdown file. */
export function recoveredHead({ checkId, session, sessionKey, message }: Recovery['about'], source: string | null): string {
  const where = source === null ? `Session ${printable(session ?? 'unknown')}, found by ${checkId}.` : `Found by ${checkId}.`;
  return `# ${printable(source ?? chatName(sessionKey, session))}\n\n${printable(message)}\n\n${where} Texts are as stored; control characters are written as escapes.\n`;
}

/** The head of one session's part of a Markdown file. */
export function recoveredSession({ session, sessionKey }: RecoveredText): string {
  return `\n## ${printable(chatName(sessionKey ?? null, session ?? null))}\n`;
}

/** One text for people. Quoted line by line, so that nothing in it is taken for structure. */
export function recoveredBlock(text: RecoveredText): string {
  const body = text.text.split('\n').map((line) => `> ${printable(line).replace(/([\\`*_[\]<>#|!])/g, '\\$1')}`.trimEnd());
  return `\n**${printable(text.role)}** ${isoTime(text.time) ?? 'unknown time'} · ${printable(text.id)} · ${printable(place(text.from))}\n\n${body.join('\n')}\n`;
}

export type RecoveryRow = RecoveryOutcome & {
  checkId: string;
  store: string;
  session: string | null;
  sessionKey: string | null;
  /** Name of the copy or layout that the texts come from, where it is not the store itself. */
  source: string | null;
  written: number;
  texts: number;
  notFound: number;
  unit: string;
  /** null: there was nothing to write. */
  jsonl: string | null;
  markdown: string | null;
};

export type RecoverySummary = { rows: readonly RecoveryRow[]; unsearched: readonly { path: string; reason: string }[]; folder: string };

/** `118 rows read, 112 of them are in the store`. */
function readOf(rows: number, present: number, repeated: number, unit: string): string {
  if (rows === 0) return `it holds no ${unit}`;
  const held = present === rows ? (rows === 1 ? 'the store has it' : 'the store has all of them') : present === 0 ? 'none of them in the store' : `${present} of them ${present === 1 ? 'is' : 'are'} in the store`;
  return `${count(rows, unit)} read, ${held}${repeated > 0 ? `, ${repeated} ${repeated === 1 ? 'is' : 'are'} written already` : ''}`;
}

/** `6 rows of 6 written in 2 sessions; 118 read, 112 of them are in the store`. */
function countsOf(row: RecoveryRow): string {
  if (row.problem !== null) return `not readable: ${printable(row.problem)}`;
  const read = row.rows === undefined ? '' : readOf(row.rows, row.present ?? 0, row.repeated ?? 0, row.unit);
  if (row.expected === 0) return read;
  const parts = row.texts === row.written ? '' : ` in ${count(row.texts, 'part')}`;
  const sessions = (row.sessions ?? 0) > 0 ? ` from ${count(row.sessions ?? 0, 'session')}` : '';
  const missing = row.notFound > 0 ? `, ${row.notFound} have no text that could be found` : '';
  return `${count(row.written, row.unit)} of ${row.expected} written${parts}${sessions}${missing}${read === '' ? '' : `; ${read}`}`;
}

/** What to do with it, by what was written and what was not. */
function nextSteps({ rows, unsearched, folder }: RecoverySummary): string[] {
  const steps: string[] = [];
  if (rows.some((row) => row.markdown !== null)) steps.push(`read the .md files in ${printable(folder)}; nothing is put back by itself: give the agent what it lacks as a file or in a message`);
  if (rows.some((row) => row.checkId === 'compaction/stranded-rows')) steps.push('sessionfsck plan puts stranded rows back into their sessions (reinstate-stranded-rows)');
  if (rows.some((row) => row.checkId === 'store/quarantined-copy' && row.problem !== null)) steps.push('keep what is not readable; of a copy of a database, sqlite3 COPY .recover | sqlite3 NEW may still get rows');
  if (rows.some((row) => row.checkId === 'store/quarantined-copy' && row.problem === null && row.notFound === 0 && row.expected === 0)) steps.push('a copy without anything left to write is no longer needed for its messages');
  if (unsearched.length > 0) steps.push('sessionfsck explain db/corrupt says how to get at a damaged database');
  return steps;
}

export function renderRecovery(summary: RecoverySummary, options: TextOptions): string {
  const { rows, unsearched, folder } = summary;
  const style = styleFor(options.color);
  const lines: string[] = [];
  const add = (text: string, paint: (line: string) => string = (line) => line): void => void lines.push(...wrap(text, options.width - 6).map((line) => `      ${paint(line)}`));
  for (const row of rows) {
    const counts = countsOf(row);
    // A copy or layout with nothing to write is no finding.
    if (row.source !== null && row.written === 0 && row.problem === null && row.notFound === 0) lines.push(`  ${style.strong(printable(row.source))}`);
    else lines.push(`  ${style.strong(row.checkId)}   ${row.source === null ? chatName(row.sessionKey, row.session) : printable(row.source)}`);
    if (counts !== '') add(counts, row.problem !== null || row.notFound > 0 ? style.warning : undefined);
    for (const note of row.notes) add(printable(note));
    if (row.markdown !== null) lines.push(`      ${row.markdown}   ${row.jsonl ?? ''}`);
  }
  for (const { path, reason } of unsearched) {
    lines.push(`  ${style.strong(printable(basename(path)))}`);
    add(`damaged, so nothing could be looked for in it: ${printable(reason)}`, style.warning);
  }
  const total = rows.reduce((sum, row) => sum + row.written, 0);
  const end = rows.length === 0 && unsearched.length === 0 ? 'Nothing is hidden that could be written out.' : total === 0 ? 'Nothing was written. The stores were not changed.' : `${total} written to ${printable(folder)} (mode 0600: they are private). The stores were not changed.`;
  lines.push(...(lines.length > 0 ? [''] : []), ...wrap(end, options.width));
  for (const [index, step] of nextSteps(summary).entries()) lines.push(...wrap(step, options.width - 7).map((line, at) => `${index === 0 && at === 0 ? 'Next:  ' : '       '}${at === 0 ? '' : '  '}${line}`));
  return `${lines.join('\n')}\n`;
}
