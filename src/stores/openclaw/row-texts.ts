import { forEachLine } from '../../io/lines.ts';
import { parseTime } from '../../model/time.ts';
import type { RecoveredText } from '../../model/recovery.ts';
import { ambientIds } from './ambient.ts';
import { ambientTexts, contentText } from './message-text.ts';
import { asNumber, asObject, asText } from './values.ts';

/** Calls back for each row of a transcript with its JSON text and its line (from 1; in a database `seq` + 1). */
export type RowSource = (visit: (json: string, line: number) => void) => void;

/** The lines of a transcript file, `.zst` unpacked. Oversized ones are left out. */
export function fileRows(path: string): RowSource {
  return (visit) => {
    forEachLine(path, (line) => {
      if (!line.oversized) visit(line.buffer.toString('utf8', line.start, line.end), line.number);
    });
  };
}

function parsed(json: string): Record<string, unknown> | null {
  try {
    return asObject(JSON.parse(json));
  } catch {
    return null;
  }
}

/** The channel messages of ambient rows whose ids `wanted` accepts, each with its own text. */
export function* ambientOf(rows: RowSource, path: string, wanted: (id: string) => boolean): Iterable<RecoveredText> {
  const found: RecoveredText[] = [];
  rows((json, line) => {
    // Most rows are no ambient ones: do not parse what cannot be.
    if (!json.includes('"#')) return;
    const message = asObject(parsed(json)?.['message']);
    if (message === null || message['role'] !== 'user') return;
    const text = contentText(message['content']);
    const ambient = ambientIds(text);
    if (ambient === null) return;
    for (const item of ambientTexts(text, ambient.ids)) {
      if (wanted(item.id)) found.push({ id: item.id, role: 'user', time: asNumber(message['timestamp']), text: item.text, from: { path, line } });
    }
  });
  yield* found;
}

/** The rows that `wanted` accepts by id (null: none, or not to be read) and line; one that is no JSON object as its characters. */
export function eachRowText(rows: RowSource, path: string, wanted: (id: string | null, line: number) => boolean, visit: (text: RecoveredText, isMessage: boolean) => void): void {
  rows((json, line) => {
    const row = parsed(json);
    if (!wanted(asText(row?.['id']), line)) return;
    if (row === null) visit({ id: `line ${line}`, role: 'unreadable', time: null, text: json, from: { path, line } }, false);
    else visit(rowText(row, path, line), asObject(row['message']) !== null);
  });
}

/** One transcript row as a text for people; what is no message is named by its type. */
export function rowText(row: Record<string, unknown>, path: string, line: number): RecoveredText {
  const message = asObject(row['message']);
  return {
    id: asText(row['id']) ?? `line ${line}`,
    role: asText(message?.['role']) ?? asText(row['type']) ?? 'unknown',
    time: asNumber(message?.['timestamp']) ?? parseTime(row['timestamp']),
    text: message === null ? (asText(row['summary']) ?? `[${asText(row['type']) ?? 'row'}]`) : contentText(message['content']),
    from: { path, line },
  };
}
