import type { FindingDraft } from '../../model/check.ts';
import { noFix, type Severity } from '../../model/finding.ts';
import { branchRules } from '../../readers/openclaw/branch.ts';
import { parentUnknown } from '../../stores/openclaw/digest-types.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { branchOf } from '../shared/openclaw-branch.ts';
import { isTree, kindOfRow, nameOfRow, namedRows, placeOf, standingOf } from '../shared/openclaw-transcript.ts';

function* brokenParents(digest: TranscriptDigest, snapshot: OpenclawSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (!isTree(digest) || standingOf(digest, snapshot) !== 'read') return;
  const { rows } = digest;
  const byParent = new Map<string, number[]>();
  for (let row = 0; row < rows.length; row++) {
    const missing = rows.parentId[row];
    // Leaf rows lead to their target. A root that names the session itself loses nothing.
    if (rows.parent[row] !== parentUnknown || missing === null || missing === undefined || missing === digest.header?.id || kindOfRow(digest, row) === 'leaf') continue;
    const known = byParent.get(missing);
    if (known) known.push(row);
    else byParent.set(missing, [row]);
  }
  if (byParent.size === 0) return;
  // What the talk would be with its breaks mended tells whether a break lies in it or in an abandoned branch.
  const mended = branchOf(digest, { reattaches: true });
  const place = new Map(mended.rows.map((row, index) => [row, index]));
  const reattached = new Set(mended.reattached);
  const stored = digest.file.kind === 'window';
  const mends = branchRules(context.reader, snapshot.layout).reattaches;
  for (const [missingParent, children] of byParent) {
    const active = children.filter((row) => place.has(row));
    const lost = Math.max(0, ...active.map((row) => messagesBefore(digest, mended.rows, place.get(row)!)));
    const severity: Severity = active.length === 0 ? 'info' : mends && active.every((row) => reattached.has(row)) ? 'warning' : 'error';
    const lines = children.map((row) => rows.line[row]!);
    yield {
      ...placeOf(digest, lines[0]),
      severity,
      ...(severity === 'info' ? { fix: noFix } : {}),
      ...(stored && severity === 'warning' ? { affects: 'exports and other programs that follow parents as they are written; OpenClaw 2026.8.1 and later link the row to the one before' } : {}),
      message: messageFor(severity, missingParent, lines.length, namedRows(digest, lines), lost, stored),
      details: hints(digest, lines[0]!),
      evidence: {
        missingParent,
        rows: children.slice(0, 1000).map((row) => nameOfRow(digest, row)),
        messagesBefore: lost,
        lineNumbers: lines.slice(0, 1000),
        rowCount: children.length,
        attachTo: children.slice(0, 1000).map((row) => placeToAttach(digest, mended.rows, place, row)),
      },
      record: `${digest.file.name} ${missingParent}`,
    };
  }
}

function messageFor(severity: Severity, missing: string, rows: number, places: string, lost: number, stored: boolean): string {
  const what = `${rows === 1 ? 'A row names' : `${rows} rows name`} the parent ${missing}, which no row of the transcript is (${places}).`;
  const before = lost === 1 ? 'the message before it' : `the ${lost} messages before it`;
  switch (severity) {
    case 'error':
      return lost === 0 ? `${what} The talk begins there: what came before is gone.` : `${what} Walking back from the newest row ends there: ${before} ${lost === 1 ? 'is' : 'are'} out of the agent's sight.`;
    case 'warning':
      return `${what} This reader links it to the row before; ${stored ? 'whoever follows parents as they are written loses' : 'older ones lose'} ${lost === 0 ? 'nothing more' : before}.`;
    case 'info':
      return `${what} It lies on a branch that nobody follows.`;
  }
}

function hints(digest: TranscriptDigest, line: number): string[] {
  const before = digest.damaged.findLast((damaged) => damaged.line < line);
  return before ? [`line ${before.line} before it could not be read and may have been that parent`] : [];
}

/** Id of the newest row before it that belongs to the talk (beside the talk: that stands before it); null at the beginning. */
function placeToAttach(digest: TranscriptDigest, branch: readonly number[], place: ReadonlyMap<number, number>, row: number): string | null {
  const at = place.get(row);
  if (at === undefined) return idBefore(digest, row);
  for (let i = at - 1; i >= 0; i--) {
    const id = digest.rows.id[branch[i]!];
    if (id !== null && id !== undefined && branch[i]! < row) return id;
  }
  return null;
}

function idBefore(digest: TranscriptDigest, row: number): string | null {
  for (let earlier = row - 1; earlier >= 0; earlier--) {
    const id = digest.rows.id[earlier];
    if (id !== null && id !== undefined) return id;
  }
  return null;
}

function messagesBefore(digest: TranscriptDigest, branch: readonly number[], end: number): number {
  let count = 0;
  for (let i = 0; i < end; i++) if (kindOfRow(digest, branch[i]!) === 'message') count++;
  return count;
}

export default defineCheck({
  meta: {
    id: 'transcript/broken-parent',
    severity: 'error',
    title: 'a row of a transcript names a parent that does not exist',
    products: ['openclaw'],
    fix: { id: 'reparent-entry', class: 'judgement' },
    affects: 'readers up to 2026.7.1-2: they stop at the gap; 2026.8.1 and later link the row to the one before',
  },
  openclaw: { session: brokenParents },
});
