import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/model/finding.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { ids, writeResetStore, type ChatSpec, type SessionSpec } from '../../helpers/reset-store.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const [a, b] = ids;
const key = 'agent:main:telegram:direct:41001';
const live = (...said: string[]): SessionSpec => ({ id: a, from: '2026-10-06T08:00:00Z', said: ['2026-10-06T08:00:00Z', ...said.map((time) => `2026-10-${time}Z`)] });
const idle = { session: { reset: { mode: 'idle', idleMinutes: 120 } } };

const cases: [name: string, chat: ChatSpec, found: string[], config?: Json][] = [
  ['a message hours after the boundary', { key, sessions: [live('07T09:00:00')] }, ['daily 2026-10-07T04:00:00.000Z']],
  ['no message after it: resets are lazy', { key, sessions: [live('06T22:00:00')] }, []],
  ['close behind the boundary a run may still have been active', { key, sessions: [live('07T04:02:00')] }, []],
  ['a message of the product itself', { key, sessions: [{ ...live('07T09:00:00'), internal: true }] }, []],
  ['mode none', { key, sessions: [live('07T09:00:00')] }, [], { session: { reset: { mode: 'none' } } }],
  ['a silence over the limit', { key, sessions: [live('06T13:00:00')] }, ['idle 2026-10-06T10:00:00.180Z'], idle],
  ['a silence under the limit', { key, sessions: [live('06T09:59:00')] }, [], idle],
  ['idle 0 means never', { key, sessions: [live('09T13:00:00')] }, [], { session: { reset: { mode: 'idle', idleMinutes: 0 } } }],
  ['a cron job', { key: 'agent:main:cron:job', sessions: [live('07T09:00:00')] }, []],
  ['a subagent', { key: 'agent:main:subagent:x', sessions: [live('07T09:00:00')] }, []],
  ['a CLI provider owns it and no policy is written', { key, sessions: [live('07T09:00:00')], entry: { claudeCliSessionId: 'x' } }, [], null],
  ['it was reset too late', { key, sessions: [{ ...live('07T09:00:00'), end: { kind: 'reset', at: '2026-10-08T09:00:00Z' } }, { id: b, from: '2026-10-08T09:00:01Z', said: ['2026-10-08T08:59:59Z'] }] }, ['daily 2026-10-07T04:00:00.000Z']],
  ['it was reset in time', { key, sessions: [{ ...live('06T20:00:00'), end: { kind: 'reset', at: '2026-10-07T09:00:00Z' } }, { id: b, from: '2026-10-07T09:00:01Z', said: ['2026-10-07T08:59:59Z'] }] }, []],
];

describe('reset/overdue', () => {
  it.each(cases)('%s', async (_name, chat, found, config) => {
    const store = writeResetStore(temporaryFolder(), [chat], config);
    const { findings } = await scanUntouched(store, { check: ['reset/overdue'] });
    expect(findings.map((finding) => `${finding.evidence.by} ${finding.evidence.deadline}`)).toEqual(found);
    expect(findings.every((finding) => finding.severity === 'info' && finding.session === a)).toBe(true);
  });
});
