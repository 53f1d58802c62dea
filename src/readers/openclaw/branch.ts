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
};

const canonical = rowKinds.map((kind) => kind !== 'leaf' && kind !== 'session' && kind !== 'other');
const leafKind = rowKinds.indexOf('leaf');
const resetKind = rowKinds.indexOf('reset');

/**
 * The active branch of a transcript (format notes §2.2): the leaf moves with every row that is no side append, `leaf` rows
 * move it by hand, rows that follow the append cursor of a side branch continue the leaf, rows without `parentId` continue it
 * too, and a transcript in which no row names a parent is one list.
 */
export function activeBranch(digest: TranscriptDigest, rules: BranchRules): Branch {
  const { rows } = digest;
  const count = rows.length;
  const parents = new Int32Array(count).fill(parentNone);
  const passes = new Int32Array(count).fill(-1); // the last reset in a row's ancestry
  const leafControls = new Map<number, Extract<Control, { kind: 'leaf' }>>();
  for (const control of digest.controls) if (control.kind === 'leaf') leafControls.set(control.row, control);
  const invalidControls = new Set<number>();
  const reattached: number[] = [];
  let leaf = parentNone;
  let cursor = parentNone;
  let lastReset = -1;
  let explicit = false;
  let nodes = 0;

  const throughControls = (row: number): number => {
    let current = row;
    for (let steps = 0; current >= 0 && rows.kind[current] === leafKind && !invalidControls.has(current) && steps < count; steps++) current = parents[current]!;
    return current;
  };

  for (let row = 0; row < count; row++) {
    const kind = rows.kind[row]!;
    const flags = rows.flags[row]!;
    const hasParent = (flags & rowFlag.hasParent) !== 0;
    if (rows.id[row] === null) continue;
    const named = rows.parent[row]!;
    if (kind === leafKind) {
      const control = leafControls.get(row);
      if (!control || !hasParent) continue;
      const target = referenced(digest, control.targetId, row);
      const append = control.hasAppendParent ? referenced(digest, control.appendParentId, row) : target;
      if (!control.hasTarget || target === parentUnknown || append === parentUnknown || invalidControls.has(target) || invalidControls.has(append)) {
        invalidControls.add(row);
        parents[row] = named;
        continue;
      }
      const behind = rules.reattaches && lastReset !== -1 && (target < 0 || passes[target] !== lastReset);
      parents[row] = behind ? lastReset : target;
      passes[row] = parents[row]! < 0 ? -1 : passes[parents[row]!]!;
      leaf = throughControls(parents[row]!);
      cursor = behind ? leaf : append;
      explicit = true;
      continue;
    }
    if (!canonical[kind]) {
      if (hasParent) {
        parents[row] = named;
        passes[row] = named >= 0 ? passes[named]! : -1;
        cursor = row;
      }
      continue;
    }
    nodes++;
    const side = (flags & rowFlag.side) !== 0;
    let parent = named;
    if (!hasParent) parent = leaf;
    else if (!side && leaf !== cursor && named === cursor) parent = leaf;
    else parent = throughControls(named);
    // To these builds a parent that comes only later is unknown too.
    if (rules.reattaches && !side && (named === parentUnknown || named >= row) && leaf >= 0) {
      parent = leaf;
      reattached.push(row);
    }
    if (rules.reattaches && lastReset !== -1 && kind !== resetKind && (parent < 0 || passes[parent] !== lastReset)) {
      parent = leaf >= 0 && passes[leaf] === lastReset ? leaf : lastReset;
      reattached.push(row);
    }
    parents[row] = parent;
    passes[row] = kind === resetKind ? row : parent >= 0 ? passes[parent]! : -1;
    if (kind === resetKind) lastReset = row;
    cursor = row;
    if (!side) {
      leaf = row;
      if (hasParent) explicit = true;
    }
  }

  if (!explicit) {
    // Version 1 has no ids at all; older appenders wrote rows without parents: both are lists.
    const list: number[] = [];
    for (let row = 0; row < count; row++) if (canonical[rows.kind[row]!]) list.push(row);
    return { rows: list, leaf: list.at(-1) ?? -1, brokenAt: -1, cyclic: false, reattached: [] };
  }
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
  return { rows: path.reverse(), leaf: nodes === 0 ? -1 : leaf, brokenAt, cyclic, reattached };
}

/** Row that a leaf control names: parentNone for null, parentUnknown where no earlier row has the id. */
function referenced(digest: TranscriptDigest, id: string | null, before: number): number {
  if (id === null) return parentNone;
  const row = digest.rowOf(id);
  return row === -1 || row >= before ? parentUnknown : row;
}
