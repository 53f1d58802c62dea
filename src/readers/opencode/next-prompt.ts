import { v1Digits, v2Digits } from '../../ids/index.ts';
import type { MessageRow, RevertPoint } from '../../stores/opencode/types.ts';
import { revertCleanup } from './revert.ts';
import type { OrderRules } from './rules.ts';
import { runLoopStep } from './run-loop.ts';

/**
 * What becomes of a prompt. silent: it is stored, no provider is called, nothing is said; `reply` is the old reply that
 * hides it. repeats: the provider is called again and again, because its replies never become the newest; `reply` is the row
 * in their way, if there is one. answered: one reply ends the turn.
 */
export type PromptOutcome = { kind: 'silent' | 'repeats'; reply: string | null } | { kind: 'answered' };

export type PromptSetting = {
  rules: OrderRules;
  /** ms; the ids of prompt and reply are minted then. */
  now: number;
  revert?: RevertPoint | null;
  /** What compaction leaves of the rows; all of them unless given. */
  visible?: (rows: readonly MessageRow[]) => readonly MessageRow[];
  /** See runLoopStep. */
  toolCalls?: ReadonlySet<string>;
};

/** Plays a prompt at `now` on a session's rows: cleanup of an armed revert first, then the run loop until it stops or repeats. */
export function nextPrompt(rows: readonly MessageRow[], setting: PromptSetting): PromptOutcome {
  const { rules, now } = setting;
  const kept = setting.revert ? revertCleanup(rows, setting.revert, rules).left : rows;
  const prompt = freshRow(rules, now, 1, { role: 'user', finish: null, parentId: null });
  const all = [...kept, prompt];
  const asked = setting.visible?.(all) ?? all;
  const first = runLoopStep(asked, rules, setting.toolCalls);
  if (first.exits) return { kind: 'silent', reply: first.assistant?.id ?? null };
  const reply = freshRow(rules, now, 2, { role: 'assistant', finish: 'stop', parentId: first.user?.id ?? null });
  const second = runLoopStep([...asked, reply], rules, setting.toolCalls);
  if (second.exits) return { kind: 'answered' };
  const inTheWay = second.assistant?.id === reply.id ? second.user : second.assistant;
  return { kind: 'repeats', reply: inTheWay?.id ?? null };
}

function freshRow(rules: OrderRules, now: number, counter: number, part: Pick<MessageRow, 'role' | 'finish' | 'parentId'>): MessageRow {
  const id = rules.mints === 'v2' ? `msg_${v2Digits(now, counter)}${'0'.repeat(9)}` : `msg_${v1Digits(now, counter)}${'0'.repeat(14)}`;
  return { id, agent: 'main', time: now, completed: part.role === 'assistant', error: null, summary: false, ...part };
}
