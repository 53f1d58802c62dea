import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/model/finding.ts';
import { hasRealStores, realStores, temporaryFolder } from '../../helpers/paths.ts';
import { archiveName, ids, writeResetStore, type ChatSpec, type SessionSpec } from '../../helpers/reset-store.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const [a, b, c] = ids;
const direct = 'agent:main:telegram:direct:41001';
const group = 'agent:main:telegram:group:-100130';

/** Begun 07:30 local, last message 09:09, reset 09:34: nothing was crossed. */
const short: SessionSpec = { id: a, from: '2026-10-07T05:30:13.449Z', said: ['2026-10-07T05:30:11Z', '2026-10-07T07:09:56Z'], end: { kind: 'reset', at: '2026-10-07T07:34:00Z' } };
const after: SessionSpec = { id: b, from: '2026-10-07T07:34:01.449Z', said: ['2026-10-07T07:33:59Z', '2026-10-07T09:00:00Z'] };
const overnight: SessionSpec = { ...short, from: '2026-10-06T06:00:00Z', said: ['2026-10-06T06:00:00Z', '2026-10-06T19:39:56Z'] };

/** A session that nobody spoke in: no trace names its chat. */
const unused = (id: string, from: string, end: SessionSpec['end']): SessionSpec => ({ id, from, said: [], trajectoryKey: null, ...(end ? { end } : {}) });

type Case = [name: string, chats: ChatSpec[], found: string[], config?: Json];

const cases: Case[] = [
  ['the fault: second session of the day', [{ key: direct, sessions: [short, after] }], [a]],
  ['a boundary was crossed', [{ key: direct, sessions: [overnight, after] }], []],
  ['a boundary was crossed, but a message after it did not reset', [{ key: direct, sessions: [{ ...overnight, said: [...overnight.said, '2026-10-07T04:30:00Z'] }, after] }], [a]],
  ['a message that the product wrote itself after the boundary does not count', [{ key: direct, sessions: [{ ...overnight, said: ['2026-10-07T04:00:00Z'], internal: true }, after] }], []],
  ['no configuration: daily at 04:00', [{ key: direct, sessions: [overnight, after] }], [], null],
  ['idle too short', [{ key: group, sessions: [short, after] }], [a], { session: { resetByType: { group: { mode: 'idle', idleMinutes: 30 } } } }],
  ['idle long enough', [{ key: group, sessions: [short, after] }], [], { session: { resetByType: { group: { mode: 'idle', idleMinutes: 20 } } } }],
  ['idle 0 means never', [{ key: group, sessions: [overnight, after] }], [a], { session: { resetByType: { group: { mode: 'idle', idleMinutes: 0 } } } }],
  ['the override of a channel replaces the rest', [{ key: group, sessions: [overnight, after] }], [a], { session: { resetByType: { group: { mode: 'daily' } }, resetByChannel: { telegram: { mode: 'idle', idleMinutes: 10_080 } } } }],
  ['a command', [{ key: direct, sessions: [short, { ...after, command: '/new' }] }], []],
  ['what the product writes in place of a bare command', [{ key: direct, sessions: [short, { ...after, command: 'A new session was started via /new or /reset. Execute it.' }] }], []],
  ['a configured trigger', [{ key: direct, sessions: [short, { ...after, command: 'start over' }] }], [], { session: { resetTriggers: ['start over'] } }],
  ['that text without being a trigger', [{ key: direct, sessions: [short, { ...after, command: 'start over' }] }], [a]],
  ['a reset call', [{ key: direct, sessions: [short, { ...after, from: '2026-10-07T07:33:59.999Z', said: ['2026-10-07T07:40:00Z'] }], family: null }], []],
  ['two reset calls, what they made was never used and deleted, and the chat began anew', [{ key: direct, sessions: [short, unused(b, '2026-10-07T07:33:59.999Z', { kind: 'reset', at: '2026-10-07T07:34:01Z' }), unused(c, '2026-10-07T07:34:00.999Z', { kind: 'deleted', at: '2026-10-07T08:00:00Z' }), { ...after, id: ids[3], from: '2026-10-07T09:00:00Z', said: ['2026-10-07T09:00:00Z'] }], family: null }], []],
  ['the same, but the next header was written a second later', [{ key: direct, sessions: [short, unused(b, '2026-10-07T07:34:01.449Z', { kind: 'deleted', at: '2026-10-07T08:00:00Z' }), { ...after, id: c, from: '2026-10-07T09:00:00Z', said: ['2026-10-07T09:00:00Z'] }], family: null }], [a]],
  ['a deletion', [{ key: direct, sessions: [{ ...short, end: { kind: 'deleted', at: '2026-10-07T07:34:00Z' } }, after] }], []],
  ['a deletion whose chat is gone', [{ key: direct, sessions: [{ ...short, end: { kind: 'deleted', at: '2026-10-07T07:34:00Z' } }], entry: null }], []],
  ['an archive that nothing names stands alone', [{ key: direct, sessions: [{ ...short, trajectoryKey: null }], entry: null }], [a]],
  ['an archive without a trajectory is known by the family', [{ key: direct, sessions: [{ ...overnight, trajectoryKey: null }, after] }], []],
  ['an archive that nothing names, by the start of its successor', [{ key: group, sessions: [{ ...short, trajectoryKey: null }, after], family: null }], [], { session: { resetByType: { group: { mode: 'idle', idleMinutes: 20 } } } }],
  ['a predecessor that was left as it was, overnight', [{ key: direct, sessions: [{ ...overnight, end: 'left' }, after], family: [a, b] }], []],
  ['a predecessor that was left as it was, within the day', [{ key: direct, sessions: [{ ...short, end: 'left' }, after], family: [a, b] }], []],
  ['an archive that the entry still names is no end', [{ key: direct, sessions: [short, after], entry: { sessionId: a } }], []],
  ['a session that goes on over days', [{ key: direct, sessions: [{ id: a, from: '2026-10-01T05:30:00Z', said: ['2026-10-01T05:30:00Z', '2026-10-05T05:30:00Z'] }] }], []],
];

