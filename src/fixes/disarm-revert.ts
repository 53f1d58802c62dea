import type { Finding } from '../model/finding.ts';
import type { OpencodeSnapshot } from '../stores/opencode/types.ts';
import { defineFix, type FixContext, type FixOutcome } from './fix.ts';
import { declinedByTime } from './opencode/remint.ts';
import { otherWays } from './opencode/remint-session.ts';

/** Takes the undo point away, so that the next prompt deletes nothing; the journal keeps it. */
function plan(finding: Finding, snapshot: OpencodeSnapshot, context: FixContext): FixOutcome {
  const session = finding.session === null ? undefined : snapshot.sessions().get(finding.session);
  if (session === undefined || session.revertRaw === null) return { left: 'no undo is pending any more' };
  return {
    steps: [
      {
        target: session.id,
        session: session.id,
        title: `the pending undo at ${session.revert?.messageId ?? 'an unreadable place'} is called off`,
        consequences: [
          'The messages that were undone are shown again, and no prompt deletes anything.',
          'Files that the undo put back stay as they are now; the messages it concerned can be undone again once ids and times agree.',
        ],
        alternatives: otherWays(context),
        actions: [{ kind: 'update-rows', database: context.store.path, table: 'session', rows: [{ key: { id: session.id }, before: { revert: session.revertRaw }, after: { revert: null } }] }],
      },
    ],
  };
}

export default defineFix({
  meta: {
    id: 'disarm-revert',
    class: 'judgement',
    title: 'call off a pending undo that would delete the wrong messages',
    checks: ['order/armed-revert'],
  },
  declines: (_finding, context) => declinedByTime(context, 'the pending undo deletes what lies behind its point in time, and nothing else'),
  opencode: plan,
  mimocode: plan,
});
