import { rowFlag, rowRoles, stopReasons } from '../../stores/openclaw/digest-types.ts';
import type { ToolCall, TranscriptDigest } from '../../stores/openclaw/types.ts';
import type { PairingStep } from './tool-pairing.ts';

const user = rowRoles.indexOf('user');
const assistant = rowRoles.indexOf('assistant');
const results = new Set(['toolResult', 'tool'].map((role) => (rowRoles as readonly string[]).indexOf(role)));
const abandoned = new Set(['error', 'aborted'].map((reason) => (stopReasons as readonly string[]).indexOf(reason)));

/** A branch as the pairing of calls and results sees it. Delivery mirrors are copies of outbound text and no turns. */
export function* pairingSteps(digest: TranscriptDigest, branch: readonly number[]): Iterable<PairingStep<number>> {
  const { role, stop, flags } = digest.rows;
  const calls = byRow(digest.toolCalls);
  const answers = byRow(digest.toolResults);
  for (const row of branch) {
    if (role[row] === user) yield { kind: 'user', row };
    else if (role[row] === assistant) {
      if ((flags[row]! & rowFlag.mirror) === 0) yield { kind: 'assistant', row, calls: calls.get(row)?.map((call) => call.id) ?? [], abandoned: abandoned.has(stop[row]!) };
    } else if (results.has(role[row]!)) yield { kind: 'result', row, callId: answers.get(row)?.[0]?.id ?? null };
  }
}

function byRow(calls: readonly ToolCall[]): Map<number, ToolCall[]> {
  const rows = new Map<number, ToolCall[]>();
  for (const call of calls) {
    const known = rows.get(call.row);
    if (known) known.push(call);
    else rows.set(call.row, [call]);
  }
  return rows;
}

/** Ids of the calls (or results) on rows that are not on the branch. */
export function idsBeside(calls: readonly ToolCall[], branch: readonly number[]): Set<string | null> {
  const onBranch = new Set(branch);
  return new Set(calls.filter((call) => !onBranch.has(call.row)).map((call) => call.id));
}
