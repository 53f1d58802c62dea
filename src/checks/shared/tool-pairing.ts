/** One row of a conversation as far as tool pairing cares. `row` names it: a row number or an id. */
export type PairingStep<Row> =
  | { kind: 'user'; row: Row }
  /** `calls`: ids of its tool calls, null where a call has none. `abandoned`: the turn ended in an error or was aborted. */
  | { kind: 'assistant'; row: Row; calls: readonly (string | null)[]; abandoned: boolean }
  /** `callId`: the call it answers; null for legacy results that name none. */
  | { kind: 'result'; row: Row; callId: string | null };

/**
 * `why`: no-call when no earlier row made the call; earlier-turn when a later turn of calls lies between; answered when the
 * call had its result and a reply came since.
 */
export type OrphanResult<Row> = { row: Row; callId: string; why: 'no-call' | 'earlier-turn' | 'answered' };

/** `next`: what shows that the talk went on; 'user' when only user rows follow, so that a run may still be at work. */
export type UnansweredCalls<Row> = { row: Row; callIds: string[]; next: 'assistant' | 'user' };

/** `answeredAt`: position of its first result, 0 while there is none. */
type Call<Row> = { id: string; row: Row; turn: number; answeredAt: number; abandoned: boolean };

/**
 * Pairs tool calls and results in one sequence of rows, in the order a reader walks them. A turn is a run of assistant rows
 * with calls; its results may come in any order, and rows of others (a group's talk, a text-only reply) may lie between. A
 * result belongs to the latest turn with calls. Ids may be used again in a later turn. Linear in the number of steps.
 */
export function pairToolCalls<Row>(steps: Iterable<PairingStep<Row>>): { orphans: OrphanResult<Row>[]; unanswered: UnansweredCalls<Row>[] } {
  const orphans: OrphanResult<Row>[] = [];
  const calls: Call<Row>[] = [];
  const latest = new Map<string, Call<Row>>();
  const turnEnds: number[] = [];
  let turnIsOpen = false;
  let position = 0;
  let lastAssistant = -1;
  let lastUser = -1;
  for (const step of steps) {
    position++;
    switch (step.kind) {
      case 'user':
        lastUser = position;
        turnIsOpen = false;
        break;
      case 'assistant':
        lastAssistant = position;
        if (step.calls.length === 0) break;
        if (!turnIsOpen) turnEnds.push(position);
        turnIsOpen = true;
        turnEnds[turnEnds.length - 1] = position;
        // An id that one row names twice is one call.
        for (const id of new Set(step.calls)) {
          if (id === null) continue;
          const call: Call<Row> = { id, row: step.row, turn: turnEnds.length - 1, answeredAt: 0, abandoned: step.abandoned };
          calls.push(call);
          latest.set(id, call);
        }
        break;
      case 'result': {
        turnIsOpen = false;
        if (step.callId === null) break;
        const call = latest.get(step.callId);
        if (call === undefined) orphans.push({ row: step.row, callId: step.callId, why: 'no-call' });
        else {
          if (call.turn !== turnEnds.length - 1) orphans.push({ row: step.row, callId: step.callId, why: 'earlier-turn' });
          else if (call.answeredAt > 0 && lastAssistant > call.answeredAt) orphans.push({ row: step.row, callId: step.callId, why: 'answered' });
          if (call.answeredAt === 0) call.answeredAt = position;
        }
        break;
      }
    }
  }
  const unanswered: UnansweredCalls<Row>[] = [];
  for (const call of calls) {
    if (call.answeredAt > 0 || call.abandoned) continue;
    const end = turnEnds[call.turn]!;
    if (lastAssistant <= end && lastUser <= end) continue;
    const last = unanswered.at(-1);
    if (last?.row === call.row) last.callIds.push(call.id);
    else unanswered.push({ row: call.row, callIds: [call.id], next: lastAssistant > end ? 'assistant' : 'user' });
  }
  return { orphans, unanswered };
}
