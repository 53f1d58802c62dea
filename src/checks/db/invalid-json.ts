import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { HermesSnapshot, SessionDigest } from '../../stores/hermes/types.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck } from '../check.ts';
import { messageAt, rowList, rowsText, sessionAt } from '../shared/hermes.ts';
import { placeOf } from '../shared/openclaw-transcript.ts';

function* invalidInOpencode(snapshot: OpencodeSnapshot): Iterable<FindingDraft> {
  for (const { table, column, sessionId, rows, count } of snapshot.invalidJson()) {
    yield {
      session: sessionId,
      message: `${count} ${count === 1 ? 'row' : 'rows'} of ${table} ${count === 1 ? 'holds' : 'hold'} something in ${column} that is not JSON: a reader that meets ${count === 1 ? 'it' : 'them'} fails.`,
      details: [`rows: ${rows.slice(0, 5).join(', ')}${count > 5 ? ', …' : ''}`],
      location: { path: snapshot.ref.path, table, row: rows[0] ?? '' },
      evidence: { table, column, rows, count },
      record: `${table}.${column}`,
    };
  }
}

function* invalidInOpenclaw(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  const rows = snapshot.sqlite?.invalidEntries ?? [];
  if (rows.length === 0) return;
  yield {
    session: null,
    message: `${rows.length} ${rows.length === 1 ? 'chat has an entry' : 'chats have entries'} that ${rows.length === 1 ? 'is' : 'are'} not JSON: the product cannot list ${rows.length === 1 ? 'it' : 'them'}.`,
    details: [`chats: ${rows.slice(0, 5).join(', ')}${rows.length > 5 ? ', …' : ''}`],
    location: { path: snapshot.ref.path, table: 'session_nodes', row: rows[0] ?? '' },
    evidence: { table: 'session_nodes', column: 'entry_json', rows: rows.slice(0, 1000), count: rows.length },
    record: 'session_nodes.entry_json',
  };
}

/** Events of a window that are no JSON object; rows are their `seq`. */
function* invalidEvents(digest: TranscriptDigest): Iterable<FindingDraft> {
  if (digest.file.kind !== 'window') return;
  const rows = digest.damaged.filter(({ kind }) => kind === 'malformed' || kind === 'not-object').map(({ line }) => line - 1);
  const first = rows[0];
  if (first === undefined) return;
  yield {
    ...placeOf(digest, first + 1),
    message: `${rows.length} ${rows.length === 1 ? 'event' : 'events'} of this session (seq ${rowList(rows)}) ${rows.length === 1 ? 'is' : 'are'} no JSON object: readers pass over ${rows.length === 1 ? 'it' : 'them'}, or refuse the session.`,
    evidence: { table: 'transcript_events', column: 'event_json', rows: rows.slice(0, 1000), count: rows.length },
    record: 'transcript_events.event_json',
  };
}

/** What Hermes does when it meets such a value. */
const hermesEffect: { [column: string]: string } = {
  tool_calls: 'Hermes reads it as no call at all, so the result that follows has none.',
  content: 'Hermes shows the stored marker and text as they are.',
  model_config: 'Hermes loses the settings and the lineage of this session.',
};

function* hermesInvalidJson(digest: SessionDigest, snapshot: HermesSnapshot): Iterable<FindingDraft> {
  const { session } = digest;
  for (const [column, rows] of [...digest.invalidJson].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
    yield {
      session: session.id,
      sessionKey: session.sessionKey,
      message: `Column ${column} of ${rows.length} ${rows.length === 1 ? 'message' : 'messages'} (${rowsText(rows)}) is not JSON.`,
      details: [hermesEffect[column] ?? 'Hermes goes on without it.'],
      location: messageAt(snapshot, rows[0]),
      evidence: { column, rows: [...rows] },
      record: column,
    };
  }
  for (const column of session.invalidJson) {
    yield {
      session: session.id,
      sessionKey: session.sessionKey,
      message: `Column ${column} of this session is not JSON.`,
      details: [hermesEffect[column] ?? 'Hermes goes on without it.'],
      location: sessionAt(snapshot, session),
      evidence: { column },
      record: column,
    };
  }
}

function* hermesRoutes(snapshot: HermesSnapshot): Iterable<FindingDraft> {
  for (const entry of snapshot.routing()) {
    if (!entry.invalid || entry.source !== 'table') continue;
    yield {
      session: null,
      sessionKey: entry.sessionKey,
      message: 'Column entry_json of this route is not a JSON object.',
      details: ['The gateway skips it: the next message of this chat opens a new session.'],
      location: { path: entry.path, table: 'gateway_routing', row: entry.sessionKey },
      evidence: { column: 'entry_json' },
      record: entry.sessionKey,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'db/invalid-json',
    severity: 'error',
    title: 'a JSON column that is not JSON',
    products: ['openclaw', 'opencode', 'mimocode', 'hermes'],
    fix: noFix,
    affects: 'every reader of that row',
  },
  openclaw: { session: invalidEvents, store: invalidInOpenclaw },
  opencode: { store: invalidInOpencode },
  mimocode: { store: invalidInOpencode },
  hermes: { session: hermesInvalidJson, store: hermesRoutes },
});
