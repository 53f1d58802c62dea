import { compareIds } from '../../ids/index.ts';
import { runLoopStep } from '../../readers/opencode/run-loop.ts';
import type { OrderRules } from '../../readers/opencode/rules.ts';
import { unansweredPrompts } from '../../readers/opencode/unanswered.ts';
import type { MessageRow, OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { harmedRules, visibleFor } from './order.ts';

export type Wedge = {
  /** The prompts that wait, in order of time. */
  waiting: MessageRow[];
  /** The older finished reply that hides them. */
  reply: MessageRow;
};

/**
 * Why a build that orders by id does not answer the newest prompt of a slice (rows in time order), or null. A prompt whose
 * turn the user aborted has no later reply either, but there the order of ids agrees with time and the loop would not stop.
 */
export function wedgedBy(snapshot: OpencodeSnapshot, sessionId: string, slice: readonly MessageRow[], rules: OrderRules): Wedge | null {
  if (unansweredPrompts(slice).length === 0) return null;
  const waiting = unansweredPrompts(slice, new Set(snapshot.carriers(sessionId).map((carrier) => carrier.messageId)));
  const newest = waiting.at(-1);
  if (newest === undefined) return null;
  const step = runLoopStep(visibleFor(snapshot, sessionId)(slice), harmedRules(rules));
  const { assistant } = step;
  if (!step.exits || assistant === null || assistant.time > newest.time || compareIds(newest.id, assistant.id) > 0) return null;
  return { waiting, reply: assistant };
}