describe('reset/unexplained', () => {
  it.each(cases)('%s', async (_name, chats, found, config) => {
    const store = writeResetStore(temporaryFolder(), chats, config);
    const result = await scanUntouched(store, { check: ['reset/unexplained'], zone: 'Europe/Berlin' });
    expect(result.errors).toEqual([]);
    expect(result.findings.map((finding) => finding.session)).toEqual(found);
    expect(result.findings.every((finding) => finding.severity === 'warning')).toBe(true);
  });

  it('gives the times it rests on', async () => {
    const store = writeResetStore(temporaryFolder(), [{ key: direct, sessions: [short, after] }]);
    const { findings } = await scanUntouched(store, { check: ['reset/unexplained'], zone: 'Europe/Berlin' });
    expect(findings[0]).toMatchObject({
      sessionKey: direct,
      confidence: 'certain',
      evidence: {
        at: '2026-10-07T07:34:00.000Z',
        archive: archiveName(a, 'reset', '2026-10-07T07:34:00Z'),
        sessionStartedAt: '2026-10-07T05:30:13.449Z',
        lastActivity: '2026-10-07T07:09:58.000Z',
        boundary: '2026-10-07T02:00:00.000Z',
        nextSession: b,
      },
    });
  });

  it.each([
    ['written for this session', a, []],
    ['written for another one', b, [a]],
  ])('a session note of the product, %s', async (_name, noted, found) => {
    const store = writeResetStore(temporaryFolder(), [{ key: direct, sessions: [short, after] }]);
    mkdirSync(join(store, 'workspace/memory'), { recursive: true });
    writeFileSync(join(store, 'workspace/memory/2026-10-07-ropes.md'), `# Session: 2026-10-07 09:34:00 CEST\n\n- **Session Key**: ${direct}\n- **Session ID**: ${noted}\n- **Source**: telegram\n`);
    const { findings } = await scanUntouched(store, { check: ['reset/unexplained'], zone: 'Europe/Berlin' });
    expect(findings.map((finding) => finding.session)).toEqual(found);
  });

  it('is less sure when the zone is only this host’s, or the policy was written later', async () => {
    const store = writeResetStore(temporaryFolder(), [{ key: direct, sessions: [short, after] }], { meta: { lastTouchedAt: '2026-11-01T00:00:00Z' } });
    const { findings } = await scanUntouched(store, { check: ['reset/unexplained'], zone: 'Europe/Berlin' });
    expect(findings.map((finding) => finding.confidence)).toEqual(['likely']);
  });

  it('survives names and clocks that cannot be', async () => {
    const chats: ChatSpec[] = [{ key: direct, sessions: [{ ...short, from: '2099-01-01T00:00:00Z' }, { ...short, id: c, end: { kind: 'reset', at: '2098-10-07T07:34:00Z' } }, after] }];
    const store = writeResetStore(temporaryFolder(), chats);
    const sessions = `${store}/agents/main/sessions`;
    const archive = readFileSync(`${sessions}/${archiveName(a, 'reset', '2026-10-07T07:34:00Z')}`);
    writeFileSync(`${sessions}/${ids[3]}.jsonl.reset.2026-13-45T99-99-99.000Z`, archive);
    const result = await scanUntouched(store, { check: ['reset'], zone: 'Europe/Berlin' });
    expect(result.errors).toEqual([]);
    expect(result.findings.filter((finding) => finding.session === ids[3]).map((finding) => [finding.confidence, finding.evidence.at])).toEqual([['suspect', null]]);
  });

  it('tells two ends of one millisecond apart', async () => {
    const store = writeResetStore(temporaryFolder(), [{ key: direct, sessions: [short, { ...short, id: c }, after] }]);
    const { findings } = await scanUntouched(store, { check: ['reset/unexplained'], zone: 'Europe/Berlin' });
    expect(findings.map((finding) => finding.session)).toEqual([a, c]);
    expect(new Set(findings.map((finding) => finding.fingerprint)).size).toBe(2);
  });

  it.skipIf(!hasRealStores)('changes with the zone (needs ../shared/real-stores)', async () => {
    const sessionsIn = async (zone: string): Promise<(string | null)[]> => (await scanUntouched(`${realStores}/openclaw-resets/store`, { check: ['reset/unexplained'], zone })).findings.map((finding) => finding.session?.slice(0, 8) ?? null);
    expect(await sessionsIn('Europe/Berlin')).toEqual(['3a38fb07', '6364d1d2', 'a6e7e004', 'e7988085']);
    // In a wrong zone the daily ones fit no boundary; what they share is the offset of Berlin's summer.
    const { findings } = await scanUntouched(`${realStores}/openclaw-resets/store`, { check: ['reset/zone-mismatch'], zone: 'America/Los_Angeles' });
    expect(findings.map((finding) => `${finding.session?.slice(0, 8)} ${finding.evidence.matchingZone}`)).toContain('03451de4 UTC+02:00');
  });
});
