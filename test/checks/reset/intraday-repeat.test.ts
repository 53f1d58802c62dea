import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/paths.ts';
import { ids, writeResetStore, type SessionSpec } from '../../helpers/reset-store.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const [a, b, c] = ids;
const key = 'agent:main:telegram:direct:41001';
const session = (id: string, from: string, last: string, at: string, kind: 'reset' | 'deleted' = 'reset'): SessionSpec => ({ id, from: `2026-10-${from}Z`, said: [`2026-10-${from}Z`, `2026-10-${last}Z`], end: { kind, at: `2026-10-${at}Z` } });
const live = (from: string, command?: string): SessionSpec => ({ id: c, from: `2026-10-${from}Z`, said: [`2026-10-${from}Z`], ...(command ? { command } : {}) });

const first = session(a, '07T05:30:00', '07T07:09:00', '07T07:34:00');
const second = session(b, '07T07:34:01', '07T10:00:00', '07T10:21:30');

const cases: [name: string, sessions: SessionSpec[], found: string[]][] = [
  ['two that nothing explains', [first, second, live('07T10:21:31')], ['2026-10-07 2']],
  ['a deletion and one that nothing explains', [{ ...first, end: { kind: 'deleted', at: '2026-10-07T07:34:00Z' } }, second, live('07T10:21:31')], ['2026-10-07 2']],
  ['two deletions', [{ ...first, end: { kind: 'deleted', at: '2026-10-07T07:34:00Z' } }, { ...second, end: { kind: 'deleted', at: '2026-10-07T10:21:30Z' } }], ['2026-10-07 2']],
  ['a daily one does not count', [session(a, '06T05:30:00', '06T19:00:00', '07T07:34:00'), second, live('07T10:21:31')], []],
  ['a command does not count', [first, second, live('07T10:21:31', '/new')], []],
  ['on two policy days: the boundary lies between', [session(a, '07T02:30:00', '07T02:40:00', '07T03:10:00'), session(b, '07T06:00:00', '07T06:10:00', '07T06:20:00'), live('07T06:20:01')], ['2026-10-07 2']],
  ['before and after 04:00 local', [session(a, '06T23:30:00', '07T00:40:00', '07T01:10:00'), session(b, '07T06:00:00', '07T06:10:00', '07T06:20:00'), live('07T06:20:01')], []],
  ['one alone', [first, { ...live('07T07:34:01') }], []],
];

describe('reset/intraday-repeat', () => {
  it.each(cases)('%s', async (_name, sessions, found) => {
    const store = writeResetStore(temporaryFolder(), [{ key, sessions }]);
    const { findings } = await scanUntouched(store, { check: ['reset/intraday-repeat'], zone: 'Europe/Berlin' });
    expect(findings.map((finding) => `${finding.evidence.policyDay} ${finding.evidence.changes}`)).toEqual(found);
    expect(findings.every((finding) => finding.sessionKey === key && finding.session === null && finding.severity === 'warning')).toBe(true);
  });

  it('does not count cron runs that one sweep removed', async () => {
    const chat = 'agent:main:cron:d609c59d-88cd-445b-841e-9949022aee41';
    const run = (id: string, at: string): SessionSpec => ({ id, from: '2026-10-05T01:00:00Z', said: ['2026-10-05T01:00:00Z'], end: { kind: 'deleted', at }, trajectoryKey: `${chat}:run:${id}` });
    const store = writeResetStore(temporaryFolder(), [{ key: chat, sessions: [run(a, '2026-10-07T07:05:00.000Z'), run(b, '2026-10-07T07:05:00.003Z'), run(c, '2026-10-07T07:05:00.006Z')], entry: null }]);
    const result = await scanUntouched(store, { check: ['reset'], zone: 'Europe/Berlin' });
    expect(result.findings).toEqual([]);
  });
});
