import type { Finding, Json } from '../../model/finding.ts';
import type { Action } from '../../model/step.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import type { FixOutcome } from '../fix.ts';
import { liveTranscript } from './live-transcript.ts';

const resultText = '[sessionfsck] no result of this call was recorded';

type OpenTurn = { line: number; row: string | null; at: string | null; nextLine: number | null; nextParent: string | null; calls: { id: string; name: string | null; resultRow: string }[] };

function isTurn(value: Json): value is OpenTurn {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value.line === 'number' && Array.isArray(value.calls);
}

/** The result rows for one turn, each the child of the one before; without ids where the transcript's rows have none. */
function resultRows(turn: OpenTurn): string[] {
  const time = turn.at === null ? null : Date.parse(turn.at);
  let parentId = turn.row;
  return turn.calls.map(({ id, name, resultRow }) => {
    const place = turn.row === null ? {} : { id: resultRow, parentId };
    parentId = resultRow;
    const message = { role: 'toolResult', toolCallId: id, toolName: name ?? 'unknown', content: [{ type: 'text', text: resultText }], isError: true, ...(time === null ? {} : { timestamp: time }) };
    return JSON.stringify({ type: 'message', ...place, ...(turn.at === null ? {} : { timestamp: turn.at }), message });
  });
}

/** Writes an error result right behind each call that has none, and links the next row of the talk to it. */
export function answerOpenCalls(finding: Finding, snapshot: OpenclawSnapshot): FixOutcome {
  const file = liveTranscript(finding, snapshot);
  if ('left' in file) return file;
  const { turns } = finding.evidence;
  const open = Array.isArray(turns) ? turns.filter(isTurn) : [];
  if (open.length === 0) return { left: 'the finding does not say where the calls stand' };
  const relinked = open.filter((turn) => turn.row !== null && turn.nextLine !== null && turn.nextParent !== null);
  const hashes = snapshot.hashes.eachLine(file.path, new Set(relinked.flatMap((turn) => turn.nextLine ?? [])));
  const actions: Action[] = [];
  for (const turn of open) {
    actions.push({ kind: 'insert-lines', path: file.path, line: turn.line + 1, lines: resultRows(turn) });
    if (!relinked.includes(turn) || turn.nextLine === null || turn.nextParent === null) continue;
    const sha256 = hashes.get(turn.nextLine)?.bare;
    const last = turn.calls.at(-1)?.resultRow;
    if (sha256 === undefined || last === undefined) return { left: `line ${turn.nextLine} is gone` };
    actions.push({ kind: 'edit-json-line', path: file.path, line: turn.nextLine, sha256, edits: [{ op: 'set', path: ['parentId'], before: turn.nextParent, after: last }] });
  }
  const calls = open.reduce((sum, turn) => sum + turn.calls.length, 0);
  const steps = [
    {
      target: file.name,
      session: finding.session,
      title: `Write ${calls === 1 ? 'an error result behind the call' : `${calls} error results behind the calls`} that got none.`,
      consequences: ['Then every provider accepts the session again, and the agent reads that no result was recorded.', 'Whether the tool ran is not known, and is not said.', 'The next row of the talk is linked to the new one; every other line keeps its bytes.'],
      alternatives: ['leave it: OpenClaw makes up such a result in memory before each request', 'fork the session before the call'],
      actions,
    },
  ];
  const rows = finding.evidence['rows'];
  return Array.isArray(rows) && rows.length > open.length ? { steps, left: `${rows.length - open.length} further turns: plan again afterwards` } : { steps };
}
