import { compareByTime } from '../../ids/index.ts';
import type { MessageRow } from '../../stores/opencode/types.ts';
import { newestFor, type OrderRules } from '../opencode/rules.ts';

/** The rows of the agent that a person talks to; each agent of a session has its own order. */
export function mainSlice(rows: readonly MessageRow[]): MessageRow[] {
  return rows.filter((row) => row.agent === 'main');
}

/** The row that watermarks, subagents and the run loop take for the session's tail. */
export function lastMainMessage(rows: readonly MessageRow[], rules: OrderRules): MessageRow | null {
  return newestFor(mainSlice(rows), rules);
}

/** The rows of the main agent that reach the model: back to the newest user row with a compaction or checkpoint part. */
export function visibleMainRows(rows: readonly MessageRow[], carriers: ReadonlySet<string> = new Set()): MessageRow[] {
  const ordered = mainSlice(rows).sort(compareByTime);
  const start = ordered.findLastIndex((row) => row.role === 'user' && carriers.has(row.id));
  return ordered.slice(Math.max(0, start));
}
