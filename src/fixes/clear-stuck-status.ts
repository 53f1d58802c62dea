import type { Finding } from '../model/finding.ts';
import type { Action } from '../model/step.ts';
import type { SqliteFacts } from '../stores/openclaw/sqlite/facts.ts';
import type { OpenclawSnapshot, SessionEntry } from '../stores/openclaw/types.ts';
import { defineFix, type FixOutcome, type Left } from './fix.ts';

/** The state that every build knows for a run which ended without saying so. */
const ended = 'killed';

/** The entry's JSON is what counts; the columns are its projections, and may lag behind it (format notes §1.6). */
function inDatabase(sqlite: SqliteFacts, key: string, sessionId: string | null): Action[] | Left {
  const { entriesTable, path } = sqlite;
  const stored = sqlite.statusOf(key);
  if (entriesTable === null || stored === null) return { left: 'the database has no table of chats that is known' };
  const actions: Action[] = [];
  if (stored.json === 'running') actions.push({ kind: 'edit-json-cell', database: path, table: entriesTable, key: { session_key: key }, column: 'entry_json', edits: [{ op: 'set', path: ['status'], before: 'running', after: ended }] });
  const columns: [string, string, string | null, string | null][] = [
    [entriesTable, 'session_key', key, stored.column],
    [entriesTable === 'session_nodes' ? 'session_windows' : 'sessions', 'session_id', sessionId, stored.window],
  ];
  for (const [table, name, id, status] of columns) {
    if (status === 'running' && id !== null) actions.push({ kind: 'update-rows', database: path, table, rows: [{ key: { [name]: id }, before: { status }, after: { status: ended } }] });
  }
  return actions;
}

function actionsFor(snapshot: OpenclawSnapshot, entry: SessionEntry): Action[] | Left {
  if (snapshot.sqlite) return inDatabase(snapshot.sqlite, entry.key, entry.sessionId);
  return [{ kind: 'edit-json-file', path: snapshot.index.path, edits: [{ op: 'set', path: [entry.key, 'status'], before: 'running', after: ended }] }];
}

function plan(finding: Finding, snapshot: OpenclawSnapshot): FixOutcome {
  const entry = finding.sessionKey === null ? null : snapshot.entryOf(finding.sessionKey);
  if (entry?.status !== 'running') return { left: 'the entry no longer says running' };
  if (entry.sessionId !== null && snapshot.writerAlive(entry.sessionId)) return { left: 'a process is at work on it' };
  const actions = actionsFor(snapshot, entry);
  if ('left' in actions) return actions;
  return {
    steps: [
      {
        target: entry.key,
        session: finding.session,
        sessionKey: entry.key,
        title: `Set the status from running to ${ended}.`,
        consequences: ['Then new messages are no longer queued behind a run that never ends. The answer of that run does not come.'],
        alternatives: ['start the gateway: newer builds clear such a status themselves'],
        actions,
      },
    ],
  };
}

export default defineFix({
  meta: { id: 'clear-stuck-status', class: 'judgement', title: 'ends a run in the index that no process works on', checks: ['index/stuck-running'] },
  openclaw: plan,
});
