import type { SqliteDatabase } from '../../io/sqlite.ts';
import { columnOr, type Columns } from './columns.ts';
import { Flag, roleNames, type MessageColumns } from './digest-types.ts';
import { hashValue, mixHashes } from './hash.ts';
import { lenientJson } from './session-rows.ts';
import { summaryText } from './summary-text.ts';

/** JSON columns that SQLite judges, so that their text need not be read. */
const judgedInSql = ['reasoning_details', 'codex_reasoning_items', 'codex_message_items', 'display_metadata', 'tool_call_uids'] as const;

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

function callIdsOf(source: unknown): { ids: string[]; bad: boolean; invalid: boolean } {
  if (source === null || source === undefined || source === '') return { ids: [], bad: false, invalid: false };
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
 * Prepares the reading of sessions. Rows come in id order: the ids are sorted first, on a covering index and narrow, and only
 * then is each row fetched by its id, so that no wide column ever goes through a sorter.
 */
export function messageReader(db: SqliteDatabase, columns: Columns): MessageReader {
  const has = (name: string): boolean => columns.messages.has(name);
  const judged = judgedInSql.filter(has);
  const invalidBits = judged.map((name, bit) => `(CASE WHEN m."${name}" IS NULL OR m."${name}" = '' OR json_valid(m."${name}") THEN 0 ELSE ${1 << bit} END)`).join(' | ') || '0';
  const wanted = [
    columnOr(columns.messages, 'role', "''"), columnOr(columns.messages, 'content', 'NULL'), columnOr(columns.messages, 'tool_call_id', 'NULL'), columnOr(columns.messages, 'tool_calls', 'NULL'),
    columnOr(columns.messages, 'tool_name', 'NULL'), columnOr(columns.messages, 'timestamp', 'NULL'), columnOr(columns.messages, 'active', '1'), columnOr(columns.messages, 'compacted', '0'),
    columnOr(columns.messages, '_compressed_summary', '0'), columnOr(columns.messages, 'message_uid', 'NULL'), columnOr(columns.messages, 'absorbed_message_uids', 'NULL'),
  ].map((expression) => (expression.startsWith('"') ? `m.${expression}` : expression));
  const size = db.prepare<[string], number>('SELECT count(*) FROM messages WHERE session_id = ?').pluck();
  const rows = db
    .prepare<[string], unknown[]>(`SELECT m.id, ${wanted.join(', ')}, ${invalidBits} FROM (SELECT id FROM messages WHERE session_id = ? ORDER BY id LIMIT -1) k CROSS JOIN messages m ON m.id = k.id`)
    .raw();
  const oneColumn = new Map(judged.map((name) => [name, db.prepare<[number], unknown>(`SELECT "${name}" FROM messages WHERE id = ?`).pluck()]));
  const hasActive = has('active');
  let messages = emptyColumns(1024);

  const read = (sessionId: string): SessionRead => {
    const expected = size.get(sessionId) ?? 0;
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
    for (const [id, role, content, callId, calls, toolName, timestamp, active, compacted, summary, uid, absorbedUids, invalid] of rows.iterate(sessionId)) {
      if (count >= messages.ids.length) break;
      const rowId = Number(id);
      const index = count++;
      const roleIndex = roleNames.indexOf(role as (typeof roleNames)[number]);
      let flags = 0;
      if (!hasActive || active === 1) flags |= Flag.active;
      else if (active === null) flags |= Flag.activeNull;
      if (compacted === 1) flags |= Flag.compacted;
      if (summary === 1) flags |= Flag.summary;
      if (typeof content === 'string') {
        const found = summaryText(content);
        if (found.head) flags |= Flag.summaryHead;
        if (found.textAfter) flags |= Flag.textAfterSummary;
        if (content.startsWith(jsonPrefix) && lenientJson(content.slice(jsonPrefix.length)) === undefined) reject('content', rowId);
      }
      const declaredCalls = callIdsOf(calls);
      if (declaredCalls.bad) flags |= Flag.badCalls;
      if (declaredCalls.invalid) reject('tool_calls', rowId);
      if (declaredCalls.ids.length === 0 && !declaredCalls.bad && (content === null || (typeof content === 'string' && content.trim() === ''))) flags |= Flag.empty;
      if (typeof absorbedUids === 'string' && absorbedUids !== '') {
        const uids = lenientJson(absorbedUids);
        if (uids === undefined) reject('absorbed_message_uids', rowId);
        else if (Array.isArray(uids)) for (const absorbed of uids) if (typeof absorbed === 'string') result.absorbed.set(hashValue(absorbed), index);
      }
      if (typeof invalid === 'number' && invalid !== 0) for (const [bit, name] of judged.entries()) if (invalid & (1 << bit)) suspects.push([name, rowId]);

      messages.ids[index] = rowId;
      messages.timestamps[index] = typeof timestamp === 'number' ? timestamp : Number.NaN;
      messages.roles[index] = roleIndex === -1 ? roleNames.indexOf('other') : roleIndex;
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
      if ((flags & (Flag.active | Flag.compacted | Flag.activeNull)) !== 0 && role !== 'session_meta') {
        result.visible++;
        if (typeof timestamp === 'number' && saneTime(timestamp)) {
          if (timestamp < result.firstAt) result.firstAt = timestamp;
          if (timestamp > result.lastAt) result.lastAt = timestamp;
          if (role === 'user' && timestamp > result.lastUserAt) result.lastUserAt = timestamp;
        }
      }
    }
    messages.count = count;
    messages.callStarts[count] = declared;
    for (const [name, rowId] of suspects) if (isBroken(name, oneColumn.get(name)?.get(rowId))) reject(name, rowId);
    return result;
  };
  return { read };
}

/** Second look at what SQLite called no JSON: Python writes NaN, and provider texts are stored in the reasoning columns as they come. */
function isBroken(column: string, value: unknown): boolean {
  if (typeof value !== 'string') return true;
  if (column !== 'display_metadata' && column !== 'tool_call_uids' && !/^\s*[[{]/.test(value)) return false;
  return lenientJson(value) === undefined;
}
