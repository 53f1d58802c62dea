import { compareIds } from '../../ids/index.ts';
import type { MessageRow } from '../../stores/opencode/types.ts';
import { unansweredPrompts } from '../opencode/unanswered.ts';

/**
 * The prompts that the first start with a turn queue marks as answered: those for which some reply's parent is not smaller
 * by id (MiMo-Code format notes §5.1).
 */
export function settledByBootstrap(rows: readonly MessageRow[]): MessageRow[] {
  let greatest: string | null = null;
  for (const row of rows) {
    if (row.role === 'assistant' && row.parentId !== null && (greatest === null || compareIds(row.parentId, greatest) > 0)) greatest = row.parentId;
  }
  const bound = greatest;
  return bound === null ? [] : rows.filter((row) => row.role === 'user' && compareIds(row.id, bound) <= 0);
}

/** The prompts that this start loses for good: marked as answered, yet no reply came after them. In order of time. */
export function swallowedByBootstrap(rows: readonly MessageRow[]): MessageRow[] {
  const settled = new Set(settledByBootstrap(rows).map((row) => row.id));
  return unansweredPrompts(rows).filter((row) => settled.has(row.id));
}
