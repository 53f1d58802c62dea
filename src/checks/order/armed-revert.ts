import { readId, timeNear } from '../../ids/index.ts';
import type { FindingDraft } from '../../model/check.ts';
import { isoTime } from '../../model/time.ts';
import { revertCleanup } from '../../readers/opencode/revert.ts';
import type { MessageRow, OpencodeSnapshot, RevertPoint, SessionRow } from '../../stores/opencode/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { grade, harmed, harmedRules, plural, rulesOf, when } from '../shared/order.ts';

/** The rows at or after the undo point in time; where its row is gone, those after the time that its id was minted at. */
function rowsAfter(rows: readonly MessageRow[], session: SessionRow, revert: RevertPoint): MessageRow[] {
  const byTime = revertCleanup(rows, revert, { order: 'time', mints: 'v1' }).deletedMessages;
  if (rows.some((row) => row.id === revert.messageId)) return byTime;
  const reading = readId(revert.messageId, session.updated);
  if (reading === null) return byTime;
  const point = timeNear(reading, session.updated);
  return rows.filter((row) => row.time >= point);
}

function* armedReverts(snapshot: OpencodeSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const rules = rulesOf(snapshot, context);
  for (const session of snapshot.sessions().values()) {
    const { revert } = session;
    // Where the ids of a session agree with its times, both ways of counting delete the same rows.
    if (revert === null || !snapshot.disordered().has(session.id)) continue;
    const rows = snapshot.messages(session.id);
    const byId = revertCleanup(rows, revert, harmedRules(rules)).deletedMessages;
    const byTime = rowsAfter(rows, session, revert);
    const wanted = new Set(byTime.map((row) => row.id));
    const wrong = byId.filter((row) => !wanted.has(row.id));
    if (byId.length === byTime.length && wrong.length === 0) continue;
    const point = rows.find((row) => row.id === revert.messageId);
    const asleep = rules.order === 'time';
    yield {
      session: session.id,
      severity: grade(rules, 'error'),
      message: `An undo is pending at ${point ? when(point.time) : 'a message that has no row any more'}: the next prompt${asleep ? ' in a reader that orders by id' : ''} would delete ${plural(byId.length, 'message')} of ${rows.length} by id, where ${plural(byTime.length, 'message')} lie at or after that point in time.`,
      details: [
        `${plural(wrong.length, 'message')} from before the undo point would be lost${wrong.length > 0 ? `, from ${when(wrong[0]?.time ?? 0)} on` : ''}`,
        ...(asleep ? [] : ['Do not prompt this session before it is repaired.']),
      ],
      location: { path: context.store.path, table: 'session', row: session.id },
      evidence: {
        revertMessage: revert.messageId,
        rowsDeletedByIdOrder: byId.length,
        rowsAfterRevertByTime: byTime.length,
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
