import type { SqliteDatabase } from '../../io/sqlite.ts';
import type { Columns } from './columns.ts';
import { Flag, roleNames, type MessageColumns } from './digest-types.ts';
import { hashValue, mixHashes } from './hash.ts';
import { lenientJson } from './session-rows.ts';
import { summaryText } from './summary-text.ts';

/** JSON columns that SQLite judges, so that their text need not be read. */
const judgedInSql = ['reasoning_details', 'codex_reasoning_items', 'codex_message_items', 'display_metadata', 'tool_call_uids'] as const;

const other = roleNames.indexOf('other');
const user = roleNames.indexOf('user');
const sessionMeta = roleNames.indexOf('session_meta');

const jsonPrefix = '\u0000json:';

export type SessionRead = {
  messages: MessageColumns;
  absorbed: Map<number, number>;
  invalidJson: Map<string, number[]>;
  firstAt: number;
  lastAt: number;
  lastUserAt: number;
  visible: number;
};

/** What one prepared reader keeps: the statements, and the columns that are filled anew for each session. */
export type MessageReader = { read(sessionId: string): SessionRead };

function emptyColumns(capacity: number): MessageColumns {
  return {
    count: 0,
    ids: new Float64Array(capacity),
    timestamps: new Float64Array(capacity),
    roles: new Uint8Array(capacity),
    flags: new Uint8Array(capacity),
    texts: new Float64Array(capacity),
    callIds: new Float64Array(capacity),
    uids: new Float64Array(capacity),
    callCounts: new Uint16Array(capacity),
    callStarts: new Uint32Array(capacity + 1),
    declared: new Float64Array(64),
  };
}

/** `messages.timestamp` outside of these seconds is salvage garbage or milliseconds (Hermes format notes §3.5). */
const saneTime = (seconds: number): boolean => seconds >= 1e9 && seconds <= 4.2e9;

type DeclaredCalls = { ids: readonly string[]; bad: boolean; invalid: boolean };
const noCalls: DeclaredCalls = { ids: [], bad: false, invalid: false };

function callIdsOf(source: unknown): DeclaredCalls {
  if (source === null || source === undefined || source === '') return noCalls;
  const parsed = typeof source === 'string' ? lenientJson(source) : undefined;
  if (parsed === undefined) return { ids: [], bad: true, invalid: true };
  if (!Array.isArray(parsed)) return { ids: [], bad: true, invalid: false };
  return { ids: parsed.map(callIdOf), bad: false, invalid: false };
}

/** The id of one declared call; an empty text when it has none. */
export function callIdOf(call: unknown): string {
  if (typeof call !== 'object' || call === null) return '';
  const record = call as { [key: string]: unknown };
  const id = record['id'] ?? record['call_id'];
  return typeof id === 'string' ? id : '';
}

/**
 * Prepares the reading of sessions. Rows come in id order. Where they lie apart, the ids are sorted first, on a covering index and narrow, and only
 * then is each row fetched by its id, so that no wide column ever goes through a sorter.
 */
