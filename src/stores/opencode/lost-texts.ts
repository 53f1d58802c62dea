import { join } from 'node:path';
import { kindOf, listFolder } from '../../io/files.ts';
import type { SqliteDatabase } from '../../io/sqlite.ts';
import type { RecoveredText } from '../../model/recovery.ts';
import { hasEventLog } from './event-log.ts';
import { createdOf, readJsonFile } from './legacy-files.ts';
import { field, number, text, type Tables } from './tables.ts';
import { isObject } from '../../model/values.ts';

const plainId = /^[A-Za-z0-9_-]{1,128}$/;

type Fields = Record<string, unknown>;

const object = (value: unknown): Fields => (isObject(value) ? value : {});

export function parse(json: unknown): Fields {
  try {
    return object(JSON.parse(String(json)));
  } catch {
    return {};
  }
}

/** One part as people read it. Null for parts that carry no text (step marks, snapshots). */
export function partText(part: Fields): string | null {
  switch (part['type']) {
    case 'text':
    case 'reasoning':
      return typeof part['text'] === 'string' ? part['text'] : null;
    case 'file':
      return `[file ${text(part['filename'] ?? part['mime'])}]`;
    case 'tool': {
      const state = object(part['state']);
      return `[tool ${text(part['tool'])}] ${JSON.stringify(state['input'] ?? {})}\n${text(state['output'] ?? state['error'] ?? '')}`;
    }
    default:
      return null;
  }
}

/** The last state of a message and of its parts that the event log holds. */
function* fromEvents(db: SqliteDatabase, tables: Tables, path: string, sessionId: string, messageId: string): Iterable<RecoveredText> {
  if (!hasEventLog(tables)) return;
  const type = (name: string): string => `type >= '${name}.' AND type < '${name}/'`;
  const info = db.prepare<[string, string], { data: unknown }>(`SELECT data FROM event WHERE aggregate_id = ? AND ${type('message.updated')} AND ${field('data', '$.info.id')} = ? ORDER BY seq DESC LIMIT 1`).get(sessionId, messageId);
  const role = text(object(parse(info?.data)['info'])['role']) || 'unknown';
  const created = createdOf(object(parse(info?.data)['info']));
  const parts = new Map<string, RecoveredText>();
  const rows = db.prepare<[string, string], { seq: unknown; data: unknown }>(`SELECT seq, data FROM event WHERE aggregate_id = ? AND ${type('message.part.updated')} AND ${field('data', '$.part.messageID')} = ? ORDER BY seq`);
  for (const { seq, data } of rows.iterate(sessionId, messageId)) {
    const part = object(parse(data)['part']);
    const body = partText(part);
    if (body !== null) parts.set(text(part['id']), { id: messageId, role, time: created, text: body, from: { path, table: 'event', row: number(seq) } });
  }
  yield* parts.values();
}

/** What the search index kept: texts are whole up to its own limit of 50 KiB. */
function* fromIndex(db: SqliteDatabase, tables: Tables, path: string, messageId: string): Iterable<RecoveredText> {
  if (!tables.has('history_fts', 'message_id', 'body', 'part_id')) return;
  const kind = tables.has('history_fts', 'kind') ? 'kind' : 'NULL';
  const rows = db.prepare<[string], { part: unknown; kind: unknown; body: unknown; time: unknown }>(`SELECT part_id AS part, ${kind} AS kind, body, time_created AS time FROM history_fts WHERE message_id = ? ORDER BY time_created, part_id`);
  for (const row of rows.iterate(messageId)) {
    const name = text(row.kind);
    const role = name.startsWith('user') ? 'user' : name.startsWith('tool') ? 'tool' : name === '' ? 'unknown' : 'assistant';
    yield { id: messageId, role, time: number(row.time), text: text(row.body), from: { path, table: 'history_fts', row: text(row.part) } };
  }
}

/** What the JSON files of before 1.2.0 have of a message. */
export function* fileTexts(storage: string, sessionId: string, messageId: string): Iterable<RecoveredText> {
  // Ids come from a database: one that would lead out of the folder is none.
  if (!plainId.test(sessionId) || !plainId.test(messageId)) return;
  const file = join(storage, 'message', sessionId, `${messageId}.json`);
  if (kindOf(file) !== 'file') return;
  const message = object(readJsonFile(file));
  const folder = join(storage, 'part', messageId);
  const role = text(message['role']) || 'unknown';
  if (kindOf(folder) !== 'folder') return;
  for (const entry of listFolder(folder)) {
    const body = entry.kind === 'file' ? partText(object(readJsonFile(entry.path))) : null;
    if (body !== null) yield { id: messageId, role, time: createdOf(message), text: body, from: { path: entry.path } };
  }
}

/** The texts of a message that has no row any more, from the fullest source that has it: event log, JSON files, search index. */
export function* readLostTexts(db: SqliteDatabase, tables: Tables, path: string, storage: string, sessionId: string, messageId: string): Iterable<RecoveredText> {
  for (const source of [() => fromEvents(db, tables, path, sessionId, messageId), () => fileTexts(storage, sessionId, messageId), () => fromIndex(db, tables, path, messageId)]) {
    const found = [...source()];
    if (found.length === 0) continue;
    yield* found;
    return;
  }
}
