import type { Finding } from '../model/finding.ts';
import type { Action, JsonEdit } from '../model/step.ts';
import type { OpenclawSnapshot } from '../stores/openclaw/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';

/** The state that every build knows for a run which ended without saying so. */
const ended = 'killed';

function actionsFor(snapshot: OpenclawSnapshot, key: string): Action[] | null {
  const edit = (prefix: string[]): JsonEdit => ({ op: 'set', path: [...prefix, 'status'], before: 'running', after: ended });
  if (!snapshot.sqlite) return [{ kind: 'edit-json-file', path: snapshot.index.path, edits: [edit([key])] }];
  const { entriesTable, path } = snapshot.sqlite;
  if (entriesTable === null) return null;
  return [
    { kind: 'edit-json-cell', database: path, table: entriesTable, key: { session_key: key }, column: 'entry_json', edits: [edit([])] },
    { kind: 'update-rows', database: path, table: entriesTable, rows: [{ key: { session_key: key }, before: { status: 'running' }, after: { status: ended } }] },
  ];
}

function plan(finding: Finding, snapshot: OpenclawSnapshot): FixOutcome {
  const entry = finding.sessionKey === null ? null : snapshot.entryOf(finding.sessionKey);
  if (entry?.status !== 'running') return { left: 'the entry no longer says running' };
  if (entry.sessionId !== null && snapshot.writerAlive(entry.sessionId)) return { left: 'a process is at work on it' };
  const actions = actionsFor(snapshot, entry.key);
  if (actions === null) return { left: 'the database has no table of chats that is known' };
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