export function messageReader(db: SqliteDatabase, columns: Columns): MessageReader {
  const has = (name: string): boolean => columns.messages.has(name);
  const judged = judgedInSql.filter(has);
  // Role, flags and what is no JSON go into one number, so that few values of a row have to be made into JavaScript's.
  const roleCode = `CASE m.role ${roleNames.map((name, code) => `WHEN '${name}' THEN ${code}`).join(' ')} ELSE ${other} END`;
  const flagIf = (condition: string, value: number): string => `(CASE WHEN ${condition} THEN ${value} ELSE 0 END)`;
  const flagCode = [
    has('active') ? `${flagIf('m.active = 1', Flag.active)} | ${flagIf('m.active IS NULL', Flag.activeNull)}` : String(Flag.active),
    has('compacted') ? flagIf('m.compacted = 1', Flag.compacted) : '0',
    has('_compressed_summary') ? flagIf('m."_compressed_summary" = 1', Flag.summary) : '0',
  ].join(' | ');
  const invalidCode = judged.map((name, position) => flagIf(`m."${name}" IS NOT NULL AND m."${name}" <> '' AND NOT json_valid(m."${name}")`, 1 << position)).join(' | ') || '0';
  const wanted = ['id', 'content', 'tool_call_id', 'tool_calls', 'tool_name', 'timestamp', 'message_uid', 'absorbed_message_uids'].map((name) => (has(name) ? `m."${name}"` : 'NULL'));
  const selected = `${wanted.slice(0, has('message_uid') || has('absorbed_message_uids') ? 8 : 6).join(', ')}`;
  const code = `(${roleCode}) | ((${flagCode}) << 8) | ((${invalidCode}) << 16)`;
  const spread = db.prepare<[string], { size: number; first: number | null; last: number | null }>(`SELECT count(*) AS size, min(id) AS first, max(id) AS last FROM ${columns.idSource} WHERE session_id = ?`);
  const scattered = db.prepare<[string], unknown[]>(`SELECT ${code}, ${selected} FROM (SELECT id FROM ${columns.idSource} WHERE session_id = ? ORDER BY id LIMIT -1) k CROSS JOIN messages m ON m.id = k.id`).raw();
  const dense = db.prepare<[number, number, string], unknown[]>(`SELECT ${code}, ${selected} FROM messages m NOT INDEXED WHERE m.id BETWEEN ? AND ? AND m.session_id = ? ORDER BY m.id`).raw();
  const atOnce = rowsAtOnce(db);
  const oneColumn = new Map(judged.map((name) => [name, db.prepare<[number], unknown>(`SELECT "${name}" FROM messages WHERE id = ?`).pluck()]));
  let messages = emptyColumns(1024);

  const read = (sessionId: string): SessionRead => {
    const { size: expected, first, last } = spread.get(sessionId) ?? { size: 0, first: null, last: null };
    if (expected > messages.ids.length) messages = emptyColumns(Math.ceil(expected * 1.1));
    const result: SessionRead = { messages, absorbed: new Map(), invalidJson: new Map(), firstAt: Infinity, lastAt: -Infinity, lastUserAt: -Infinity, visible: 0 };
    const suspects: [(typeof judgedInSql)[number], number][] = [];
    const reject = (column: string, id: number): void => {
      const list = result.invalidJson.get(column);
      if (list) list.push(id);
      else result.invalidJson.set(column, [id]);
    };
    let count = 0;
    let declared = 0;
    // Where a session's rows lie together, the table is walked; else each row is fetched by its id.
    const together = first !== null && last !== null && expected * 2 > last - first;
    const few = expected <= atOnce;
    const visit = (row: unknown[]): void => {
      if (count >= messages.ids.length) return;
      const numbers = row[0] as number;
      const rowId = row[1] as number;
      const content = row[2];
      const callId = row[3];
      const calls = row[4];
      const toolName = row[5];
      const timestamp = row[6];
      const uid = row[7];
      const absorbedUids = row[8];
      const index = count++;
      const roleIndex = numbers & 0xff;
      let flags = (numbers >> 8) & 0xff;
      const invalid = numbers >> 16;
      if (typeof content === 'string') {
        const found = summaryText(content);
        if (found.head) flags |= Flag.summaryHead;
        if (found.textAfter) flags |= Flag.textAfterSummary;
        if (content.startsWith(jsonPrefix) && lenientJson(content.slice(jsonPrefix.length)) === undefined) reject('content', rowId);
      }
      const declaredCalls = callIdsOf(calls);
      if (declaredCalls.bad) flags |= Flag.badCalls;
      if (declaredCalls.invalid) reject('tool_calls', rowId);
      if (declaredCalls.ids.length === 0 && !declaredCalls.bad && (content === null || (typeof content === 'string' && content.length < 64 && content.trim() === ''))) flags |= Flag.empty;
      if (typeof absorbedUids === 'string' && absorbedUids !== '') {
        const uids = lenientJson(absorbedUids);
        if (uids === undefined) reject('absorbed_message_uids', rowId);
        else if (Array.isArray(uids)) for (const absorbed of uids) if (typeof absorbed === 'string') result.absorbed.set(hashValue(absorbed), index);
      }
      if (invalid !== 0) for (const [bit, name] of judged.entries()) if (invalid & (1 << bit)) suspects.push([name, rowId]);

      messages.ids[index] = rowId;
      messages.timestamps[index] = typeof timestamp === 'number' ? timestamp : Number.NaN;
      messages.roles[index] = roleIndex;
      messages.flags[index] = flags;
      messages.texts[index] = mixHashes(mixHashes(hashValue(content), hashValue(calls === '' ? null : calls)), hashValue(toolName === '' ? null : toolName));
      messages.callIds[index] = callId === '' ? 0 : hashValue(callId);
      messages.uids[index] = uid === '' ? 0 : hashValue(uid);
      messages.callCounts[index] = Math.min(declaredCalls.ids.length, 0xffff);
      messages.callStarts[index] = declared;
      for (const call of declaredCalls.ids) {
        if (declared === messages.declared.length) {
          const larger = new Float64Array(declared * 2);
          larger.set(messages.declared);
          messages.declared = larger;
        }
        messages.declared[declared++] = call === '' ? 0 : hashValue(call);
      }
      if ((flags & (Flag.active | Flag.compacted | Flag.activeNull)) !== 0 && roleIndex !== sessionMeta) {
        result.visible++;
        if (typeof timestamp === 'number' && saneTime(timestamp)) {
          if (timestamp < result.firstAt) result.firstAt = timestamp;
          if (timestamp > result.lastAt) result.lastAt = timestamp;
          if (roleIndex === user && timestamp > result.lastUserAt) result.lastUserAt = timestamp;
        }
      }
    };
    if (together) {
      // In windows, so that neither the rows of a huge session are held at once nor each row is asked for on its own.
      const step = Math.max(1, atOnce);
      for (let from = first; from <= last; from += step) for (const row of dense.all(from, Math.min(last, from + step - 1), sessionId)) visit(row);
    } else if (few) for (const row of scattered.all(sessionId)) visit(row);
    else for (const row of scattered.iterate(sessionId)) visit(row);
    messages.count = count;
    messages.callStarts[count] = declared;
    for (const [name, rowId] of suspects) if (isBroken(name, oneColumn.get(name)?.get(rowId))) reject(name, rowId);
    return result;
  };
  return { read };
}

/** How many rows may be fetched in one go: about 4 MB of them, by the average row of the file. */
function rowsAtOnce(db: SqliteDatabase): number {
  const pages = Number(db.pragma('page_count', { simple: true }));
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  const rows = db.prepare<[], number | null>('SELECT max(id) FROM messages').pluck().get() ?? 1;
  return Math.min(1000, Math.floor(4e6 / ((pages * pageSize) / Math.max(1, rows))));
}

/** Second look at what SQLite called no JSON: Python writes NaN, and provider texts are stored in the reasoning columns as they come. */
function isBroken(column: string, value: unknown): boolean {
  if (typeof value !== 'string') return true;
  if (column !== 'display_metadata' && column !== 'tool_call_uids' && !/^\s*[[{]/.test(value)) return false;
  return lenientJson(value) === undefined;
}
