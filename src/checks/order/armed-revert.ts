import type { FindingDraft } from '../../model/check.ts';
import { isoTime } from '../../model/time.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { armedRevert } from '../shared/armed.ts';
import { lacks } from '../shared/needs.ts';
import { grade, harmed, plural, rulesOf, when } from '../shared/order.ts';

function* armedReverts(snapshot: OpencodeSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (snapshot.ref.layout === 'json' || lacks(snapshot, context, 'session', 'revert') || lacks(snapshot, context, 'message', 'id', 'session_id', 'time_created', 'data')) return;
  const rules = rulesOf(snapshot, context);
  for (const session of snapshot.sessions().values()) {
    const armed = armedRevert(snapshot, session, rules);
    if (armed === null) continue;
    const { revert, rows, point, deletedById, afterByTime, wrong } = armed;
    const asleep = rules.order === 'time';
    yield {
      session: session.id,
      severity: grade(rules, 'error'),
      message: `An undo is pending at ${point ? when(point.time) : 'a message that has no row any more'}: the next prompt${asleep ? ' in a reader that orders by id' : ''} would delete ${plural(deletedById.length, 'message')} of ${rows.length} by id, where ${plural(afterByTime.length, 'message')} lie at or after that point in time.`,
      details: [
        `${plural(wrong.length, 'message')} from before the undo point would be lost${wrong.length > 0 ? `, from ${when(wrong[0]?.time ?? 0)} on` : ''}`,
        ...(asleep ? [] : ['Do not prompt this session before it is repaired.']),
      ],
      location: { path: context.store.path, table: 'session', row: session.id },
      evidence: {
        revertMessage: revert.messageId,
        rowsDeletedByIdOrder: deletedById.length,
        rowsAfterRevertByTime: afterByTime.length,
        wronglyDeleted: wrong.length,
        revertTime: isoTime(point?.time),
        messages: rows.length,
      },
      affects: harmed(context, rules),
      fix: asleep ? { id: null, class: 'none' } : { id: 'disarm-revert', class: 'judgement' },
    };
  }
}

export default defineCheck({
  meta: {
    id: 'order/armed-revert',
    severity: 'error',
    title: 'a pending undo would delete the wrong side of the session at the next prompt',
    products: ['opencode', 'mimocode'],
    fix: { id: 'disarm-revert', class: 'judgement' },
    affects: 'readers that delete by id: opencode before 1.18.15, MiMo-Code',
  },
  opencode: { store: armedReverts },
  mimocode: { store: armedReverts },
});
