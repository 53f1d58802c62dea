import type { Finding, Json } from '../model/finding.ts';
import { isObject } from '../model/values.ts';
import type { OpenclawSnapshot } from '../stores/openclaw/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';
import { relinkRows, type RowToLink } from './openclaw/relink-rows.ts';

type Relink = { line: number; row: string | null; parent: string; attachTo: string };

function isRelink(value: Json): value is Relink {
  return isObject(value) && typeof value['line'] === 'number' && typeof value['parent'] === 'string' && typeof value['attachTo'] === 'string';
}

/** The rows of a finding whose new place is known. */
function rowsOf({ evidence }: Finding): RowToLink[] {
  const { lineNumbers, rows, attachTo, missingParent, relink } = evidence;
  if (Array.isArray(relink)) return relink.filter(isRelink).map(({ line, row, parent, attachTo: after }) => ({ line, id: row, before: parent, after }));
  if (typeof missingParent !== 'string' || !Array.isArray(lineNumbers) || !Array.isArray(attachTo)) return [];
  return lineNumbers.flatMap((line, i) => {
    const after = attachTo[i];
    const id = Array.isArray(rows) ? rows[i] : null;
    if (typeof line !== 'number' || (typeof after !== 'string' && after !== null)) return [];
    return [{ line, id: typeof id === 'string' ? id : null, before: missingParent, after }];
  });
}

function plan(finding: Finding, snapshot: OpenclawSnapshot): FixOutcome {
  const rows = rowsOf(finding);
  const done = relinkRows(finding, snapshot, rows);
  if ('left' in done) return done;
  // A list of what OpenClaw shows that lacks rows hides them, whatever the reader would make of the gap.
  const unseen = finding.severity === 'error' || (done.grows ?? 0) > 0;
  const one = rows.length === 1;
  const first = rows[0]?.after ?? null;
  const newest = one ? (first === null ? 'to the beginning' : `to row ${first}, the newest before it`) : 'to the newest rows before them';
  const beside = finding.checkId === 'transcript/misplaced-append';
  const rest = Number(finding.evidence['rowCount']) - rows.length;
  return {
    ...(rest > 0 ? { left: `${rest} further rows: plan again afterwards` } : {}),
    steps: [
      {
        target: `${done.target} ${beside ? 'beside-reset' : String(finding.evidence['missingParent'])}`,
        session: finding.session,
        title: beside ? `Link ${one ? 'the row' : `${rows.length} rows`} beside the reset ${one ? (first === null ? 'to the beginning' : `to row ${first}, behind it`) : 'to the rows behind it'}.` : `Link ${one ? 'the row' : `${rows.length} rows`} behind the gap ${newest}.`,
        consequences: [
          beside ? 'Then every reader sees these messages behind the reset, where they were meant to be.' : unseen ? 'Then the agent sees the rows before the gap again.' : 'Then every reader sees the rows before the gap, not only those that link such rows by themselves.',
          ...(beside ? [] : ['A row that stood in the gap is not brought back: look for it in .bak copies.']),
          ...kept(done.grows),
        ],
        alternatives: alternatives(done.grows !== null, finding.severity === 'error', unseen),
        actions: done.actions,
      },
    ],
  };
}

function kept(grows: number | null): string[] {
  if (grows === null) return ['Only parentId changes; every other byte stays.'];
  if (grows === 0) return ["Only the parent changes. OpenClaw's own list of what it shows has it so already, and stays."];
  return [`OpenClaw's own list of what it shows gets the ${grows} rows that it lacks. Its search finds them when it has listed the chat anew.`];
}

function alternatives(stored: boolean, broken: boolean, unseen: boolean): string[] {
  if (!stored) return ['upgrade to 2026.8.1 or later, which links such rows by itself'];
  if (broken) return ['upgrade to 2026.9.6 or later, which links such rows by itself'];
  return unseen ? [] : ['leave it: the reader of this store links such rows by itself; an export or another program that follows parents does not'];
}

export default defineFix({
  meta: { id: 'reparent-entry', class: 'judgement', title: 'links a row whose parent is missing, or that stands beside a reset, to the newest row before it', checks: ['transcript/broken-parent', 'transcript/misplaced-append'] },
  openclaw: plan,
});
