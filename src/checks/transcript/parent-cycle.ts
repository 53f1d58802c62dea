import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { readersBranch } from '../shared/openclaw-branch.ts';
import { isTree, nameOfRow, placeOf, standingOf } from '../shared/openclaw-transcript.ts';
import { findRings } from '../shared/rings.ts';

function* parentCycles(digest: TranscriptDigest, snapshot: OpenclawSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (!isTree(digest) || standingOf(digest, snapshot) !== 'read') return;
  const { rows } = digest;
  if (!pointsForward(digest)) return;
  const next = rows.parent.slice(0, rows.length);
  for (const control of digest.controls) if (control.kind === 'leaf') next[control.row] = control.targetId === null ? -1 : digest.rowOf(control.targetId);
  const duplicated = new Set(digest.duplicates.flatMap((duplicate) => [duplicate.first, duplicate.row]));
  for (const ring of findRings(next, rows.length)) {
    // Such a ring exists only because an id stands twice, which transcript/duplicate-id says.
    if (ring.some((row) => duplicated.has(row))) continue;
    const { cyclic } = readersBranch(digest, snapshot, context.reader);
    const members = ring.map((row) => nameOfRow(digest, row));
    yield {
      ...placeOf(digest, rows.line[ring[0]!]),
      severity: cyclic ? 'error' : 'warning',
      message: cyclic
        ? `${ring.length === 1 ? `Row ${members[0]} is its own parent` : `${ring.length} rows are each other's parents in a ring`}: walking back from the newest row never ends, and readers show an empty talk or hang.`
        : `${ring.length === 1 ? `Row ${members[0]} is its own parent` : `${ring.length} rows are each other's parents in a ring`}, beside the branch that is followed.`,
      evidence: { rows: members },
      record: `${digest.file.name} ${members[0]}`,
    };
  }
}

/** A ring needs a row whose parent stands at or after it: without one there is nothing to search. */
function pointsForward(digest: TranscriptDigest): boolean {
  const { parent, length } = digest.rows;
  for (let row = 0; row < length; row++) if (parent[row]! >= row) return true;
  return digest.controls.some((control) => control.kind === 'leaf' && control.targetId !== null && digest.rowOf(control.targetId) >= control.row);
}

export default defineCheck({
  meta: {
    id: 'transcript/parent-cycle',
    severity: 'error',
    title: 'the parents of some rows of a transcript form a ring',
    products: ['openclaw'],
    fix: noFix,
    affects: 'readers up to 2026.7.1-2: an empty talk, or a run that never ends; 2026.8.1 and later link a row whose parent comes later to the one before',
  },
  openclaw: { session: parentCycles },
});
