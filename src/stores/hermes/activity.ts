import type { SqliteDatabase } from '../../io/sqlite.ts';
import { secondsToMs, type Columns } from './columns.ts';
import type { SessionRead } from './message-columns.ts';
import type { SessionActivity } from './types.ts';

export const noActivity: SessionActivity = { messages: 0, firstMessageAt: null, lastMessageAt: null, lastUserAt: null };

export function activityOf(read: SessionRead): SessionActivity {
  return { messages: read.visible, firstMessageAt: secondsToMs(read.firstAt), lastMessageAt: secondsToMs(read.lastAt), lastUserAt: secondsToMs(read.lastUserAt) };
}

type Raw = { messages: number; first: number | null; last: number | null; lastUser: number | null };

/** Asks the database for the activity of one session, without reading any text. The same rows and times as in a digest. */
export function activityReader(db: SqliteDatabase, columns: Columns): (sessionId: string) => SessionActivity {
  const visible = columns.messages.has('active') ? `(active = 1 OR active IS NULL${columns.messages.has('compacted') ? ' OR compacted = 1' : ''})` : '1';
  const sane = "typeof(timestamp) = 'real' AND timestamp BETWEEN 1e9 AND 4.2e9";
  const ask = db.prepare<[string], Raw>(
    `SELECT count(*) AS messages, min(CASE WHEN ${sane} THEN timestamp END) AS first, max(CASE WHEN ${sane} THEN timestamp END) AS last, max(CASE WHEN role = 'user' AND ${sane} THEN timestamp END) AS lastUser
     FROM messages WHERE session_id = ? AND role <> 'session_meta' AND ${visible}`,
  );
  return (sessionId) => {
    const row = ask.get(sessionId);
    return row ? { messages: row.messages, firstMessageAt: secondsToMs(row.first), lastMessageAt: secondsToMs(row.last), lastUserAt: secondsToMs(row.lastUser) } : noActivity;
  };
}
