import { compareByTime } from '../../ids/index.ts';
import type { MessageRow } from '../../stores/opencode/types.ts';

/**
 * The prompts that wait for a reply, in order of time: user rows after the last assistant row by (time, id). Prompts that
 * were queued share one reply, so no reply of their own is asked for. `carriers` are user rows that hold no prompt, such as
 * those of a compaction.
 */
export function unansweredPrompts(rows: readonly MessageRow[], carriers: ReadonlySet<string> = new Set()): MessageRow[] {
  const waiting: MessageRow[] = [];
  for (const row of [...rows].sort(compareByTime)) {
    if (row.role === 'assistant') waiting.length = 0;
    else if (row.role === 'user' && !carriers.has(row.id)) waiting.push(row);
  }
  return waiting;
}
