import type { SqliteDatabase } from '../../io/sqlite.ts';
import type { RecoveredText } from '../../model/recovery.ts';
import { partText } from './lost-texts.ts';
import { field, number, text, type Tables } from './tables.ts';
import { isObject } from '../../model/values.ts';

/** Parts of one message that are read for its text; further ones are left out. */
const partLimit = 50;

function parsed(json: unknown): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text(json));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** A part as people read it; one that is not JSON as its characters, null for one without text. */
function readPart(json: unknown): string | null {
  const part = parsed(json);
  return part === null ? text(json) : partText(part);
}

/**
 * The texts of messages and parts by their ids, in the order asked for: a message is one text, its parts in their order. An id
 * without a row gives none; a part whose message is gone still has its text.
 */
export function* readMessageTexts(db: SqliteDatabase, tables: Tables, path: string, ids: readonly string[]): Iterable<RecoveredText> {
  if (!tables.has('part', 'id', 'message_id', 'data') || !tables.has('message', 'id', 'time_created', 'data')) return;
  const message = db.prepare<[string], { time: unknown; role: unknown }>(`SELECT time_created AS time, ${field('data', '$.role')} AS role FROM message WHERE id = ?`);
  const parts = db.prepare<[string, number], { data: unknown }>('SELECT data FROM part WHERE message_id = ? ORDER BY id LIMIT ?');
  const part = db.prepare<[string], { messageId: unknown; data: unknown }>('SELECT message_id AS messageId, data FROM part WHERE id = ?');
  for (const id of ids) {
    const own = message.get(id);
    if (own) {
      const lines: string[] = [];
      for (const { data } of parts.iterate(id, partLimit)) {
        const line = readPart(data);
        if (line !== null) lines.push(line);
      }
      yield { id, role: text(own.role) || 'unknown', time: number(own.time), text: lines.join('\n'), from: { path, table: 'message', row: id } };
      continue;
    }
    const single = part.get(id);
    if (!single) continue;
    const parent = message.get(text(single.messageId));
    yield { id, role: text(parent?.role) || 'unknown', time: parent ? number(parent.time) : null, text: readPart(single.data) ?? '', from: { path, table: 'part', row: id } };
  }
}
