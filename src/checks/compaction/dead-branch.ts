import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';
import { isTree, nameOfRow, placeOf, standingOf } from '../shared/openclaw-transcript.ts';

function* deadBranches(digest: TranscriptDigest, snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  if (!isTree(digest) || standingOf(digest, snapshot) !== 'read') return;
  const byParent = new Map<number, number[]>();
  for (const control of digest.controls) {
    if (control.kind !== 'compaction') continue;
    const parent = digest.rows.parent[control.row]!;
    if (parent < 0) continue;
    const known = byParent.get(parent);
    const id = digest.rows.id[control.row] ?? null;
    // The same row written twice is transcript/duplicate-id, no second branch.
    if (known === undefined) byParent.set(parent, [control.row]);
    else if (id === null || known.every((row) => digest.rows.id[row] !== id)) known.push(control.row);
  }
  const shared = [...byParent].filter(([, rows]) => rows.length > 1);
  const first = shared[0];
  if (!first) return;
  yield {
    ...placeOf(digest, digest.rows.line[first[1][1]!]),
    message: `${shared.length === 1 ? 'Two compactions follow' : `${shared.length} times, two compactions follow`} the same row: one was a retry, and its branch is dead. Nothing is missing.`,
    evidence: { parents: shared.map(([parent]) => nameOfRow(digest, parent)), compactions: shared.flatMap(([, rows]) => rows.map((row) => nameOfRow(digest, row))) },
    record: digest.file.name,
  };
}

export default defineCheck({
  meta: {
    id: 'compaction/dead-branch',
    severity: 'info',
    title: 'two compactions share a parent',
    products: ['openclaw'],
    fix: noFix,
    affects: 'nobody: readers follow the branch of the last row',
  },
  openclaw: { session: deadBranches },
});
