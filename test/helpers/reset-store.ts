import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json } from '../../src/model/finding.ts';

type Row = { [key: string]: Json };

/** One session of a chat, as a policy reset of 2026.7.1-2 leaves it; times are ISO texts. */
export type SessionSpec = {
  id: string;
  /** Header time. */
  from: string;
  /** When a person spoke; each time the agent answered two seconds later. */
  said: string[];
  /** Absent: it is the chat's current session. `left`: ended, but its file was not renamed. */
  end?: { kind: 'reset' | 'deleted'; at: string } | 'left';
  /** The first message is this instead of talk. */
  command?: string;
  /** A trajectory beside it names this key; by default the chat's, for ended sessions. Null: there is none. */
  trajectoryKey?: string | null;
  /** The user rows are the product's own. */
  internal?: boolean;
};

export type ChatSpec = {
  key: string;
  sessions: SessionSpec[];
  /** Fields of the entry; null: the key has none. */
  entry?: Row | null;
  /** Ids that the entry's family names; default all that were reset, and the current one. */
  family?: string[] | null;
};

const iso = (time: string | number): string => new Date(time).toISOString();

function rowsOf({ id, from, said, command, internal }: SessionSpec): Row[] {
  const rows: Row[] = [{ type: 'session', version: 3, id, timestamp: iso(from), cwd: '/srv/claw-ws' }];
  let parent: string | null = null;
  const add = (at: number, message: Row): void => {
    const row = `${id.slice(0, 4)}${rows.length.toString(16).padStart(4, '0')}`;
    rows.push({ type: 'message', id: row, parentId: parent, timestamp: iso(at), message });
    parent = row;
  };
  for (const [number, time] of said.entries()) {
    const at = Date.parse(time);
    add(at + 180, { role: 'user', content: number === 0 && command ? command : `words ${id.slice(0, 4)} ${number}`, timestamp: at, ...(internal ? { provenance: { kind: 'internal_system' } } : {}) });
    add(at + 2000, { role: 'assistant', content: [{ type: 'text', text: `answer ${id.slice(0, 4)} ${number}` }], provider: 'fake', model: 'm1', stopReason: 'stop', timestamp: at + 1900 });
  }
  return rows;
}

const lines = (rows: readonly Row[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** The name that an archive gets. */
export function archiveName(id: string, kind: 'reset' | 'deleted', at: string): string {
  return `${id}.jsonl.${kind}.${iso(at).replaceAll(':', '-')}`;
}

/** Writes an OpenClaw state folder (JSONL era) with these chats and this `openclaw.json` (a text is written as it is; null: none). */
export function writeResetStore(folder: string, chats: readonly ChatSpec[], config: Json | null = { session: { reset: { mode: 'daily', atHour: 4 } } }): string {
  const sessions = join(folder, 'agents/main/sessions');
  const index: { [key: string]: Row } = {};
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(sessions, name)), { recursive: true });
    writeFileSync(join(sessions, name), text);
  };
  for (const chat of chats) {
    for (const session of chat.sessions) {
      const { end, id } = session;
      write(end === undefined || end === 'left' ? `${id}.jsonl` : archiveName(id, end.kind, end.at), lines(rowsOf(session)));
      const key = session.trajectoryKey === undefined ? (end === undefined || end === 'left' ? null : chat.key) : session.trajectoryKey;
      if (key !== null) write(`${id}.trajectory.jsonl`, lines(['session.started', 'session.ended'].map((type, seq) => ({ traceSchema: 'openclaw-trajectory', schemaVersion: 1, traceId: id, sessionId: id, sessionKey: key, type, ts: iso(session.from), seq, data: {} }))));
    }
    const current = chat.sessions.find((session) => session.end === undefined);
    if (chat.entry === null || current === undefined) continue;
    const last = Date.parse(current.said.at(-1) ?? current.from);
    const ended = chat.sessions.filter((session) => session.end !== undefined && session.end !== 'left' && session.end.kind === 'reset').map((session) => session.id);
    const family = chat.family === undefined ? (ended.length > 0 ? [...ended, current.id] : null) : chat.family;
    index[chat.key] = {
      sessionId: current.id,
      sessionFile: `${current.id}.jsonl`,
      updatedAt: last + 2040,
      sessionStartedAt: Date.parse(current.from),
      lastInteractionAt: last,
      chatType: chat.key.includes(':group:') ? 'group' : 'direct',
      ...(family === null ? {} : { usageFamilyKey: chat.key, usageFamilySessionIds: family }),
      ...chat.entry,
    };
  }
  mkdirSync(sessions, { recursive: true });
  write('sessions.json', `${JSON.stringify(index, null, 2)}\n`);
  if (config !== null) writeFileSync(join(folder, 'openclaw.json'), typeof config === 'string' ? config : JSON.stringify(config, null, 2));
  return folder;
}

export const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444'] as const;
