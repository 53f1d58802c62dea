import { basename } from 'node:path';
import type { Finding, Location } from '../model/finding.ts';
import type { RecoveredText } from '../model/recovery.ts';
import { isoTime } from '../model/time.ts';
import { count, printable, wrap } from './printable.ts';
import { chatName } from './session-name.ts';
import { styleFor, type TextOptions } from './style.ts';

function place({ path, line, table, row }: Location): string {
  return `${basename(path)}${line === undefined ? '' : ` line ${line}`}${table === undefined ? '' : ` table ${table}`}${row === undefined ? '' : ` row ${row}`}`;
}

/** One JSON object: the text with where it stands and which finding hides it. */
export function recoveredLine(text: RecoveredText, finding: Finding, product: string): string {
  const { checkId, store, session, sessionKey } = finding;
  return `${JSON.stringify({ schemaVersion: 1, product, store, checkId, session, sessionKey, id: text.id, role: text.role, time: isoTime(text.time), text: text.text, from: text.from })}\n`;
}

/** The head of a Markdown file. */
export function recoveredHead(finding: Finding): string {
  return `# ${printable(chatName(finding.sessionKey, finding.session))}\n\n${printable(finding.message)}\n\nSession ${printable(finding.session ?? 'unknown')}, found by ${finding.checkId}. Texts are as stored; control characters are written as escapes.\n`;
}

/** One text for people. Quoted line by line, so that nothing in it is taken for structure. */
export function recoveredBlock(text: RecoveredText): string {
  const body = text.text.split('\n').map((line) => `> ${printable(line).replace(/([\\`*_[\]<>#|!])/g, '\\$1')}`.trimEnd());
  return `\n**${printable(text.role)}** ${isoTime(text.time) ?? 'unknown time'} · ${printable(text.id)} · ${printable(place(text.from))}\n\n${body.join('\n')}\n`;
}

export type RecoveryRow = { checkId: string; session: string | null; sessionKey: string | null; expected: number; written: number; texts: number; notFound: number; unit: string; jsonl: string; markdown: string };

export function renderRecovery(rows: readonly RecoveryRow[], folder: string, options: TextOptions): string {
  const style = styleFor(options.color);
  if (rows.length === 0) return 'Nothing is hidden that could be written out.\n';
  const lines: string[] = [];
  for (const row of rows) {
    lines.push(`  ${style.strong(row.checkId)}   ${chatName(row.sessionKey, row.session)}`);
    lines.push(`      ${count(row.written, row.unit)} of ${row.expected} written${row.texts === row.written ? '' : ` in ${count(row.texts, 'part')}`}${row.notFound > 0 ? style.warning(`, ${row.notFound} have no text that could be found`) : ''}`);
    lines.push(`      ${row.markdown}   ${row.jsonl}`);
  }
  const total = rows.reduce((sum, row) => sum + row.written, 0);
  lines.push('', ...wrap(`${total} written to ${printable(folder)} (mode 0600: they are private). The stores were not changed.`, options.width));
  return `${lines.join('\n')}\n`;
}
