import type { TranscriptDigest } from '../../stores/openclaw/digest-types.ts';
import type { Branch } from './branch.ts';

/** Which part of the active branch the last in-log reset leaves in context. */
export type VisiblePart = {
  /** Index into `branch.rows` from which rows are visible. */
  from: number;
  /** Row of the last reset on the branch, or -1. */
  reset: number;
  /** Index of the first row kept by that reset (its tail), or -1 when it keeps none. */
  keptFrom: number;
};

/**
 * Rows behind the last `reset` row of the branch are visible, and the tail that it keeps (`firstKeptEntryId`). Rows before a
 * compaction count as visible: its summary stands for them.
 */
export function visiblePart(digest: TranscriptDigest, branch: Branch): VisiblePart {
  const resets = new Map(digest.controls.filter((control) => control.kind === 'reset').map((control) => [control.row, control]));
  if (resets.size === 0) return { from: 0, reset: -1, keptFrom: -1 };
  for (let index = branch.rows.length - 1; index >= 0; index--) {
    const reset = resets.get(branch.rows[index]!);
    if (!reset) continue;
    const kept = reset.firstKeptEntryId === null ? -1 : branch.rows.findIndex((row, position) => position < index && digest.rows.id[row] === reset.firstKeptEntryId);
    return { from: kept === -1 ? index + 1 : kept, reset: reset.row, keptFrom: kept };
  }
  return { from: 0, reset: -1, keptFrom: -1 };
}

/** Ambient channel message ids of a transcript, each once, in branch order. */
export type AmbientOnBranch = {
  visible: string[];
  /** On the branch, before the last reset and outside its kept tail. */
  behindReset: string[];
};

export function ambientOnBranch(digest: TranscriptDigest, branch: Branch, part: VisiblePart): AmbientOnBranch {
  const position = new Int32Array(digest.rows.length).fill(-1);
  branch.rows.forEach((row, index) => (position[row] = index));
  const visible = new Set<string>();
  const behind = new Set<string>();
  const onBranch = digest.ambient.filter((one) => position[one.row] !== -1).sort((a, b) => position[a.row]! - position[b.row]!);
  for (const { row, ids } of onBranch) {
    const into = position[row]! >= part.from ? visible : behind;
    for (const id of ids) into.add(id);
  }
  return { visible: [...visible], behindReset: [...behind].filter((id) => !visible.has(id)) };
}
