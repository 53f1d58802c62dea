import { compareIds } from '../../ids/index.ts';
import type { FindingDraft } from '../../model/check.ts';
import { isoTime } from '../../model/time.ts';
import { wedgedBy } from '../shared/wedged.ts';
import type { OpencodeDigest, OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { skipWithoutMessages } from '../shared/needs.ts';
import { grade, greatestById, harmed, orderFix, plural, rulesOf, slicesOf, when } from '../shared/order.ts';

function* wedgedSession(digest: OpencodeDigest, snapshot: OpencodeSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const main = slicesOf(digest.rows).get('main') ?? [];
  const rules = rulesOf(snapshot, context);
  const wedge = wedgedBy(snapshot, digest.sessionId, main, rules);
  if (wedge === null) return;
  const { waiting, reply } = wedge;
  const [oldest] = waiting;
  const idTail = greatestById(main);
  const timeTail = main.at(-1) ?? null;
  const asleep = rules.order === 'time';
  yield {
    session: digest.sessionId,
    severity: grade(rules, rules.mints === 'v2' ? 'warning' : 'error', digest.session),
    message: `${plural(waiting.length, 'prompt')} since ${when(oldest?.time ?? 0)} ${waiting.length === 1 ? 'waits' : 'wait'} unanswered: by id the newest one sorts before the finished reply of ${when(reply.time)}, so ${asleep ? 'a reader that orders by id sees no new work, calls no model and says nothing' : rules.mints === 'v2' ? 'the build that took them saw no new work and called no model' : 'this reader sees no new work, calls no model and says nothing'}.`,
    details: [
      `newest by id    ${idTail?.id ?? ''} (${when(idTail?.time ?? 0)})`,
      `newest by time  ${timeTail?.id ?? ''} (${when(timeTail?.time ?? 0)})`,
      ...(compareIds(waiting.at(-1)?.id ?? '', idTail?.id ?? '') < 0 ? ['broken rule: a new prompt has the greatest id of its session'] : []),
      ...(asleep ? ['This reader answers at the next prompt; nothing needs repair.'] : []),
      ...(rules.mints === 'v2' && !asleep ? ['A build that mints v2 ids answers the next prompt; these are not answered by themselves: send them once more.'] : []),
      ...(digest.session?.archived ? ['The session is archived.'] : []),
    ],
    location: { path: context.store.path, table: 'message', row: oldest?.id ?? '' },
    evidence: {
      unansweredPrompts: waiting.length,
      unansweredSince: isoTime(oldest?.time),
      prompts: waiting.slice(0, 100).map((row) => row.id),
      idTail: idTail?.id ?? null,
      timeTail: timeTail?.id ?? null,
      blockingReply: reply.id,
    },
    affects: harmed(context, rules),
    fix: orderFix(rules),
    record: 'wedged',
  };
}

export default defineCheck({
  meta: {
    id: 'order/wedged-session',
    severity: 'error',
    title: 'the newest prompt sorts before an older finished reply: the session has gone silent',
    products: ['opencode', 'mimocode'],
    fix: { id: 'rekey-prewrap-ids', class: 'judgement' },
    affects: 'readers that order by id: opencode before 1.18.15, MiMo-Code',
  },
  opencode: { session: wedgedSession, store: skipWithoutMessages },
  mimocode: { session: wedgedSession, store: skipWithoutMessages },
});
