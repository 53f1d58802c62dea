import { compareIds, newestV1 } from '../../ids/index.ts';
import { nextPrompt } from '../../readers/opencode/next-prompt.ts';
import type { OrderRules } from '../../readers/opencode/rules.ts';
import type { MessageRow, OpencodeSnapshot, SessionSpan } from '../../stores/opencode/types.ts';
import { slicesOf, visibleFor } from './order.ts';
import { wedgedBy } from './wedged.ts';

/** Rows that are read, in growing steps, to find the newest prompt and the newest reply of a session whose ids agree with its times. */
const tailLengths = [4, 40];

/** The rows that decide: all of them where order or an undo is at stake, else the newest that hold a prompt and a reply. */
function decidingRows(snapshot: OpencodeSnapshot, span: SessionSpan, armed: boolean): readonly MessageRow[] {
  if (!armed && !snapshot.disordered().has(span.sessionId)) {
    for (const length of tailLengths) {
      const tail = snapshot.tail(span.sessionId, 'main', length).reverse();
      if (tail.length < length || (tail.some((row) => row.role === 'user') && tail.some((row) => row.role === 'assistant'))) return tail;
    }
  }
  return slicesOf(snapshot.messages(span.sessionId)).get('main') ?? [];
}

/** What becomes of the next prompt of a session in which none waits yet, where it is not simply answered. */
export type NextPromptHarm = 'silent' | 'repeats';

/** silent: the next prompt gets no reply. repeats: the provider is called for it again and again. null: it is answered. */
export function nextPromptHarm(snapshot: OpencodeSnapshot, span: SessionSpan, rules: OrderRules, now: number): NextPromptHarm | null {
  const session = snapshot.sessions().get(span.sessionId);
  if (session === undefined || session.parentId !== null || session.archived !== null) return null;
  const ordered = !snapshot.disordered().has(span.sessionId);
  if (ordered && compareIds(span.lastId, newestV1('msg', now)) < 0) return null;
  const rows = decidingRows(snapshot, span, session.revert !== null);
  // In order of ids the newest prompt and reply are the newest by time, which compaction never hides.
  const visible = ordered ? undefined : visibleFor(snapshot, span.sessionId);
  const { kind } = nextPrompt(rows, { rules, now, revert: session.revert, visible });
  if (kind === 'answered') return null;
  return ordered || wedgedBy(snapshot, span.sessionId, rows, rules) === null ? kind : null;
}
