import type { SqliteDatabase } from '../../io/sqlite.ts';
import { columnOr, secondsToMs, type Columns } from './columns.ts';
import type { LineageMarkers, SessionRow } from './types.ts';

type Raw = { [column: string]: unknown };

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const whole = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
const noMarkers: LineageMarkers = { branchedFrom: null, delegateFrom: null, resetFrom: null };

function markersOf(value: unknown): { markers: LineageMarkers; valid: boolean } {
  if (typeof value !== 'string' || value === '') return { markers: noMarkers, valid: true };
  let parsed = lenientJson(value);
  // Older writers encoded the object twice.
  if (typeof parsed === 'string') parsed = lenientJson(parsed);
  if (parsed === undefined) return { markers: noMarkers, valid: false };
  if (typeof parsed !== 'object' || parsed === null) return { markers: noMarkers, valid: true };
  const record = parsed as Raw;
  return { markers: { branchedFrom: text(record['_branched_from']), delegateFrom: text(record['_delegate_from']), resetFrom: text(record['_reset_from']) }, valid: true };
}

/** The value of a JSON text as Python writes it (NaN and infinities are allowed there); undefined when it is no JSON. */
export function lenientJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    if (!/NaN|Infinity/.test(source)) return undefined;
    try {
      return JSON.parse(source.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (token) => (token.startsWith('"') ? token : 'null')));
    } catch {
      return undefined;
    }
  }
}

const narrow = [
  ['source', "''"], ['session_key', 'NULL'], ['profile_name', 'NULL'], ['parent_session_id', 'NULL'], ['started_at', 'NULL'], ['ended_at', 'NULL'], ['end_reason', 'NULL'],
  ['expiry_finalized', '0'], ['message_count', 'NULL'], ['tool_call_count', 'NULL'], ['rewind_count', 'NULL'], ['model_config', 'NULL'], ['origin_json', 'NULL'], ['system_prompt_hash', 'NULL'],
] as const;

/** The title of one session; null without the column, the row or a title. */
export function readTitle(db: SqliteDatabase, columns: Columns, id: string): string | null {
  return columns.sessions.has('title') ? text(db.prepare<[string], unknown>('SELECT title FROM sessions WHERE id = ?').pluck().get(id)) : null;
}

/** All rows of `sessions`, by id; a row whose id is no text is left out and counted by the caller through the difference. */
export function readSessions(db: SqliteDatabase, columns: Columns): SessionRow[] {
  const prompts = columns.tables.has('system_prompts') && columns.sessions.has('system_prompt_hash');
  const missing = prompts ? 'system_prompt_hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM system_prompts p WHERE p.hash = system_prompt_hash)' : '0';
  const query = `SELECT id, ${narrow.map(([name, fallback]) => columnOr(columns.sessions, name, fallback)).join(', ')}, ${missing} AS prompt_missing FROM sessions ORDER BY id`;
  const rows: SessionRow[] = [];
  for (const raw of db.prepare<[], Raw>(query).iterate()) {
    const config = markersOf(raw['model_config']);
    const origin = raw['origin_json'];
    const invalidJson = [...(config.valid ? [] : ['model_config']), ...(typeof origin === 'string' && origin !== '' && lenientJson(origin) === undefined ? ['origin_json'] : [])];
    rows.push({
      id: String(raw['id']),
      source: text(raw['source']) ?? 'unknown',
      sessionKey: text(raw['session_key']),
      profileName: text(raw['profile_name']),
      parentId: text(raw['parent_session_id']),
      startedAt: secondsToMs(raw['started_at']),
      endedAt: secondsToMs(raw['ended_at']),
      endReason: text(raw['end_reason']),
      expiryFinalized: raw['expiry_finalized'] === 1,
      messageCount: whole(raw['message_count']),
      toolCallCount: whole(raw['tool_call_count']),
      rewindCount: columns.sessions.has('rewind_count') ? (whole(raw['rewind_count']) ?? 0) : null,
      markers: config.markers,
      invalidJson,
      missingPrompt: raw['prompt_missing'] === 1 ? text(raw['system_prompt_hash']) : null,
    });
  }
  return rows;
}
