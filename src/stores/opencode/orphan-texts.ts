import type { SqliteDatabase } from '../../io/sqlite.ts';
import type { RecoveredText } from '../../model/recovery.ts';
import { parse, partText } from './lost-texts.ts';
import { number, text, type Tables } from './tables.ts';
import type { Orphans } from './types.ts';

type PartRow = { id: unknown; data: unknown };
type MessageRow = { id: unknown; time: unknown; data: unknown };

/** Every message of a missing session by time, part by part; one without any text is named, so that none goes missing. */
function* ofSession(db: SqliteDatabase, tables: Tables, path: string, sessionId: string): Iterable<RecoveredText> {
  const ids = db.prepare<[string], string>('SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id').pluck().all(sessionId);
  const message = db.prepare<[string], MessageRow>('SELECT id, time_created AS time, data FROM message WHERE id = ?');
  const parts = tables.has('part', 'id', 'message_id', 'data') ? db.prepare<[string], PartRow>('SELECT id, data FROM part WHERE message_id = ? ORDER BY id') : null;
  for (const id of ids) {
    const row = message.get(id);
    const role = text(parse(row?.data)['role']) || 'unknown';
    const time = number(row?.time);
    let found = 0;
    for (const part of parts?.all(id) ?? []) {
      const body = partText(parse(part.data));
      if (body === null) continue;
      found++;
      yield { id, role, time, text: body, from: { path, table: 'part', row: text(part.id) } };
    }
    if (found === 0) yield { id, role, time, text: '[no text]', from: { path, table: 'message', row: id } };
  }
}

/** Every part of a missing message; one that carries no text is named by its type. */
function* ofMessage(db: SqliteDatabase, tables: Tables, path: string, messageId: string): Iterable<RecoveredText> {
  if (!tables.has('part', 'id', 'message_id', 'data')) return;
  for (const { id, data } of db.prepare<[string], PartRow>('SELECT id, data FROM part WHERE message_id = ? ORDER BY id').all(messageId)) {
    const part = parse(data);
    yield { id: text(id), role: 'unknown', time: null, text: partText(part) ?? `[${text(part['type']) || 'no JSON'}]`, from: { path, table: 'part', row: text(id) } };
  }
}

export function readOrphanTexts(db: SqliteDatabase, tables: Tables, path: string, parent: Orphans['parentTable'], missing: string): Iterable<RecoveredText> {
  return parent === 'session' ? ofSession(db, tables, path, missing) : ofMessage(db, tables, path, missing);
}
