import type { Reader } from '../../model/version.ts';
import { activeBranch, branchRules, type Branch, type BranchRules } from '../../readers/openclaw/branch.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import { isTree } from './openclaw-transcript.ts';

const walked = new WeakMap<TranscriptDigest, Map<boolean, Branch>>();

/** The active branch under these rules, walked once a digest. A version 1 transcript is one list, whatever its rows name. */
export function branchOf(digest: TranscriptDigest, rules: BranchRules): Branch {
  const known = walked.get(digest) ?? new Map<boolean, Branch>();
  walked.set(digest, known);
  const branch = known.get(rules.reattaches) ?? (isTree(digest) ? activeBranch(digest, rules) : wholeList(digest));
  known.set(rules.reattaches, branch);
  return branch;
}

/** The active branch as this store's reader walks it. */
export function readersBranch(digest: TranscriptDigest, snapshot: OpenclawSnapshot, reader: Reader): Branch {
  return branchOf(digest, branchRules(reader, snapshot.layout));
}

function wholeList(digest: TranscriptDigest): Branch {
  const rows = Array.from({ length: digest.rows.length }, (_, row) => row);
  return { rows, leaf: rows.length - 1, brokenAt: -1, cyclic: false, reattached: [], parents: new Int32Array(0) };
}
