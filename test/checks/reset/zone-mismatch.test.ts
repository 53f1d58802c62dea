import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/model/finding.ts';
import { sampleData, temporaryFolder } from '../../helpers/paths.ts';
import { ids, writeResetStore, type SessionSpec } from '../../helpers/reset-store.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const [a, b] = ids;
/** Crosses 09:00 UTC, which is 04:00 in Chicago and nothing in Berlin. */
const morning: SessionSpec = { id: a, from: '2026-07-14T08:41:00Z', said: ['2026-07-14T08:41:01Z', '2026-07-14T08:57:00Z'], end: { kind: 'reset', at: '2026-07-14T09:12:09.900Z' } };
const after: SessionSpec = { id: b, from: '2026-07-14T09:12:11Z', said: ['2026-07-14T09:12:09Z'] };
/** Crosses 04:00 UTC. */
const night: SessionSpec[] = [
  { id: a, from: '2026-07-03T03:46:02Z', said: ['2026-07-03T03:46:02Z', '2026-07-03T03:58:40Z'], end: { kind: 'reset', at: '2026-07-03T04:23:04Z' } },
  { id: b, from: '2026-07-03T04:23:05Z', said: ['2026-07-03T04:23:03Z'] },
];

const cases: [name: string, sessions: SessionSpec[], zone: string, config: Json, found: string[]][] = [
  ['a zone that the configuration names', [morning, after], 'Europe/Berlin', { agents: { defaults: { userTimezone: 'America/Chicago' } } }, ['reset/zone-mismatch America/Chicago']],
  ['no zone is named: one fit proves nothing', [morning, after], 'Europe/Berlin', {}, ['reset/unexplained undefined']],
  ['the named zone is no zone', [morning, after], 'Europe/Berlin', { agents: { defaults: { userTimezone: 'Mars/Olympus' } } }, ['reset/unexplained undefined']],
  ['UTC is always plausible', night, 'Europe/Berlin', {}, ['reset/zone-mismatch UTC']],
  ['the stated zone explains it: no other is tried', night, 'UTC', { agents: { defaults: { userTimezone: 'America/Chicago' } } }, []],
  ['by idle alone no zone matters', night, 'Europe/Berlin', { session: { reset: { mode: 'idle', idleMinutes: 600 } } }, ['reset/unexplained undefined']],
];

describe('reset/zone-mismatch', () => {
  it.each(cases)('%s', async (_name, sessions, zone, config, found) => {
    const store = writeResetStore(temporaryFolder(), [{ key: 'agent:main:telegram:direct:1', sessions }], config);
    const { findings } = await scanUntouched(store, { check: ['reset/zone-mismatch', 'reset/unexplained'], zone });
    expect(findings.map((finding) => `${finding.checkId} ${finding.evidence.matchingZone}`)).toEqual(found);
  });

  it('the night of the report: explained in UTC, another zone’s in Berlin, unexplained in neither', async () => {
    const store = `${sampleData}/reset-night/store`;
    const inZone = async (zone: string): Promise<string[]> => (await scanUntouched(store, { check: ['reset'], zone })).findings.map((finding) => `${finding.severity} ${finding.checkId}`);
    expect(await inZone('UTC')).toEqual([]);
    expect(await inZone('Europe/Berlin')).toEqual(['warning reset/intraday-repeat', 'info reset/zone-mismatch']);
  });
});
