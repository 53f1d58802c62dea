import { hash } from 'node:crypto';
import type { SqliteDatabase } from '../../io/sqlite.ts';
import { columnsOf, tablesOf } from '../../io/sqlite-snapshot.ts';
import { errorMessage } from '../../model/errors.ts';
import type { RecoveredText } from '../../model/recovery.ts';
import { secondsToMs } from './columns.ts';
import { lenientJson } from './session-rows.ts';
import { rowText } from './texts.ts';
import type { CaptureCounts } from './types.ts';

/** The rows of a database by session, in id order, without trust in its indexes. */
export type RowSource = {
  sessions(): Iterable<string>;
  rows(session: string): Iterable<Raw>;
  count: number;
  /** Tool ids are only compared where both databases have them. */
  has: { callId: boolean; calls: boolean };
  /** The chat of a session, where it is known. */
  keyOf(session: string): string | null;
};

type Raw = { id: number; role: unknown; content: unknown; timestamp: unknown; callId: unknown; calls: unknown; uid: unknown; absorbed: unknown };

const needed = ['id', 'session_id', 'role', 'content', 'timestamp'];

/** Why the rows of a database cannot be asked for, or null. */
export function lacksRows(db: SqliteDatabase): string | null {
  if (!tablesOf(db).has('messages')) return 'it has no table messages';
  const columns = columnsOf(db, 'messages');
  const missing = needed.filter((name) => !columns.has(name));
  return missing.length === 0 ? null : `its table messages has no ${missing.join(', ')}`;
}

/** Prepares the reading of all message rows. One pass over the table fills a temporary list of ids. */
export function rowSource(db: SqliteDatabase): RowSource {
  const columns = columnsOf(db, 'messages');
  const column = (name: string): string => (columns.has(name) ? `m."${name}"` : 'NULL');
  db.pragma('query_only = OFF');
  db.exec("CREATE TEMP TABLE IF NOT EXISTS sessionfsck_rows (session TEXT, id INTEGER, PRIMARY KEY (session, id)) WITHOUT ROWID; DELETE FROM temp.sessionfsck_rows; INSERT INTO temp.sessionfsck_rows SELECT coalesce(CAST(session_id AS TEXT), ''), id FROM messages NOT INDEXED");
  db.pragma('query_only = ON');
  const sessions = db.prepare<[], string>('SELECT DISTINCT session FROM temp.sessionfsck_rows ORDER BY 1').pluck();
  const rows = db.prepare<[string], Raw>(
    `SELECT m.id, m.role, m.content, m.timestamp, ${column('tool_call_id')} AS callId, ${column('tool_calls')} AS calls, ${column('message_uid')} AS uid, ${column('absorbed_message_uids')} AS absorbed
     FROM (SELECT id FROM temp.sessionfsck_rows WHERE session = ? ORDER BY id LIMIT -1) k CROSS JOIN messages m ON m.id = k.id`,
  );
  return {
    sessions: () => sessions.all(),
    rows: (session) => rows.iterate(session),
    count: Number(db.prepare('SELECT count(*) FROM temp.sessionfsck_rows').pluck().get()),
    has: { callId: columns.has('tool_call_id'), calls: columns.has('tool_calls') },
    keyOf: sessionKeys(db),
  };
}

const blank = (value: unknown): boolean => value === null || value === undefined || value === '';

/** What tells one logical message from others of its session: role, content, time and tool ids (Hermes format notes §3.4); half a SHA-256. */
function identityOf({ role, content, timestamp, callId, calls }: Raw, has: RowSource['has']): string {
  const parts = [role, content, timestamp, blank(callId) || !has.callId ? null : callId, blank(calls) || !has.calls ? null : calls].map((value) => (value instanceof Uint8Array ? ['blob', Buffer.from(value).toString('base64')] : value));
  return hash('sha256', JSON.stringify(parts), 'base64').slice(0, 22);
}

const uidOf = ({ uid }: Raw): string | null => (typeof uid === 'string' && uid !== '' ? uid : null);

/** The messages of one session: their identities and uids, those included whose text was folded into another row. */
type Known = { identities: Set<string>; uids: Set<string> };

function knownOf(source: RowSource | null, session: string, has: RowSource['has']): Known {
  const known: Known = { identities: new Set(), uids: new Set() };
  if (source === null) return known;
  for (const row of source.rows(session)) {
    known.identities.add(identityOf(row, has));
    const uid = uidOf(row);
    if (uid !== null) known.uids.add(uid);
    const absorbed = typeof row.absorbed === 'string' ? lenientJson(row.absorbed) : null;
    if (Array.isArray(absorbed)) for (const one of absorbed) if (typeof one === 'string') known.uids.add(one);
  }
  return known;
}

const holds = ({ identities, uids }: Known, identity: string, uid: string | null): boolean => (uid !== null && uids.has(uid)) || identities.has(identity);

/**
 * The rows of a copy that the store lacks, by uid, else by identity, session by session in id order; each logical message once,
 * also over several copies (`seen` keeps what was handed out). `counts` is filled while it is iterated. A row that SQLite
 * cannot read ends its session; what was not reached is counted as unread.
 */
export function* lackingRows(copy: RowSource, store: RowSource | null, path: string, seen: Set<string>, counts: CaptureCounts): Iterable<RecoveredText> {
  const has = { callId: copy.has.callId && (store?.has.callId ?? true), calls: copy.has.calls && (store?.has.calls ?? true) };
  counts.rows = copy.count;
  counts.unread = copy.count;
  for (const session of copy.sessions()) {
    const known = knownOf(store, session, has);
    const sessionKey = copy.keyOf(session);
    let last: number | null = null;
    try {
      for (const row of copy.rows(session)) {
        const uid = uidOf(row);
        const identity = identityOf(row, has);
        last = row.id;
        counts.unread--;
        if (holds(known, identity, uid)) {
          counts.present++;
          continue;
        }
        const marks = [`${session}\0${identity}`, ...(uid === null ? [] : [`${session}\0${uid}`])];
        const again = marks.some((mark) => seen.has(mark));
        for (const mark of marks) seen.add(mark);
        if (again) {
          counts.repeated++;
          continue;
        }
        counts.sessions.add(session);
        yield { id: String(row.id), role: String(row.role ?? 'unknown'), time: secondsToMs(row.timestamp), text: rowText(row.content, row.calls), from: { path, table: 'messages', row: row.id }, session, sessionKey };
      }
    } catch (error) {
      counts.stopped.push(`session ${session}${last === null ? '' : ` behind row ${last}`}: ${errorMessage(error)}`);
    }
  }
}

/** The chat of a session, where the copy knows it. */
function sessionKeys(db: SqliteDatabase): (session: string) => string | null {
  if (!columnsOf(db, 'sessions').has('session_key')) return () => null;
  const statement = db.prepare<[string], unknown>('SELECT session_key FROM sessions WHERE id = ?').pluck();
  return (session) => {
    const key = statement.get(session);
    return typeof key === 'string' && key !== '' ? key : null;
  };
}
