import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { listFolder, readSmallFile } from '../../io/files.ts';
import { forEachLine } from '../../io/lines.ts';
import { errorMessage } from '../../model/errors.ts';
import type { Location } from '../../model/finding.ts';
import type { RecoveredText } from '../../model/recovery.ts';
import { isObject } from '../../model/values.ts';
import type { RowSource } from './captured-rows.ts';
import { secondsToMs } from './columns.ts';
import { lenientJson } from './session-rows.ts';
import { plainContent, rowText } from './texts.ts';
import type { CaptureCounts, CaptureSnapshot, SiblingFile } from './types.ts';

type Context = { session: string | null; sessionKey: string | null; time: number | null; from: Location };
type Spooled = Context & { id: string; role: string; content: unknown; calls: unknown };

/** Members of a spooled payload below which messages stand. */
const inner = ['data', 'message', 'messages', 'transcript', 'events', 'event'];
const largestFile = 64 * 1024 * 1024;
const deepest = 8;

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The messages of a payload: objects with a role, or a bare text that somebody sent. */
function* messagesOf(value: unknown, context: Context, depth = 0): Iterable<Spooled> {
  if (depth > deepest) return;
  if (Array.isArray(value)) {
    for (const item of value) yield* messagesOf(item, context, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  const own: Context = {
    from: context.from,
    session: text(value['session_id']) ?? context.session,
    sessionKey: text(value['session_key']) ?? context.sessionKey,
    time: secondsToMs(value['timestamp']) ?? secondsToMs(value['ts']) ?? context.time,
  };
  const id = text(value['message_uid']) ?? text(value['platform_message_id']) ?? text(value['message_id']) ?? `${basename(context.from.path)}${context.from.line === undefined ? '' : ` line ${context.from.line}`}`;
  if (typeof value['role'] === 'string') {
    if (value['role'] !== 'session_meta') yield { ...own, id, role: value['role'], content: value['content'], calls: value['tool_calls'] };
    return;
  }
  const bare = text(value['text']) ?? (depth === 0 ? text(value['content']) : null);
  if (bare !== null) yield { ...own, id, role: 'user', content: bare, calls: null };
  else for (const name of inner) yield* messagesOf(value[name], own, depth + 1);
}

type Reading = { counts: CaptureCounts; strange: string[] };

/** One file of `pending_messages`: JSON that Hermes wrote while it could not write rows. */
function* ofFolder(folder: string, { counts, strange }: Reading): Iterable<Spooled> {
  for (const entry of listFolder(folder)) {
    if (entry.kind === 'folder' || entry.name.startsWith('.')) continue;
    let found = 0;
    try {
      if (entry.kind !== 'file') throw new Error(entry.kind === 'link' ? 'a link, and links are not followed' : 'no regular file');
      const payload = lenientJson(readSmallFile(entry.path, largestFile).toString('utf8').replace(/^\ufeff/, ''));
      for (const message of messagesOf(payload, { session: null, sessionKey: null, time: null, from: { path: entry.path } })) {
        found++;
        yield message;
      }
      if (found === 0) strange.push(`${entry.name} holds no message that is known`);
    } catch (error) {
      counts.unread++;
      strange.push(`${entry.name}: ${errorMessage(error)}`);
    }
  }
}

/** `sessions/<id>.jsonl`: a message a line. */
function ofTranscript(path: string, { counts, strange }: Reading): Spooled[] {
  const session = basename(path).replace(/\.jsonl$/, '');
  const found: Spooled[] = [];
  forEachLine(path, (line) => {
    const value = line.oversized ? undefined : lenientJson(line.buffer.toString('utf8', line.start, line.end));
    if (value === undefined && line.bytes > 0) {
      counts.unread++;
      strange.push(`line ${line.number} is no JSON`);
    } else found.push(...messagesOf(value, { session, sessionKey: null, time: null, from: { path, line: line.number } }));
  });
  return found;
}

const keyOf = (role: unknown, content: unknown): string => hash('sha256', JSON.stringify([role, plainContent(content).trim()]), 'base64').slice(0, 22);

/** Texts of a session that the store has, by role; asked for once for each session. */
function knownTexts(store: RowSource | null): (session: string) => Set<string> {
  const bySession = new Map<string, Set<string>>();
  return (session) => {
    const known = bySession.get(session) ?? new Set<string>();
    if (!bySession.has(session)) for (const row of store?.rows(session) ?? []) known.add(keyOf(row.role, row.content));
    bySession.set(session, known);
    return known;
  };
}

/**
 * Messages that Hermes laid down as files because the database refused them. They have no row yet, so that role and text tell
 * whether the store has them by now.
 */
export function openSpool(sibling: SiblingFile, store: () => RowSource | null): CaptureSnapshot {
  const counts: CaptureCounts = { rows: 0, present: 0, repeated: 0, unread: 0, stopped: [], sessions: new Set() };
  const reading: Reading = { counts, strange: counts.stopped };
  const read = function* (seen: Set<string>): Iterable<RecoveredText> {
    const known = knownTexts(store());
    const messages = sibling.kind === 'spool' ? ofFolder(sibling.path, reading) : ofTranscript(sibling.path, reading);
    try {
      for (const { session, sessionKey, time, from, id, role, content, calls } of messages) {
        counts.rows++;
        const key = keyOf(role, content);
        const mark = `spool\0${session ?? sessionKey ?? ''}\0${key}\0${time ?? ''}`;
        if (session !== null && known(session).has(key)) counts.present++;
        else if (seen.has(mark)) counts.repeated++;
        else {
          seen.add(mark);
          if (session !== null) counts.sessions.add(session);
          yield { id, role, time, text: rowText(content, typeof calls === 'string' || calls === null || calls === undefined ? calls : JSON.stringify(calls)), from, session, sessionKey };
        }
      }
    } catch (error) {
      counts.stopped.push(errorMessage(error));
    }
  };
  return { file: sibling, notes: sibling.kind === 'spool' ? ['Hermes takes in by itself, at its next start, what it can of them.'] : [], problem: null, counts, lacking: read, close() {} };
}
