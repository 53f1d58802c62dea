import { join } from 'node:path';
import { kindOf } from '../../io/files.ts';
import type { RecoveredText } from '../../model/recovery.ts';
import { createdOf, legacyMessages, legacySessions, readJsonFile } from './legacy-files.ts';
import { fileTexts } from './lost-texts.ts';

/**
 * Why no reader shows a session of the JSON files: it has no session file; its project file is missing, so that 1.2.0 and later
 * leave it out when they import (opencode format notes §2.5); the database that took its place cannot be read.
 */
export type LegacyReason = 'no-session' | 'no-project' | 'no-database';

export type LegacyHidden = { sessionId: string; why: LegacyReason; messages: string[] };

/** The messages in the JSON files of before 1.2.0, counted from their names. */
export type LegacyCopy = {
  /** Absolute path of the `storage` folder. */
  storage: string;
  sessions: number;
  messages: number;
  hidden: LegacyHidden[];
  /** The texts of one session's messages, by their time. */
  texts(hidden: LegacyHidden): Iterable<RecoveredText>;
};

function* textsOf(storage: string, { sessionId, messages }: LegacyHidden): Iterable<RecoveredText> {
  const timed = messages.map((id) => ({ id, time: createdOf(readJsonFile(join(storage, 'message', sessionId, `${id}.json`))) ?? 0 }));
  for (const { id } of timed.sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))) yield* fileTexts(storage, sessionId, id);
}

/** Reads the names below `storage`; null where no messages lie there. `damaged`: the database beside them cannot be read. Throws UnreadableError. */
export function readLegacyCopy(storage: string, damaged: boolean): LegacyCopy | null {
  if (kindOf(join(storage, 'message')) !== 'folder') return null;
  const known = new Map<string, boolean>();
  for (const { id, projectExists } of legacySessions(storage)) known.set(id, projectExists || (known.get(id) ?? false));
  const bySession = new Map<string, string[]>();
  let messages = 0;
  for (const { sessionId, messageId } of legacyMessages(storage)) {
    messages++;
    const list = bySession.get(sessionId);
    if (list) list.push(messageId);
    else bySession.set(sessionId, [messageId]);
  }
  const whyOf = (sessionId: string): LegacyReason | null => (damaged ? 'no-database' : !known.has(sessionId) ? 'no-session' : known.get(sessionId) ? null : 'no-project');
  const hidden: LegacyHidden[] = [];
  for (const [sessionId, list] of [...bySession].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const why = whyOf(sessionId);
    if (why !== null) hidden.push({ sessionId, why, messages: list });
  }
  return messages === 0 ? null : { storage, sessions: bySession.size, messages, hidden, texts: (one) => textsOf(storage, one) };
}
