import type { FindingDraft } from '../../model/check.ts';
import { isoTime } from '../../model/time.ts';
import { readerAtLeast } from '../../model/version.ts';
import { rowFlag, rowKinds } from '../../stores/openclaw/digest-types.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
import type { CheckContext } from '../check.ts';
import { defineCheck } from '../check.ts';
import { branchOf } from '../shared/openclaw-branch.ts';

/** Verified by reading the shipped 2026.9.6: it hangs such a row behind the reset when it reads. */
const reattaches = '2026.9.6';
const message = rowKinds.indexOf('message');
/** How much later than the next window's beginning an append must be to count: two clocks write those times. */
const slackMs = 60_000;
/** Rows that a finding says where to link; a repair does the others after the next plan. */
const mostRelinked = 1000;

/** Messages that hang on the same parent as a reset row that was written before them (openclaw issue 127398). */
function* besideReset(digest: TranscriptDigest, snapshot: OpenclawSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (digest.file.kind !== 'window') return;
  const { rows } = digest;
  const resets = new Map<number, number>();
  for (const control of digest.controls) if (control.kind === 'reset') resets.set(rows.parent[control.row] ?? -1, control.row);
  if (resets.size === 0) return;
  const beside: { row: number; reset: number }[] = [];
  for (let row = 0; row < rows.length; row++) {
    if (rows.kind[row] !== message || ((rows.flags[row] ?? 0) & rowFlag.side) !== 0) continue;
    const parent = rows.parent[row] ?? -1;
    const reset = parent >= 0 ? resets.get(parent) : undefined;
    if (reset !== undefined && reset < row) beside.push({ row, reset });
  }
  const first = beside[0];
  if (!first) return;
  const healed = readerAtLeast(context.reader, reattaches);
  const ids = beside.map(({ row }) => rows.id[row] ?? `seq ${(rows.line[row] ?? 1) - 1}`);
  // Where a reader that hangs such rows behind the reset has them.
  const { parents } = branchOf(digest, { reattaches: true });
  const relink = beside.slice(0, mostRelinked).map(({ row }) => ({ line: rows.line[row] ?? 0, row: rows.id[row] ?? null, parent: rows.parentId[row] ?? null, attachTo: rows.id[parents[row] ?? -1] ?? null }));
  const time = isoTime(rows.time[first.row]);
  yield {
    session: digest.sessionId,
    sessionKey: digest.sessionKey,
    severity: healed ? 'warning' : 'error',
    message: `${beside.length} message${beside.length === 1 ? ' hangs' : 's hang'} beside the reset row instead of behind it: a reader that follows parents does not see ${beside.length === 1 ? 'it' : 'them'}.`,
    details: [`the reset is ${rows.id[first.reset] ?? 'without id'}`, ...(time ? [`the first such message was appended ${time}`] : [])],
    location: { path: snapshot.sqlite?.path ?? digest.file.path, table: 'transcript_events', row: `${digest.sessionId}/${(rows.line[first.row] ?? 1) - 1}` },
    evidence: { shape: 'beside-reset', rows: ids.slice(0, 100), resetEvent: rows.id[first.reset] ?? null, rowCount: beside.length, relink },
    affects: healed ? `readers before ${reattaches}; that one and later hang the rows behind the reset` : `readers before ${reattaches}`,
    record: 'beside-reset',
  };
}

/** Messages that went to a window after its chat had moved on to the next (openclaw issue 119220). */
function* inRotatedWindow(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  if (!snapshot.sqlite) return;
  for (const late of snapshot.sqlite.lateAppends(slackMs)) {
    yield {
      session: late.sessionId,
      sessionKey: late.sessionKey,
      confidence: 'likely',
      message: `${late.rows.length} message${late.rows.length === 1 ? ' was' : 's were'} appended to a transcript after its chat had moved on to the next one.`,
      details: [`the next session ${late.nextSessionId} began ${isoTime(late.nextCreatedAt) ?? 'at an unknown time'}`, `the last late message was appended ${isoTime(late.lastTime) ?? 'at an unknown time'}`],
      location: { path: snapshot.sqlite.path, table: 'transcript_events', row: late.sessionId },
      evidence: { shape: 'rotated-window', rows: late.rows.slice(0, 100), nextSession: late.nextSessionId, nextStart: isoTime(late.nextCreatedAt), lastTime: isoTime(late.lastTime) },
      fix: { id: null, class: 'none' },
      record: 'rotated-window',
    };
  }
}

export default defineCheck({
  meta: {
    id: 'transcript/misplaced-append',
    severity: 'error',
    title: 'a message was appended beside a reset, or to a transcript that its chat has left',
    products: ['openclaw'],
    fix: { id: 'reparent-entry', class: 'judgement' },
    affects: 'openclaw 2026.8.1 and later',
  },
  openclaw: { session: besideReset, store: inRotatedWindow },
});
