import type { SqliteDatabase } from '../../io/sqlite.ts';
import type { RecoveredText } from '../../model/recovery.ts';
import { secondsToMs } from './columns.ts';

const listMark = '\0json:';

/** Content as people read it: plain text, or the text parts of a list that is stored as `\0json:` (format notes §2.4). */
function plain(content: unknown): string {
  if (typeof content !== 'string') return content === null || content === undefined ? '' : String(content);
  if (!content.startsWith(listMark)) return content;
  try {
    const value: unknown = JSON.parse(content.slice(listMark.length));
    const parts = Array.isArray(value) ? value : [value];
    return parts.map((part) => (typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : JSON.stringify(part))).join('\n');
  } catch {
    return content.slice(1);
  }
}

/** The texts of some message rows, in the order asked for; a row that is gone gives none. */
export function* readTexts(db: SqliteDatabase, path: string, rows: readonly number[]): Iterable<RecoveredText> {
  const statement = db.prepare<[number], { role: unknown; content: unknown; timestamp: unknown; calls: unknown }>('SELECT role, content, timestamp, tool_calls AS calls FROM messages WHERE id = ?');
  for (const row of rows) {
    const found = statement.get(row);
    if (!found) continue;
    const calls = typeof found.calls === 'string' && found.calls !== '' ? `\n[tool calls] ${found.calls}` : '';
    yield { id: String(row), role: String(found.role ?? 'unknown'), time: secondsToMs(found.timestamp), text: `${plain(found.content)}${calls}`, from: { path, table: 'messages', row } };
  }
}
