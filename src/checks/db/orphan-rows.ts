import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { HermesSnapshot } from '../../stores/hermes/types.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { messageAt, rowsText } from '../shared/hermes.ts';
import { lacks } from '../shared/needs.ts';

/** `4 message rows and 2 todo rows`. */
function countsInWords(tables: { [table: string]: number }): string {
  const words = Object.entries(tables).map(([table, count]) => `${count} ${table} ${count === 1 ? 'row' : 'rows'}`);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function* orphansOfOpencode(snapshot: OpencodeSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (snapshot.ref.layout === 'json' || lacks(snapshot, context, 'session', 'id') || lacks(snapshot, context, 'message', 'id', 'session_id', 'time_created')) return;
  for (const { parentTable, missing, sessionId, rows, tables } of snapshot.orphans()) {
    const total = Object.values(tables).reduce((sum, count) => sum + count, 0);
    yield {
      session: sessionId,
      message: `${countsInWords(tables)} ${total === 1 ? 'names' : 'name'} the ${parentTable} ${missing}, which has no row: no reader shows ${total === 1 ? 'it' : 'them'}.`,
      details: ['The usual cause is a deletion by hand: the sqlite3 program does not check foreign keys unless told to.'],
      location: { path: snapshot.ref.path, table: Object.keys(tables)[0] ?? parentTable, row: rows[0] ?? missing },
      evidence: { missing, parentTable, rows, tables },
      record: `${parentTable} ${missing}`,
    };
  }
}

function* orphansOfOpenclaw(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  for (const { sessionId, rows } of snapshot.sqlite?.orphanEvents() ?? []) {
    yield {
      session: sessionId,
      message: `${rows.length} transcript ${rows.length === 1 ? 'event belongs' : 'events belong'} to the session ${sessionId}, which has no window: no reader shows ${rows.length === 1 ? 'it' : 'them'}.`,
      location: { path: snapshot.ref.path, table: 'transcript_events', row: `${sessionId}/${rows[0] ?? ''}` },
      evidence: { missing: sessionId, parentTable: 'session_windows', rows, tables: { transcript_events: rows.length } },
      record: `session_windows ${sessionId}`,
    };
  }
}

function* hermesOrphans(snapshot: HermesSnapshot): Iterable<FindingDraft> {
  for (const { sessionId, rows, messages, usageRows } of snapshot.orphans()) {
    const parts = [...(messages > 0 ? [`${messages} ${messages === 1 ? 'message' : 'messages'}`] : []), ...(usageRows > 0 ? [`${usageRows} usage ${usageRows === 1 ? 'row' : 'rows'}`] : [])];
    yield {
      session: sessionId,
      message: `${parts.join(' and ')} belong to session ${sessionId}, which has no row.`,
      details: [
        ...(messages > 0 ? [`${rowsText(rows, 'Row')}. No list and no reader reaches them; search may still find them.`] : []),
        'The session was deleted while foreign keys were off, or its row was lost in a repair.',
      ],
      location: messages > 0 ? messageAt(snapshot, rows[0]) : { path: snapshot.ref.path, table: 'session_model_usage' },
      evidence: { missing: sessionId, rows, messages, usageRows },
    };
  }
}

export default defineCheck({
  meta: {
    id: 'db/orphan-rows',
    severity: 'warning',
    title: 'rows whose parent row is gone',
    products: ['openclaw', 'opencode', 'mimocode', 'hermes'],
    fix: noFix,
    affects: 'every reader: the rows are never shown',
  },
  openclaw: { store: orphansOfOpenclaw },
  opencode: { store: orphansOfOpencode },
  mimocode: { store: orphansOfOpencode },
  hermes: { store: hermesOrphans },
});
