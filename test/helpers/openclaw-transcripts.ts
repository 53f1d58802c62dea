import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../src/model/finding.ts';

export type Row = { [key: string]: Json };
/** A row is written as JSON; a text or bytes are written as they are. */
export type RawRow = Row | string | Buffer;

export type TranscriptSpec = {
  /** Session id. */
  id: string;
  /** Null: no entry names it. */
  key?: string | null;
  /** File name; default `<id>.jsonl`. */
  file?: string;
  /** Null: none. Default: a version 3 header. */
  header?: RawRow | null;
  rows: readonly RawRow[];
  /** Between rows and after the last. */
  newline?: string;
  /** After the last row; default `newline`. */
  ending?: string;
  /** Further fields of the entry. */
  entry?: Row;
};

export const talkStart = Date.parse('2026-06-09T12:00:00Z');

export function header(id: string, fields: Row = {}): Row {
  return { type: 'session', version: 3, id, timestamp: new Date(talkStart).toISOString(), cwd: '/srv/claw-ws', ...fields };
}

/** Makes the rows of one conversation in the shapes that OpenClaw 2026.7 writes; each row is the child of the one before. */
export function talk(prefix = 'a'): {
  rows: Row[];
  row(fields: Row): Row;
  user(text: string, message?: Row, fields?: Row): Row;
  reply(text: string, message?: Row, fields?: Row): Row;
  calls(ids: string[], message?: Row, fields?: Row): Row;
  result(callId: string, message?: Row, fields?: Row): Row;
  /** `count` exchanges of a question and an answer. */
  chat(count: number): void;
  lastId(): string;
} {
  const rows: Row[] = [];
  let time = talkStart;
  let serial = 0;
  const row = (fields: Row): Row => {
    time += 7000;
    const made: Row = { type: 'message', id: prefix + (serial++).toString(16).padStart(8 - prefix.length, '0'), parentId: lastId(), timestamp: new Date(time).toISOString(), ...fields };
    rows.push(made);
    return made;
  };
  const lastId = (): string => String(rows.at(-1)?.id);
  const user = (text: string, message: Row = {}, fields: Row = {}): Row =>
    row({ message: { role: 'user', content: text, timestamp: time + 6800, idempotencyKey: `${prefix}-key-${serial}:user`, ...message }, ...fields });
  const reply = (text: string, message: Row = {}, fields: Row = {}): Row =>
    row({ message: { role: 'assistant', content: [{ type: 'text', text }], provider: 'fake', model: 'm1', stopReason: 'stop', timestamp: time + 6900, ...message }, ...fields });
  const calls = (ids: string[], message: Row = {}, fields: Row = {}): Row =>
    reply('', { content: ids.map((id) => ({ type: 'toolCall', id, name: 'exec', arguments: { command: 'ls' } })), stopReason: 'toolUse', ...message }, fields);
  const result = (callId: string, message: Row = {}, fields: Row = {}): Row =>
    row({ message: { role: 'toolResult', toolCallId: callId, toolName: 'exec', content: [{ type: 'text', text: 'a b' }], isError: false, timestamp: time + 6900, ...message }, ...fields });
  const chat = (count: number): void => {
    for (let i = 0; i < count; i++) {
      user(`question ${prefix} ${serial}`);
      reply(`answer ${prefix} ${serial}`);
    }
  };
  row({ type: 'model_change', parentId: null, provider: 'fake', modelId: 'm1' });
  return { rows, row, user, reply, calls, result, chat, lastId };
}

function bytesOf(row: RawRow): Buffer {
  if (Buffer.isBuffer(row)) return row;
  return Buffer.from(typeof row === 'string' ? row : JSON.stringify(row));
}

/** Writes one transcript's bytes. */
export function transcriptBytes(spec: TranscriptSpec): Buffer {
  const newline = spec.newline ?? '\n';
  const first = spec.header === null ? [] : [spec.header ?? header(spec.id)];
  const lines = [...first, ...spec.rows].map(bytesOf);
  return Buffer.concat(lines.flatMap((line, i) => [line, Buffer.from(i + 1 < lines.length ? newline : (spec.ending ?? newline))]));
}

/** Writes an OpenClaw state folder (JSONL era) and returns its path. */
export function writeOpenclawStore(folder: string, transcripts: readonly TranscriptSpec[]): string {
  const sessions = join(folder, 'agents/main/sessions');
  mkdirSync(sessions, { recursive: true });
  const index: { [key: string]: Row } = {};
  for (const [number, spec] of transcripts.entries()) {
    const file = spec.file ?? `${spec.id}.jsonl`;
    writeFileSync(join(sessions, file), transcriptBytes(spec));
    const key = spec.key === undefined ? `agent:main:telegram:direct:${31_001 + number}` : spec.key;
    if (key !== null) index[key] = { sessionId: spec.id, sessionFile: file, updatedAt: talkStart + 600_000, sessionStartedAt: talkStart, lastInteractionAt: talkStart + 600_000, chatType: 'direct', ...spec.entry };
  }
  writeFileSync(join(sessions, 'sessions.json'), JSON.stringify(index, null, 2));
  return folder;
}
