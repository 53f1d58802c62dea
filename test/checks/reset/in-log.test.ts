import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectResets } from '../../../src/checks/collect-resets.ts';
import { talk, writeAgentDatabase, type WindowRecord } from '../../helpers/agent-database.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { untouched } from '../../helpers/untouched.ts';

const sessionId = '11111111-2222-4333-8444-555555555555';
const sessionKey = 'agent:main:telegram:direct:1';
const start = Date.parse('2026-10-10T01:00:00Z');
const iso = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();
const user = (id: string, parentId: string, minutes: number): Record<string, unknown> => ({ type: 'message', id, parentId, timestamp: iso(minutes), message: { role: 'user', content: 'x', timestamp: start + minutes * 60_000 } });
const daily = '{ session: { reset: { mode: "daily", atHour: 4 } }, meta: { lastTouchedVersion: "2026.9.6" } }';
const idle = '{ session: { reset: { mode: "idle", idleMinutes: 60 } }, meta: { lastTouchedVersion: "2026.9.6" } }';
const none = '{ meta: { lastTouchedVersion: "2026.9.6" } }';

async function ends(config: string, windows: WindowRecord[], zone = 'UTC'): Promise<unknown[]> {
  const state = temporaryFolder();
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, 'openclaw.json'), config);
  writeAgentDatabase(join(state, 'agents/main/agent/openclaw-agent.sqlite'), windows);
  const { stores } = await untouched(state, () => collectResets([state], { zone, now: Date.parse('2026-12-01T12:00:00Z') }, {}));
  return stores.flatMap((store) => store.events.map(({ kind, verdict, cause, sessionKey: key, arithmetic }) => ({ kind, verdict, cause, key, seq: arithmetic['seq'], boundary: arithmetic['boundary'] })));
}

/** Four messages from 01:00, then a reset row at `minutes`, then the message that made it. */
function withReset(reason: string, minutes: number): WindowRecord[] {
  return [{ sessionId, sessionKey, createdAt: start, events: [...talk(sessionId, start, 4), { type: 'reset', id: 'r1', parentId: '1111-4', timestamp: iso(minutes), reason }, user('after', 'r1', minutes)] }];
}

describe('reset rows inside a transcript', () => {
  // The talk goes from 01:01 to 01:04 UTC.
  it.each([
    ['new', none, 30, 'explained', 'manual'],
    ['reset', none, 30, 'explained', 'manual'],
    ['cron-stale', none, 30, 'explained', 'other'],
    ['daily', daily, 4 * 60, 'explained', 'daily'],
    ['daily', daily, 60, 'unexplained', null],
    ['daily', none, 4 * 60, 'explained', 'daily'],
    ['daily', none, 60, 'unexplained', null],
    ['idle', idle, 90, 'explained', 'idle'],
    ['idle', idle, 30, 'unexplained', null],
    ['idle', none, 30, 'explained', 'idle'],
  ])('%s under %s after %i minutes', async (reason, config, minutes, verdict, cause) => {
    expect(await ends(config, withReset(reason, minutes))).toMatchObject([{ kind: 'reset-row', verdict, cause, key: sessionKey, seq: 5 }]);
  });

  it('is explained by UTC when the stated zone did not cross the boundary', async () => {
    expect(await ends(daily, withReset('daily', 4 * 60), 'America/Chicago')).toMatchObject([{ verdict: 'zone-mismatch' }]);
    expect(await ends(daily, withReset('daily', 4 * 60), 'UTC')).toMatchObject([{ verdict: 'explained', boundary: '2026-10-10T04:00:00.000Z' }]);
  });

  it('counts the second session of a transcript from the first reset on', async () => {
    const rows = [...talk(sessionId, start, 4), { type: 'reset', id: 'r1', parentId: '1111-4', timestamp: iso(240), reason: 'daily' }, user('a', 'r1', 240), { type: 'reset', id: 'r2', parentId: 'a', timestamp: iso(300), reason: 'daily' }, user('b', 'r2', 300)];
    expect(await ends(daily, [{ sessionId, sessionKey, createdAt: start, events: rows }])).toMatchObject([
      { seq: 5, verdict: 'explained', cause: 'daily' },
      { seq: 7, verdict: 'unexplained', cause: null },
    ]);
  });
});

describe('windows that their chat has left', () => {
  const next = '22222222-2222-4333-8444-555555555555';
  it.each([
    [null, 'other'],
    ['switch', 'switch'],
    ['recovery', 'failure'],
    ['compaction', 'compaction'],
  ])('reason %s', async (reason, cause) => {
    const windows: WindowRecord[] = [
      { sessionId, sessionKey, createdAt: start, events: talk(sessionId, start, 4), current: false },
      { sessionId: next, sessionKey, createdAt: start + 3_600_000, events: talk(next, start + 3_600_000, 2), reason },
    ];
    expect(await ends(none, windows)).toMatchObject([{ kind: 'window', verdict: 'explained', cause, key: sessionKey }]);
  });

  it('one window, no reset: nothing ended', async () => {
    expect(await ends(none, [{ sessionId, sessionKey, createdAt: start, events: talk(sessionId, start, 4) }])).toEqual([]);
  });
});
