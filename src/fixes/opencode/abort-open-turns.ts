import type { Finding } from '../../model/finding.ts';
import type { Action, JsonEdit } from '../../model/step.ts';
import type { OpencodeSnapshot, UnfinishedRow } from '../../stores/opencode/types.ts';
import type { FixContext, FixOutcome } from '../fix.ts';

/** Younger rows may belong to a turn that still runs. */
const quietMs = 3_600_000;

/** What the products themselves write when a call is interrupted (opencode format notes §3.4, §7.5). */
function toolEdits(row: UnfinishedRow, snapshot: OpencodeSnapshot): JsonEdit[] | null {
  const part = row.partId === null ? null : snapshot.openToolPart(row.partId);
  if (part === null || part.foreign) return null;
  const end = Math.max(row.touched, part.start ?? 0);
  return [
    { op: 'set', path: ['state', 'status'], before: part.status, after: 'error' },
    { op: 'set', path: ['state', 'error'], after: 'Tool execution aborted' },
    part.metadata ? { op: 'set', path: ['state', 'metadata', 'interrupted'], after: true } : { op: 'set', path: ['state', 'metadata'], after: { interrupted: true } },
    part.timed ? { op: 'set', path: ['state', 'time', 'end'], after: end } : { op: 'set', path: ['state', 'time'], after: { start: end, end } },
  ];
}

function replyEdits(row: UnfinishedRow, snapshot: OpencodeSnapshot): JsonEdit[] | null {
  const reply = snapshot.openReply(row.messageId);
  if (reply === null || reply.foreign) return null;
  return [
    { op: 'set', path: ['time', 'completed'], after: Math.max(row.touched, row.time) },
    { op: 'set', path: ['error'], after: { name: 'MessageAbortedError', data: { message: 'Aborted' } } },
  ];
}

/** Ends the turns of one session that nothing works on any more. The end is the time at which each row was last written. */
export function abortOpenTurns(finding: Finding, snapshot: OpencodeSnapshot, context: FixContext): FixOutcome {
  const { session } = finding;
  if (session === null) return { left: 'no session is named' };
  const imported = snapshot.importedSessions().has(session);
  const actions: Action[] = [];
  for (const row of snapshot.unfinished()) {
    if (row.sessionId !== session || context.now - Math.max(row.time, row.touched) < quietMs) continue;
    if (row.partId !== null && imported) continue;
    const edits = row.partId === null ? replyEdits(row, snapshot) : toolEdits(row, snapshot);
    if (edits === null) return { left: `${row.partId ?? row.messageId} has a shape that is not known` };
    const table = row.partId === null ? 'message' : 'part';
    actions.push({ kind: 'edit-json-cell', database: context.store.path, table, key: { id: row.partId ?? row.messageId }, column: 'data', edits });
  }
  if (actions.length === 0) return { left: 'nothing is unfinished any more' };
  const replies = actions.filter((action) => action.kind === 'edit-json-cell' && action.table === 'message').length;
  const calls = actions.length - replies;
  const what = [...(replies > 0 ? [`${replies} unfinished ${replies === 1 ? 'reply' : 'replies'}`] : []), ...(calls > 0 ? [`${calls} unfinished tool ${calls === 1 ? 'call' : 'calls'}`] : [])].join(' and ');
  return {
    steps: [
      {
        target: session,
        session,
        title: `${what} marked as aborted, as the program does when a turn is interrupted`,
        consequences: ['The model is told that the call was aborted; what the tool did meanwhile is not known and not undone.', 'The session no longer looks busy.'],
        alternatives: ['Leave it: some builds end such turns themselves when they start.'],
        actions,
      },
    ],
  };
}
