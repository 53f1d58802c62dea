import type { Finding, Json } from '../../model/finding.ts';
import { isObject } from '../../model/values.ts';

/** A turn whose calls got no result: where it stands (`line` from 1; an event's `seq` + 1), and the row of the talk behind it. */
export type OpenTurn = { line: number; row: string | null; at: string | null; nextLine: number | null; nextRow: string | null; nextParent: string | null; calls: { id: string; name: string | null; resultRow: string }[] };

function isTurn(value: Json): value is OpenTurn {
  return isObject(value) && typeof value['line'] === 'number' && Array.isArray(value['calls']);
}

/** The turns of a finding, in the order of their rows. */
export function openTurns({ evidence: { turns } }: Finding): OpenTurn[] {
  return (Array.isArray(turns) ? turns.filter(isTurn) : []).sort((a, b) => a.line - b.line);
}

/** The row behind the turn is a child of it or of what follows it, and is to become one of the last result. */
export function relinksNext(turn: OpenTurn): turn is OpenTurn & { nextLine: number; nextParent: string } {
  return turn.row !== null && turn.nextLine !== null && turn.nextParent !== null;
}

const resultText = '[sessionfsck] no result of this call was recorded';

/** The result rows for one turn as JSON, each the child of the one before; without ids where the transcript's rows have none. */
export function resultRows(turn: OpenTurn): { id: string; parentId: string | null; json: string }[] {
  const time = turn.at === null ? null : Date.parse(turn.at);
  let parentId = turn.row;
  return turn.calls.map(({ id, name, resultRow }) => {
    const place = turn.row === null ? {} : { id: resultRow, parentId };
    const parent = parentId;
    parentId = resultRow;
    const message = { role: 'toolResult', toolCallId: id, toolName: name ?? 'unknown', content: [{ type: 'text', text: resultText }], isError: true, ...(time === null ? {} : { timestamp: time }) };
    return { id: resultRow, parentId: parent, json: JSON.stringify({ type: 'message', ...place, ...(turn.at === null ? {} : { timestamp: turn.at }), message }) };
  });
}
