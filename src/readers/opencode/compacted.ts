import { compareByTime } from '../../ids/index.ts';
import type { MessageRow } from '../../stores/opencode/types.ts';

/** A compaction part of a user row; `tailStartId` names the first row that was kept as it is. */
export type CompactionMark = { messageId: string; tailStartId: string | null };

/**
 * The rows that reach the model, in the order in which it gets them: from the newest backwards to the last compaction whose
 * summary was finished, and from there to the start of its kept tail; summary first, then tail, then the rest. A summary that
 * failed hides what lies before its tail too (opencode #42282). The same in every opencode build known; storage is always
 * paged by (time, id).
 */
export function visibleRows(rows: readonly MessageRow[], marks: readonly CompactionMark[] = []): MessageRow[] {
  const ordered = [...rows].sort(compareByTime);
  if (marks.length === 0) return ordered;
  const markOf = new Map<string, CompactionMark>();
  for (const mark of marks) if (!markOf.has(mark.messageId)) markOf.set(mark.messageId, mark);
  const visible = ordered.slice(firstVisible(ordered, markOf));
  return summaryFirst(visible, marks);
}

function firstVisible(ordered: readonly MessageRow[], markOf: ReadonlyMap<string, CompactionMark>): number {
  const summarised = new Set<string>();
  let tail: string | null = null;
  for (let i = ordered.length - 1; i >= 0; i--) {
    const row = ordered[i];
    if (row === undefined) continue;
    if (tail !== null) {
      if (row.id === tail) return i;
      continue;
    }
    const mark = row.role === 'user' && summarised.has(row.id) ? markOf.get(row.id) : undefined;
    if (mark) {
      if (mark.tailStartId === null || mark.tailStartId === row.id) return i;
      tail = mark.tailStartId;
    }
    if (isSummary(row) && row.finish !== null && row.error === null && row.parentId !== null) summarised.add(row.parentId);
  }
  return 0;
}

function isSummary(row: MessageRow): boolean {
  return row.role === 'assistant' && row.summary;
}

function summaryFirst(visible: MessageRow[], marks: readonly CompactionMark[]): MessageRow[] {
  const tails = new Map(marks.filter((mark) => mark.tailStartId !== null).map((mark) => [mark.messageId, mark.tailStartId]));
  const carrierAt = visible.findLastIndex((row) => row.role === 'user' && tails.has(row.id));
  const carrier = visible[carrierAt];
  if (!carrier) return visible;
  const summaryAt = visible.findIndex((row, index) => index > carrierAt && isSummary(row) && row.parentId === carrier.id);
  const tailAt = visible.findIndex((row) => row.id === tails.get(carrier.id));
  if (tailAt < 0 || tailAt >= carrierAt || summaryAt < 0) return visible;
  return [...visible.slice(carrierAt, summaryAt + 1), ...visible.slice(tailAt, carrierAt), ...visible.slice(summaryAt + 1)];
}
