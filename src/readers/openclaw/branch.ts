import { readerAtLeast, type Reader } from '../../model/version.ts';
import { parentNone, parentUnknown, rowFlag, rowKinds, type Control, type TranscriptDigest } from '../../stores/openclaw/digest-types.ts';

/** How a build walks a transcript. */
export type BranchRules = {
  /** Rows whose parent is unknown, and rows whose ancestry does not pass the last reset, continue the current leaf. Else the walk ends there. */
  reattaches: boolean;
};

/** Builds of the SQLite era re-attach; 2026.7.1-2 and older keep the reachable end only (format notes §2.2). Unknown: as the layout's own builds do. */
export function branchRules(reader: Reader, layout: 'jsonl' | 'sqlite'): BranchRules {
  return { reattaches: reader.version === null ? layout === 'sqlite' : readerAtLeast(reader, '2026.8.1') };
}

/** The rows that a reader walks from the active leaf to the root. */
export type Branch = {
  /** Row numbers, root first. */
  rows: number[];
  leaf: number;
  /** The row whose parent is unknown, where the walk ended; -1: it reached a root. */
  brokenAt: number;
  /** The walk came back to a row that it had passed. */
  cyclic: boolean;
  /** Rows that were attached to another parent than they name. */
  reattached: number[];
  /** For each row of the tree the row that the walk goes on to from it: parentNone at a root, parentUnknown at a gap. Empty for a list. */
  parents: Int32Array;
};

const canonical = rowKinds.map((kind) => kind !== 'leaf' && kind !== 'session' && kind !== 'other');
const leafKind = rowKinds.indexOf('leaf');
const resetKind = rowKinds.indexOf('reset');

/**
 * The active branch of a transcript (format notes §2.2): the leaf moves with every row that is no side append, `leaf` rows
 * move it by hand, rows that follow the append cursor of a side branch continue the leaf, rows without `parentId` continue it
 * too, and a transcript in which no row names a parent is one list. Held against the scanners that 2026.7.1-2 and 2026.9.6
 * ship, on random trees.
 */
export function activeBranch(digest: TranscriptDigest, rules: BranchRules): Branch {
  const { rows } = digest;
  const count = rows.length;
  const parents = new Int32Array(count).fill(parentNone);
  // Rows that can be named: a row of an unknown type or a leaf control without parentId is no part of the tree.
  const inTree = new Uint8Array(count);
  // The reset that a row descends from, if it was the last one then.
  const behind = new Int32Array(count).fill(-1);
  const leafControls = new Map<number, Extract<Control, { kind: 'leaf' }>>();
  for (const control of digest.controls) if (control.kind === 'leaf') leafControls.set(control.row, control);
  const invalidControls = new Set<number>();
  const reattached: number[] = [];
  let leaf = parentNone;
  let cursor = parentNone;
  let lastReset = -1;
  let explicit = false;

  const throughControls = (row: number): number => {
    let current = row;
    for (let steps = 0; current >= 0 && rows.kind[current] === leafKind && !invalidControls.has(current) && steps < count; steps++) current = parents[current]!;
    return current;
  };
  /** Row of an id that a leaf control names: parentNone for null, parentUnknown where no earlier row of the tree has it. */
  const known = (id: string | null, before: number): number => {
    if (id === null) return parentNone;
    const row = digest.rowOf(id);
    return row === -1 || row >= before || inTree[row] === 0 ? parentUnknown : row;
  };
  const isBehind = (row: number): boolean => row >= 0 && behind[row] === lastReset;

  for (let row = 0; row < count; row++) {
    const kind = rows.kind[row]!;
    const flags = rows.flags[row]!;
    const hasParent = (flags & rowFlag.hasParent) !== 0;
    if (rows.id[row] === null) continue;
    const given = rows.parent[row]!;
    const named = given >= 0 && given < row && inTree[given] === 0 ? parentUnknown : given;
    if (kind === leafKind) {
      const control = leafControls.get(row);
      if (!control || !hasParent || !control.hasTarget) continue;
      inTree[row] = 1;
      let target = known(control.targetId, row);
      let append = control.hasAppendParent ? known(control.appendParentId, row) : target;
      if (rules.reattaches && lastReset !== -1 && leaf >= 0 && !isBehind(target)) {
        target = leaf;
        append = leaf;
      }
      if (target === parentUnknown || append === parentUnknown || invalidControls.has(target) || invalidControls.has(append)) {
        invalidControls.add(row);
        parents[row] = named;
        continue;
      }
      parents[row] = target;
      if (lastReset !== -1 && isBehind(target)) behind[row] = lastReset;
      leaf = target;
      cursor = append;
      explicit = true;
      continue;
    }
    if (!canonical[kind]) {
      if (!hasParent) continue;
      inTree[row] = 1;
      parents[row] = named;
      if (lastReset !== -1 && isBehind(named)) behind[row] = lastReset;
      cursor = row;
      continue;
    }
    const side = (flags & rowFlag.side) !== 0;
    let parent = hasParent ? named : leaf;
    if (!side) {
      const stale = hasParent && (named === parentUnknown || named >= row) && leaf !== parentNone;
      if (rules.reattaches && ((lastReset !== -1 && !isBehind(parent)) || stale)) {
        if (parent !== leaf) reattached.push(row);
        parent = leaf;
      } else if (hasParent && leaf !== cursor && named === cursor) {
        parent = leaf;
      }
    }
    parent = throughControls(parent);
    inTree[row] = 1;
    parents[row] = parent;
    if (kind === resetKind) {
      lastReset = row;
      behind[row] = row;
    } else if (lastReset !== -1 && isBehind(parent)) {
      behind[row] = lastReset;
    }
    cursor = row;
    if (!side) {
      leaf = row;
      if (hasParent) explicit = true;
    }
  }

  // Version 1 has no ids at all, and older appenders wrote rows without parents: both are lists.
  if (!explicit) return listOf(digest);
  const path: number[] = [];
  const seen = new Uint8Array(count);
  let brokenAt = -1;
  let cyclic = false;
  for (let current = leaf, last = -1; current !== parentNone; ) {
    if (current === parentUnknown) {
      brokenAt = last;
      break;
    }
    if (seen[current] === 1) {
      cyclic = true;
      break;
    }
    seen[current] = 1;
    if (rows.kind[current] !== leafKind) path.push(current);
    last = current;
    current = parents[current]!;
  }
  return { rows: path.reverse(), leaf, brokenAt, cyclic, reattached, parents };
}

function listOf({ rows }: TranscriptDigest): Branch {
  const list: number[] = [];
  for (let row = 0; row < rows.length; row++) if (canonical[rows.kind[row]!]) list.push(row);
  return { rows: list, leaf: list.at(-1) ?? -1, brokenAt: -1, cyclic: false, reattached: [], parents: new Int32Array(0) };
}
