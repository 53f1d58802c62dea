import { compareIds, newestV1 } from '../../ids/index.ts';
import type { FindingDraft } from '../../model/check.ts';
import { nextPrompt } from '../../readers/opencode/next-prompt.ts';
import type { OrderRules } from '../../readers/opencode/rules.ts';
import type { MessageRow, OpencodeSnapshot, SessionSpan } from '../../stores/opencode/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { grade, harmed, harmedRules, orderFix, plural, rulesOf, slicesOf, visibleFor } from '../shared/order.ts';
import { wedgedBy } from '../shared/wedged.ts';

/** Rows that are read to find the newest prompt and the newest reply of a session whose ids agree with its times. */
const tailLength = 40;

/** The rows that decide: all of them where order or an undo is at stake, else the newest that hold a prompt and a reply. */
function decidingRows(snapshot: OpencodeSnapshot, span: SessionSpan, armed: boolean): readonly MessageRow[] {
  if (!armed && !snapshot.disordered().has(span.sessionId)) {
    const tail = snapshot.tail(span.sessionId, 'main', tailLength).reverse();
    if (tail.length < tailLength || (tail.some((row) => row.role === 'user') && tail.some((row) => row.role === 'assistant'))) return tail;
  }
  return slicesOf(snapshot.messages(span.sessionId)).get('main') ?? [];
}

/** True when the next prompt of this session gets no reply although no prompt waits yet. */
export function willBeSilent(snapshot: OpencodeSnapshot, span: SessionSpan, rules: OrderRules, now: number): boolean {
  const session = snapshot.sessions().get(span.sessionId);
  if (session === undefined || session.parentId !== null || session.archived !== null) return false;
  const ordered = !snapshot.disordered().has(span.sessionId);
  if (ordered && compareIds(span.lastId, newestV1('msg', now)) < 0) return false;
  const rows = decidingRows(snapshot, span, session.revert !== null);
  // In order of ids the newest prompt and reply are the newest by time, which compaction never hides.
  const visible = ordered ? undefined : visibleFor(snapshot, span.sessionId);
  if (nextPrompt(rows, { rules, now, revert: session.revert, visible }).kind !== 'silent') return false;
  return ordered || wedgedBy(snapshot, span.sessionId, rows, rules) === null;
}

function* silentNext(snapshot: OpencodeSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const rules = rulesOf(snapshot, context);
  if (rules.mints === 'v2') return;
  const sessions: string[] = [];
  for (const span of snapshot.spans()) {
    if (willBeSilent(snapshot, span, harmedRules(rules), context.now)) sessions.push(span.sessionId);
  }
  if (sessions.length === 0) return;
  const asleep = rules.order === 'time';
  yield {
    session: null,
    severity: grade(rules, 'warning'),
    message: `${plural(sessions.length, 'session')} will go silent at the very next prompt${asleep ? ' of a reader that orders by id' : ''}: the newest finished reply sorts by id after anything that can be minted now.`,
    details: [
      asleep ? 'This reader orders by time and answers; do not go back to an older one.' : 'Nothing is lost yet. Upgrade before anybody writes there, or repair their ids.',
      `sessions: ${sessions.slice(0, 5).join(', ')}${sessions.length > 5 ? `, and ${sessions.length - 5} more` : ''}`,
    ],
    location: { path: context.store.path, table: 'message' },
    evidence: { sessions },
    affects: harmed(context, rules),
    fix: orderFix(rules),
  };
}

export default defineCheck({
  meta: {
    id: 'order/next-prompt-silent',
    severity: 'warning',
    title: 'sessions whose next prompt will get no reply',
    products: ['opencode', 'mimocode'],
    fix: { id: 'rekey-prewrap-ids', class: 'judgement' },
    affects: 'readers that order by id and mint v1 ids: opencode before 1.18.15, MiMo-Code up to 0.1.12',
  },
  opencode: { store: silentNext },
  mimocode: { store: silentNext },
});
