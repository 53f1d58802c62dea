import { describe, expect, it } from 'vitest';
import { nextPrompt, type PromptOutcome } from '../../../src/readers/opencode/next-prompt.ts';
import type { OrderRules } from '../../../src/readers/opencode/rules.ts';
import { runLoopStep } from '../../../src/readers/opencode/run-loop.ts';
import { unansweredPrompts } from '../../../src/readers/opencode/unanswered.ts';
import type { MessageRow, RevertPoint } from '../../../src/stores/opencode/types.ts';
import { exchange, now, prompt, reply, wrap } from '../rows.ts';

const byId: OrderRules = { order: 'id', mints: 'v1' };
const byTime: OrderRules = { order: 'time', mints: 'v1' };
const byIdWide: OrderRules = { order: 'id', mints: 'v2' };

const pre = exchange(wrap - 100_000);
const post = exchange(wrap + 100_000);
const aborted = (): MessageRow[] => {
  const asked = prompt(wrap - 50_000);
  return [asked, reply(wrap - 49_000, asked, { finish: null, error: 'MessageAbortedError' })];
};
const skewed = (): MessageRow[] => {
  const asked = prompt(wrap + 300_000, { mintedAt: wrap + 290_000 });
  return [...exchange(wrap + 295_000), asked, reply(wrap + 301_000, asked)];
};

const outcomes: [string, MessageRow[], { id: PromptOutcome['kind']; time: PromptOutcome['kind']; wide: PromptOutcome['kind'] }][] = [
  ['an empty session', [], { id: 'answered', time: 'answered', wide: 'answered' }],
  ['only before the wrap', pre, { id: 'silent', time: 'answered', wide: 'answered' }],
  ['only after it', post, { id: 'answered', time: 'answered', wide: 'answered' }],
  ['on both sides, answered', [...pre, ...post], { id: 'silent', time: 'answered', wide: 'answered' }],
  ['on both sides, two prompts waiting', [...pre, prompt(wrap + 5000), prompt(wrap + 6000)], { id: 'silent', time: 'answered', wide: 'answered' }],
  ['a skew of seconds after the wrap', skewed(), { id: 'answered', time: 'answered', wide: 'answered' }],
  ['a prompt before the wrap that nobody answered', [...pre, prompt(wrap - 1000)], { id: 'repeats', time: 'answered', wide: 'answered' }],
  ['an aborted reply before the wrap', [...pre, ...aborted()], { id: 'repeats', time: 'answered', wide: 'answered' }],
  ['imported ids that sort last', [prompt(wrap + 1, { id: 'msg_x1' }), reply(wrap + 2, null, { id: 'msg_x2' })], { id: 'silent', time: 'answered', wide: 'silent' }],
  ['rows from a clock in the future', exchange(now + 86_400_000), { id: 'silent', time: 'silent', wide: 'answered' }],
];

describe('nextPrompt', () => {
  it.each(outcomes)('%s', (_name, rows, expected) => {
    const kind = (rules: OrderRules): string => nextPrompt(rows, { rules, now }).kind;
    expect({ id: kind(byId), time: kind(byTime), wide: kind(byIdWide) }).toEqual(expected);
  });

  it('names the reply that hides it', () => {
    expect(nextPrompt([...pre, ...post], { rules: byId, now })).toEqual({ kind: 'silent', reply: pre[1]?.id });
  });

  it('is judged on what an armed revert leaves', () => {
    const revert: RevertPoint = { messageId: post[0]?.id ?? '', partId: null };
    expect(nextPrompt([...pre, ...post], { rules: byId, now, revert })).toEqual({ kind: 'answered' });
    expect(nextPrompt(pre, { rules: byId, now, revert: { messageId: pre[1]?.id ?? '', partId: null } })).toMatchObject({ kind: 'repeats' });
  });

  it('is judged on what compaction leaves', () => {
    expect(nextPrompt([...pre, ...post], { rules: byId, now, visible: (rows) => rows.filter((row) => row.time > wrap) })).toEqual({ kind: 'answered' });
  });
});

describe('runLoopStep', () => {
  const waiting = prompt(wrap + 5000);
  it.each([
    ['a waiting prompt after the wrap', [...pre, waiting], true, false],
    ['an answered session', pre, true, true],
    ['a reply that calls tools', [...pre.slice(0, 1), reply(wrap - 99_000, pre[0] ?? null, { finish: 'tool-calls' })], false, false],
    ['an unknown finish', [...pre.slice(0, 1), reply(wrap - 99_000, pre[0] ?? null, { finish: 'unknown' })], true, false],
    ['an empty finish', [...pre.slice(0, 1), reply(wrap - 99_000, pre[0] ?? null, { finish: '' })], false, false],
    ['a reply whose parent is an older prompt', [pre[0], prompt(wrap - 99_500), reply(wrap - 99_000, pre[0] ?? null)].filter((row) => row !== undefined), true, false],
    ['no reply', [waiting], false, false],
    ['no rows', [], false, false],
  ])('%s', (_name, rows, id, time) => {
    expect([runLoopStep(rows, byId).exits, runLoopStep(rows, byTime).exits]).toEqual([id, time]);
  });

  it('goes on after a reply that still holds tool calls', () => {
    const tools = new Set([pre[1]?.id ?? '']);
    expect([runLoopStep(pre, byId, tools).exits, runLoopStep(pre, byTime, tools).exits]).toEqual([false, false]);
  });
});

describe('unansweredPrompts', () => {
  const first = prompt(wrap + 1000);
  const second = prompt(wrap + 2000);
  it.each([
    ['none after an answer', [...pre, ...post], []],
    ['those after the last reply by time, whatever their ids', [second, ...pre, first], [first.id, second.id]],
    ['queued prompts share one reply', [first, second, reply(wrap + 3000, first)], []],
    ['rows that are neither', [first, { ...prompt(wrap + 3000), role: 'other' as const }], [first.id]],
  ])('%s', (_name, rows, expected) => {
    expect(unansweredPrompts(rows).map((row) => row.id)).toEqual(expected);
  });

  it('leaves carriers out', () => {
    expect(unansweredPrompts([first, second], new Set([second.id])).map((row) => row.id)).toEqual([first.id]);
  });
});
