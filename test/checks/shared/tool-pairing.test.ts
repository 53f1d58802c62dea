import { describe, expect, it } from 'vitest';
import { pairToolCalls, type PairingStep } from '../../../src/checks/shared/tool-pairing.ts';

/** `u` a user row, `a` a text reply, `a:x,y` calls, `A:x` an abandoned turn with a call, `r:x` a result, `r` a result without an id. */
function steps(text: string): PairingStep<number>[] {
  return text.split(' ').map((word, row): PairingStep<number> => {
    const [kind, ids] = word.split(':');
    const list = ids === undefined ? [] : ids.split(',').map((id) => (id === '-' ? null : id));
    if (kind === 'u') return { kind: 'user', row };
    if (kind === 'r') return { kind: 'result', row, callId: list[0] ?? null };
    return { kind: 'assistant', row, calls: list, abandoned: kind === 'A' };
  });
}

describe('pairing of tool calls and results', () => {
  const cases: [string, string, unknown[], unknown[]][] = [
    ['a call and its result', 'u a:x r:x a', [], []],
    ['results of one turn in any order', 'u a:x,y,z r:z r:x r:y a', [], []],
    ['a turn spread over two rows', 'u a:x a:y r:x r:y a', [], []],
    ["a group's talk between call and result", 'u a:x u u r:x a', [], []],
    ['a text-only reply between call and result', 'u a:x a r:x a', [], []],
    ['ids that are used again in each turn', 'u a:x r:x a u a:x r:x a', [], []],
    ['a result that comes twice', 'u a:x r:x r:x a', [], []],
    ['a result that comes again after the reply', 'u a:x r:x a u a r:x a', [{ row: 6, callId: 'x', why: 'answered' }], []],
    ['a call at the very end', 'u a:x', [], []],
    ['some results are still to come', 'u a:x,y r:x', [], []],
    ['an aborted turn', 'u A:x u a', [], []],
    ['a synthetic result for an aborted call', 'u A:x r:x u a', [], []],
    ['a call without an id', 'u a:- u a', [], []],
    ['a legacy result without an id', 'u a:x r:x r u a', [], []],
    ['no call', 'u a:x r:x r:y a', [{ row: 3, callId: 'y', why: 'no-call' }], []],
    ['a result before its call', 'u r:x a:x a', [{ row: 1, callId: 'x', why: 'no-call' }], [{ row: 2, callIds: ['x'], next: 'assistant' }]],
    ['a result after a later turn with calls', 'u a:x u a:y r:y r:x a', [{ row: 5, callId: 'x', why: 'earlier-turn' }], []],
    ['the talk went on', 'u a:x u a', [], [{ row: 1, callIds: ['x'], next: 'assistant' }]],
    ['one of two is missing', 'u a:x,y r:y a', [], [{ row: 1, callIds: ['x'], next: 'assistant' }]],
    ['an id used again, unanswered the first time', 'u a:x u a:x r:x a', [], [{ row: 1, callIds: ['x'], next: 'assistant' }]],
    ['only user rows follow', 'u a:x,y u u', [], [{ row: 1, callIds: ['x', 'y'], next: 'user' }]],
    ['a later turn with calls, the first without', 'u a:x a:y u a:z r:z', [], [{ row: 1, callIds: ['x'], next: 'assistant' }, { row: 2, callIds: ['y'], next: 'assistant' }]],
  ];
  it.each(cases)('%s', (_name, text, orphans, unanswered) => {
    expect(pairToolCalls(steps(text))).toEqual({ orphans, unanswered });
  });
});
