import type { Finding } from '../../model/finding.ts';
import type { Action } from '../../model/step.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import type { FixOutcome, Left } from '../fix.ts';
import { answerStoredCalls } from './answer-stored-calls.ts';
import { liveTranscript } from './live-transcript.ts';
import { openTurns, relinksNext, resultRows, type OpenTurn } from './open-turns.ts';
import { storedWindow } from './stored-window.ts';

type Answered = { target: string; actions: Action[]; kept: string };

function inFile(finding: Finding, snapshot: OpenclawSnapshot, open: readonly OpenTurn[]): Answered | Left {
  const file = liveTranscript(finding, snapshot);
  if ('left' in file) return file;
  const hashes = snapshot.hashes.eachLine(file.path, new Set(open.filter(relinksNext).map((turn) => turn.nextLine)));
  const actions: Action[] = [];
  for (const turn of open) {
    actions.push({ kind: 'insert-lines', path: file.path, line: turn.line + 1, lines: resultRows(turn).map((row) => row.json) });
    if (!relinksNext(turn)) continue;
    const sha256 = hashes.get(turn.nextLine)?.bare;
    const last = turn.calls.at(-1)?.resultRow;
    if (sha256 === undefined || last === undefined) return { left: `line ${turn.nextLine} is gone` };
    actions.push({ kind: 'edit-json-line', path: file.path, line: turn.nextLine, sha256, edits: [{ op: 'set', path: ['parentId'], before: turn.nextParent, after: last }] });
  }
  return { target: file.name, actions, kept: 'The next row of the talk is linked to the new one; every other line keeps its bytes.' };
}

function inDatabase(finding: Finding, snapshot: OpenclawSnapshot, open: readonly OpenTurn[]): Answered | Left | null {
  const window = storedWindow(finding, snapshot);
  if (window === null || 'left' in window) return window;
  const answered = answerStoredCalls(window, open);
  if ('left' in answered) return answered;
  return { target: window.sessionId, actions: answered.actions, kept: 'The next row of the talk is linked to the new one. The rows behind it are numbered on by as many as are new; what they say stays as it is.' };
}

/** Writes an error result right behind each call that has none, and links the next row of the talk to it. */
export function answerOpenCalls(finding: Finding, snapshot: OpenclawSnapshot): FixOutcome {
  const open = openTurns(finding);
  if (open.length === 0) return { left: 'the finding does not say where the calls stand' };
  const answered = inDatabase(finding, snapshot, open) ?? inFile(finding, snapshot, open);
  if ('left' in answered) return answered;
  const calls = open.reduce((sum, turn) => sum + turn.calls.length, 0);
  const steps = [
    {
      target: answered.target,
      session: finding.session,
      title: `Write ${calls === 1 ? 'an error result behind the call' : `${calls} error results behind the calls`} that got none.`,
      consequences: ['Then every provider accepts the session again, and the agent reads that no result was recorded.', 'Whether the tool ran is not known, and is not said.', answered.kept],
      alternatives: ['leave it: OpenClaw makes up such a result in memory before each request', 'fork the session before the call'],
      actions: answered.actions,
    },
  ];
  const rows = finding.evidence['rows'];
  return Array.isArray(rows) && rows.length > open.length ? { steps, left: `${rows.length - open.length} further turns: plan again afterwards` } : { steps };
}
