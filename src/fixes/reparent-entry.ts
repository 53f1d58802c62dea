import type { Finding } from '../model/finding.ts';
import type { Action } from '../model/step.ts';
import type { OpenclawSnapshot } from '../stores/openclaw/types.ts';
import { defineFix, type FixOutcome } from './fix.ts';
import { liveTranscript } from './openclaw/live-transcript.ts';

function plan(finding: Finding, snapshot: OpenclawSnapshot): FixOutcome {
  if (finding.checkId !== 'transcript/broken-parent') return { left: 'rows of a database are not linked anew by this version' };
  const file = liveTranscript(finding, snapshot);
  if ('left' in file) return file;
  const { missingParent, lineNumbers, attachTo } = finding.evidence;
  if (typeof missingParent !== 'string' || !Array.isArray(lineNumbers) || !Array.isArray(attachTo)) return { left: 'the finding does not say which rows' };
  const hashes = snapshot.hashes.eachLine(file.path, new Set(lineNumbers.filter((line) => typeof line === 'number')));
  const actions: Action[] = [];
  for (const [i, line] of lineNumbers.entries()) {
    const after = attachTo[i];
    if (typeof line !== 'number' || (typeof after !== 'string' && after !== null)) continue;
    const sha256 = hashes.get(line)?.bare;
    if (sha256 === undefined) return { left: `line ${line} is gone` };
    actions.push({ kind: 'edit-json-line', path: file.path, line, sha256, edits: [{ op: 'set', path: ['parentId'], before: missingParent, after }] });
  }
  const first = attachTo[0];
  return {
    steps: [
      {
        target: `${file.name} ${missingParent}`,
        session: finding.session,
        title: `Link ${actions.length === 1 ? 'the row' : `${actions.length} rows`} behind the gap to ${actions.length === 1 ? (first === null ? 'the beginning' : `row ${String(first)}, the newest before it`) : 'the newest rows before them'}.`,
        consequences: ['Then the agent sees the rows before the gap again.', 'A row that stood in the gap is not brought back: look for it in .bak copies.', 'Only parentId changes; every other byte stays.'],
        alternatives: ['upgrade to 2026.8.1 or later, which links such rows by itself'],
        actions,
      },
    ],
  };
}

export default defineFix({
  meta: { id: 'reparent-entry', class: 'judgement', title: 'links a row whose parent is missing to the newest row before it', checks: ['transcript/broken-parent', 'transcript/misplaced-append'] },
  openclaw: plan,
});
