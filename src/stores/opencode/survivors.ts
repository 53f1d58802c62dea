import { join } from 'node:path';
import { kindOf, listFolder } from '../../io/files.ts';
import type { SqliteDatabase } from '../../io/sqlite.ts';
import { hasEventLog } from './event-log.ts';
import { createdOf, readJsonFile } from './legacy-files.ts';
import { field, number, text, textOrNull, type Tables } from './tables.ts';
import type { LostMessage, SurvivingMessage, SurvivingPart } from './types.ts';

const between = (name: string): string => `type >= '${name}.' AND type < '${name}/'`;

function parsed(json: unknown): unknown {
  try {
    return JSON.parse(text(json));
  } catch {
    return null;
  }
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value ? (value as { [key: string]: unknown })[key] : undefined;
}

const textOf = (part: unknown): string | null => textOrNull(member(part, 'text'));

/**
 * What the event log still has of these messages of one session: the last snapshot of each and of its parts. Two passes over
 * the log keep numbers only; a message's content is read when it is handed out.
 */
export function* fromEvents(db: SqliteDatabase, tables: Tables, sessionId: string, wanted: ReadonlySet<string>): Iterable<SurvivingMessage> {
  if (!hasEventLog(tables)) return;
  const infos = new Map<string, number>();
  const parts = new Map<string, Map<string, number>>();
  const passes = [
    db.prepare<[string], unknown[]>(`SELECT seq, ${field('data', '$.info.id')}, NULL FROM event WHERE aggregate_id = ? AND ${between('message.updated')} ORDER BY seq`).raw(),
    db.prepare<[string], unknown[]>(`SELECT seq, ${field('data', '$.part.messageID')}, ${field('data', '$.part.id')} FROM event WHERE aggregate_id = ? AND ${between('message.part.updated')} ORDER BY seq`).raw(),
  ];
  for (const pass of passes) {
    for (const [seq, id, partId] of pass.iterate(sessionId)) {
      const messageId = text(id);
      if (!wanted.has(messageId)) continue;
      if (partId === null) infos.set(messageId, number(seq));
      else parts.set(messageId, (parts.get(messageId) ?? new Map<string, number>()).set(text(partId), number(seq)));
    }
  }
  const content = db.prepare<[string, number], unknown>('SELECT data FROM event WHERE aggregate_id = ? AND seq = ?').pluck();
  for (const [messageId, seq] of infos) {
    const info = member(parsed(content.get(sessionId, seq)), 'info');
    const found: SurvivingPart[] = [...(parts.get(messageId) ?? [])].map(([partId, partSeq]) => {
      const data = member(parsed(content.get(sessionId, partSeq)), 'part');
      return { partId, kind: text(member(data, 'type')), text: textOf(data), data, place: `event ${partSeq}` };
    });
    yield survivor('event', sessionId, messageId, info, found, createdOf(info), `event ${seq}`);
  }
}

/** What the search index still has: bodies only, no JSON. */
export function* fromIndex(db: SqliteDatabase, tables: Tables, sessionId: string, wanted: ReadonlySet<string>): Iterable<SurvivingMessage> {
  if (!tables.has('history_fts', 'part_id', 'session_id', 'message_id', 'body', 'time_created')) return;
  const column = (name: string): string => (tables.has('history_fts', name) ? name : 'NULL');
  const rows = db.prepare<[string, string], unknown[]>(`SELECT part_id, ${column('kind')}, ${column('tool_name')}, body, time_created FROM history_fts WHERE message_id = ? AND session_id = ? ORDER BY time_created, part_id`).raw();
  for (const messageId of wanted) {
    const found = rows.all(messageId, sessionId);
    const [first] = found;
    if (first === undefined) continue;
    const parts = found.map(([partId, kind, tool, body]): SurvivingPart => ({ partId: text(partId), kind: text(kind), text: text(body), data: tool === null ? null : { tool }, place: `history_fts ${text(partId)}` }));
    const kinds = parts.map((part) => part.kind);
    const role = kinds.includes('user_text') ? 'user' : kinds.some((kind) => kind !== '') ? 'assistant' : null;
    yield { source: 'history_fts', sessionId, messageId, role, time: number(first[4]), data: null, parts, place: `history_fts ${text(first[0])}` };
  }
}

/** What the JSON files of before 1.2.0 still have below `storage`. */
export function* fromFiles(storage: string, sessionId: string, wanted: ReadonlySet<string>): Iterable<SurvivingMessage> {
  // Ids come from a store: none may lead out of the folder.
  const safe = (id: string): boolean => /^[A-Za-z0-9_-]+$/.test(id);
  if (!safe(sessionId)) return;
  for (const messageId of wanted) {
    if (!safe(messageId)) continue;
    const path = join(storage, 'message', sessionId, `${messageId}.json`);
    if (kindOf(path) !== 'file') continue;
    const folder = join(storage, 'part', messageId);
    const files = kindOf(folder) === 'folder' ? listFolder(folder).filter((entry) => entry.kind === 'file' && entry.name.endsWith('.json')) : [];
    const parts = files.map((file): SurvivingPart => {
      const data = readJsonFile(file.path);
      return { partId: file.name.slice(0, -5), kind: text(member(data, 'type')), text: textOf(data), data, place: `storage/part/${messageId}/${file.name}` };
    });
    const info = readJsonFile(path);
    yield survivor('json', sessionId, messageId, info, parts, createdOf(info), `storage/message/${sessionId}/${messageId}.json`);
  }
}

function survivor(source: LostMessage['source'], sessionId: string, messageId: string, info: unknown, parts: SurvivingPart[], time: number | null, place: string): SurvivingMessage {
  const role = member(info, 'role');
  return { source, sessionId, messageId, role: role === 'user' || role === 'assistant' ? role : null, time, data: info ?? null, parts, place };
}
