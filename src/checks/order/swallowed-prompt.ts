import { compareByTime } from '../../ids/index.ts';
import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { when } from '../shared/order.ts';

function* swallowedPrompts(snapshot: OpencodeSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (!snapshot.has('turn_receipt', 'state', 'outcome', 'intent')) {
    context.skip('this database has no turn queue (turn_receipt)');
    return;
  }
  for (const turn of snapshot.settledTurns()) {
    const rows = snapshot.messages(turn.sessionId);
    const prompt = rows.find((row) => row.id === turn.promptId && row.role === 'user');
    if (prompt === undefined) continue;
    const replies = rows.filter((row) => row.role === 'assistant' && row.agent === prompt.agent);
    // Queued prompts may share one later reply; what counts is that none came at all.
    if (replies.some((row) => row.parentId === prompt.id || compareByTime(row, prompt) > 0)) continue;
    const credited = turn.replyId === null ? undefined : rows.find((row) => row.id === turn.replyId);
    if (turn.replyId !== null && credited === undefined) continue;
    yield {
      session: turn.sessionId,
      confidence: credited === undefined ? 'likely' : 'certain',
      message: `The turn queue settled the prompt of ${when(prompt.time)} as answered${credited === undefined ? '' : ` by the older reply of ${when(credited.time)}`}, and no reply came after it: it will never be answered.`,
      details: ['Send the prompt again; its text is in the session.'],
      location: { path: context.store.path, table: 'turn_receipt', row: turn.id },
      evidence: { prompt: prompt.id, promptTime: isoTime(prompt.time), creditedReply: turn.replyId, creditedTime: isoTime(credited?.time), receipt: turn.id },
      record: prompt.id,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'order/swallowed-prompt',
    severity: 'error',
    title: 'the turn queue took an older reply for the answer to a newer prompt',
    products: ['mimocode'],
    fix: noFix,
    affects: 'MiMo-Code builds with a turn queue (since September 2026)',
  },
  mimocode: { store: swallowedPrompts },
});
