import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { talk, writeAgentDatabase, type WindowRecord } from '../../helpers/agent-database.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const first = '11111111-2222-4333-8444-555555555555';
const second = '22222222-2222-4333-8444-555555555555';
const sessionKey = 'agent:main:telegram:direct:1';
const start = Date.parse('2026-09-10T08:00:00Z');
const iso = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();
const user = (id: string, parentId: string | null, minutes: number, more: object = {}): Record<string, unknown> => ({ type: 'message', id, parentId, timestamp: iso(minutes), message: { role: 'user', content: 'x', timestamp: start + minutes * 60_000 }, ...more });
const reset = (parentId: string, minutes: number): Record<string, unknown> => ({ type: 'reset', id: 'the-reset', parentId, timestamp: iso(minutes), reason: 'reset' });

async function scanWindows(windows: WindowRecord[], reader?: string, change?: Parameters<typeof writeAgentDatabase>[2]): Promise<unknown[]> {
  const state = temporaryFolder();
  writeAgentDatabase(join(state, 'agents/main/agent/openclaw-agent.sqlite'), windows, change);
  const { findings } = await scanUntouched(state, { check: ['transcript/misplaced-append'], ...(reader ? { readers: [{ product: 'openclaw', version: reader, source: 'option' }] } : {}) });
  return findings.map(({ severity, session, evidence: { shape, rows } }) => ({ severity, session, shape, rows }));
}

describe('a message beside a reset', () => {
  const before = talk(first, start, 2);
  const tip = '1111-2';
  const cases: [string, Record<string, unknown>[], string[] | null][] = [
    ['written after the reset with its parent', [reset(tip, 3), user('late', tip, 3.01)], ['late']],
    ['behind the reset', [reset(tip, 3), user('good', 'the-reset', 4)], null],
    ['an abandoned sibling from before the reset', [user('slash-new', tip, 2.9), reset(tip, 3), user('good', 'the-reset', 4)], null],
    ['a side row', [reset(tip, 3), user('side', tip, 4, { appendMode: 'side' })], null],
  ];
  it.each(cases)('%s', async (_name, more, rows) => {
    const windows = [{ sessionId: first, sessionKey, createdAt: start, events: [...before, ...more] }];
    const wanted = (severity: string): unknown[] => (rows ? [{ severity, session: first, shape: 'beside-reset', rows }] : []);
    expect(await scanWindows(windows, '2026.8.1')).toEqual(wanted('error'));
    expect(await scanWindows(windows, '2026.9.6')).toEqual(wanted('warning'));
  });
});

describe('a message in a window that its chat has left', () => {
  const old = (minutes: number): Record<string, unknown>[] => [...talk(first, start, 2), user('late', '1111-2', minutes)];
  const cases: [string, number, Partial<WindowRecord>, boolean, string[] | null][] = [
    ['ten minutes after the next one began', 20, {}, false, ['late']],
    ['within the slack of two clocks', 10.5, {}, false, null],
    ['before the next one began', 9, {}, false, null],
    ['the next one is a fork', 20, { reason: 'fork' }, false, null],
    ['the next one is a switch', 20, { reason: 'switch' }, false, null],
    ['of another chat', 20, { sessionKey: 'agent:main:other' }, false, null],
    ['the older window is the current one', 20, { current: false }, true, null],
  ];
  it.each(cases)('%s', async (_name, minutes, next, oldIsCurrent, rows) => {
    const windows: WindowRecord[] = [
      { sessionId: first, sessionKey, createdAt: start, events: old(minutes), current: oldIsCurrent },
      { sessionId: second, sessionKey, createdAt: start + 10 * 60_000, events: talk(second, start + 10 * 60_000, 2), ...next },
    ];
    expect(await scanWindows(windows)).toEqual(rows ? [{ severity: 'error', session: first, shape: 'rotated-window', rows }] : []);
  });

  it('also where the row has no identity', async () => {
    const windows: WindowRecord[] = [
      { sessionId: first, sessionKey, createdAt: start, events: old(20), current: false },
      { sessionId: second, sessionKey, createdAt: start + 10 * 60_000, events: talk(second, start + 10 * 60_000, 2) },
    ];
    expect(await scanWindows(windows, undefined, (db) => db.exec("DELETE FROM transcript_event_identities WHERE event_id = 'late'"))).toEqual([{ severity: 'error', session: first, shape: 'rotated-window', rows: ['late'] }]);
  });
});
