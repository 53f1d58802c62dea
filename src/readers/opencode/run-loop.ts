import { compareIds } from '../../ids/index.ts';
import type { MessageRow } from '../../stores/opencode/types.ts';
import { hasFinish, latest, type Latest } from './latest.ts';
import type { OrderRules } from './rules.ts';

/** One look of the run loop at a session: does it stop before it calls the provider? */
export type LoopStep = Latest & { exits: boolean };

const none: ReadonlySet<string> = new Set();

/** Finish reasons that mean the model wants to go on. */
const unfinished: Record<OrderRules['order'], readonly string[]> = { id: ['tool-calls'], time: ['tool-calls', 'unknown'] };

/**
 * The exit test of the run loop (opencode format notes §5.2, read in 1.18.14 and 1.18.31). `rows` are those that compaction
 * left visible. By id the loop stops when the newest prompt sorts before the newest reply; by time, when that reply answers
 * that prompt. `toolCalls` names the replies with a tool part that neither the provider ran nor a restart interrupted:
 * such a reply keeps the loop going.
 */
export function runLoopStep(rows: readonly MessageRow[], rules: OrderRules, toolCalls: ReadonlySet<string> = none): LoopStep {
  const seen = latest(rows, rules);
  const { user, assistant } = seen;
  if (user === null || assistant === null || !hasFinish(assistant)) return { ...seen, exits: false };
  const goesOn = unfinished[rules.order].includes(assistant.finish ?? '') || toolCalls.has(assistant.id);
  const answered = rules.order === 'time' ? assistant.parentId === user.id : compareIds(user.id, assistant.id) < 0;
  return { ...seen, exits: !goesOn && answered };
}
