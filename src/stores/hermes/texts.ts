import type { SqliteDatabase } from '../../io/sqlite.ts';
import type { RecoveredText } from '../../model/recovery.ts';
import { secondsToMs } from './columns.ts';

const listMark = '\0json:';

/** Content as people read it: plain text, or the text parts of a list that is stored as `\0json:` (format notes §2.4). */
export function plainContent(content: unknown): string {
  if (typeof content === 'object' && content !== null && !(content instanceof Uint8Array)) return partsText(content);
  if (typeof content !== 'string') return content === null || content === undefined ? '' : String(content);
  if (!content.startsWith(listMark)) return content;
  try {
    return partsText(JSON.parse(content.slice(listMark.length)));
  } catch {
    return content.slice(1);
  }
}

function partsText(value: unknown): string {
  const parts = Array.isArray(value) ? value : [value];
  return parts.map((part) => (typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : JSON.stringify(part))).join('\n');
}

/** A message row as people read it: its content, and the calls that it declares. */
export function rowText(content: unknown, calls: unknown): string {
  return `${plainContent(content)}${typeof calls === 'string' && calls !== '' ? `\n[tool calls] ${calls}` : ''}`;
}

/** The texts of some message rows, in the order asked for; a row that is gone gives none. */
export function* readTexts(db: SqliteDatabase, path: string, rows: readonly number[]): Iterable<RecoveredText> {
  const statement = db.prepare<[number], { role: unknown; content: unknown; timestamp: unknown; calls: unknown }>('SELECT role, content, timestamp, tool_calls AS calls FROM messages WHERE id = ?');
  for (const row of rows) {
    const found = statement.get(row);
    if (!found) continue;
    yield { id: String(row), role: String(found.role ?? 'unknown'), time: secondsToMs(found.timestamp), text: rowText(found.content, found.calls), from: { path, table: 'messages', row } };
  }
}
