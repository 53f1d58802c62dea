import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { zoneNamed, type Zone } from '../../../src/model/zone.ts';
import type { JudgeContext, OpenclawEnd } from '../../../src/readers/openclaw/reset-end.ts';
import { judgeOpenclaw } from '../../../src/readers/openclaw/reset-judge.ts';
import { resetRules, type ResetPolicy } from '../../../src/readers/openclaw/reset-policy.ts';

const minute = 60_000;
const day = 86_400_000;
const context: JudgeContext = { zoneGiven: true, now: Date.UTC(2027, 5, 1), configRead: true, configWrittenAt: null };

function zone(name: string): Zone {
  const found = zoneNamed(name);
  if (!found) throw new Error(`no zone ${name}`);
  return found;
}

const daily: ResetPolicy = { mode: 'daily', atHour: 4, idleMinutes: null, configured: true, source: 'session.reset' };

/** An end as a policy reset leaves it; times as ISO texts or ms. */
function end(parts: Partial<OpenclawEnd> & { from: string | number; last: string | number; to: string | number }): OpenclawEnd {
  const ms = (time: string | number): number => (typeof time === 'number' ? time : Date.parse(time));
  const at = ms(parts.to);
  const { from, last, to: _to, ...rest } = parts;
  return {
    product: 'openclaw',
    kind: 'reset-archive',
    sessionKey: 'agent:main:telegram:direct:1',
    sessionId: 'a',
    at,
    archive: 'a.jsonl.reset.x',
    path: '/s/a',
    startedAt: ms(from),
    lastActivity: ms(last) + 2000,
    lastUser: ms(last),
    rows: 10,
    next: { sessionId: 'b', startedAt: at + 1449 },
    policy: daily,
    rules: resetRules('2026.7.1-2', 'jsonl', at),
    lastRow: ms(last) + 2000,
    lastCommandAt: null,
    successor: { sessionId: 'b', startedAt: at + 1449, entryStartedAt: null, firstUser: { saidAt: at - 1100, command: false }, copied: 0, familyNamesPredecessor: true },
    stillCurrent: false,
    keyGone: false,
    cronRun: false,
    cronRetention: day,
    pruneAfter: 30 * day,
    maxEntries: 500,
    entries: 3,
    burst: 1,
    burstHistoric: 0,
    historic: true,
    run: null,
    note: null,
    rowReason: null,
    row: null,
    ...rest,
  };
}

function judge(one: OpenclawEnd, zoneName = 'UTC', named: string[] = []): string {
  const [event] = judgeOpenclaw([one], zone(zoneName), named.map(zone), context);
  return `${event?.verdict} ${event?.cause}${event?.matchingZone ? ` ${event.matchingZone}` : ''}`;
}

describe('one end', () => {
  const night = { from: '2026-07-03T03:46:02.310Z', last: '2026-07-03T03:58:40Z', to: '2026-07-03T04:23:04.118Z' };
  const successor = end(night).successor;
  const deleted = { ...night, kind: 'delete-archive' as const };
  const cases: [string, OpenclawEnd, string, string][] = [
    ['the night of the report, host in UTC', end(night), 'UTC', 'explained daily'],
    ['the night of the report, host in Berlin', end(night), 'Europe/Berlin', 'zone-mismatch daily UTC'],
    ['nothing crossed anywhere plausible', end({ ...night, from: '2026-07-03T04:05:30Z', last: '2026-07-03T04:19:00Z', to: '2026-07-03T04:41:15Z' }), 'Asia/Tokyo', 'unexplained null'],
    ['a message between the boundary and the end', end({ ...night, last: '2026-07-03T04:10:00Z' }), 'UTC', 'unexplained null'],
    ['begun after the boundary', end({ ...night, from: '2026-07-03T04:00:00Z', last: '2026-07-03T04:10:00Z' }), 'UTC', 'unexplained null'],
    ['the clock goes back: 04:00 not reached', end({ from: '2026-10-24T17:00:00Z', last: '2026-10-24T22:59:56Z', to: '2026-10-25T02:30:00Z' }), 'Europe/Berlin', 'unexplained null'],
    ['the clock goes back: 04:00 reached', end({ from: '2026-10-24T16:00:00Z', last: '2026-10-24T20:59:56Z', to: '2026-10-25T03:10:00Z' }), 'Europe/Berlin', 'explained daily'],
    ['idle', end({ from: '2026-10-09T08:00:00Z', last: '2026-10-09T08:59:56Z', to: '2026-10-09T11:30:00Z', policy: { ...daily, mode: 'idle', idleMinutes: 120 } }), 'UTC', 'explained idle'],
    ['not yet idle', end({ from: '2026-10-09T11:30:00Z', last: '2026-10-09T11:59:56Z', to: '2026-10-09T13:00:00Z', policy: { ...daily, mode: 'idle', idleMinutes: 120 } }), 'UTC', 'unexplained null'],
    ['idle 0 means never', end({ from: '2026-10-09T11:30:00Z', last: '2026-10-09T11:59:56Z', to: '2026-10-12T13:00:00Z', policy: { ...daily, mode: 'idle', idleMinutes: 0 } }), 'UTC', 'unexplained null'],
    ['both stale, the boundary was earlier', end({ from: '2026-10-09T03:00:00Z', last: '2026-10-09T03:30:00Z', to: '2026-10-09T06:00:00Z', policy: { ...daily, idleMinutes: 60 } }), 'UTC', 'explained daily'],
    ['both stale, the silence was earlier', end({ from: '2026-10-09T01:00:00Z', last: '2026-10-09T01:30:00Z', to: '2026-10-09T06:00:00Z', policy: { ...daily, idleMinutes: 60 } }), 'UTC', 'explained idle'],
    ['a command, as the first message of the successor', end({ ...night, from: '2026-07-03T05:00:00Z', last: '2026-07-03T05:10:00Z', to: '2026-07-03T05:20:00Z', successor: { ...successor!, firstUser: { saidAt: Date.parse('2026-07-03T05:19:59Z'), command: true } } }), 'UTC', 'explained manual'],
    ['a command row that came long after', end({ ...night, from: '2026-07-03T05:00:00Z', last: '2026-07-03T05:10:00Z', to: '2026-07-03T05:20:00Z', successor: { ...successor!, firstUser: { saidAt: Date.parse('2026-07-03T05:29:59Z'), command: true } } }), 'UTC', 'unexplained null'],
    ['a reset call: header first, message later, no family', end({ ...night, from: '2026-07-03T05:00:00Z', last: '2026-07-03T05:10:00Z', to: '2026-07-03T05:20:00Z', successor: { ...successor!, startedAt: Date.parse('2026-07-03T05:19:59.999Z'), firstUser: { saidAt: Date.parse('2026-07-03T05:20:30Z'), command: false }, familyNamesPredecessor: false } }), 'UTC', 'explained manual'],
    ['the same header, but the family names the old one', end({ ...night, from: '2026-07-03T05:00:00Z', last: '2026-07-03T05:10:00Z', to: '2026-07-03T05:20:00Z', successor: { ...successor!, startedAt: Date.parse('2026-07-03T05:19:59.999Z'), firstUser: null } }), 'UTC', 'unexplained null'],
    ['a deletion is never the policy', end(deleted), 'UTC', 'explained delete'],
    ['a cron run over its retention', end({ ...deleted, from: '2026-07-01T03:00:00Z', last: '2026-07-01T03:00:01Z', cronRun: true, burst: 3 }), 'UTC', 'explained cron-prune'],
    ['a young cron run was deleted by somebody', end({ ...deleted, cronRun: true }), 'UTC', 'explained delete'],
    ['pruned for age', end({ ...deleted, from: '2026-05-01T03:00:00Z', last: '2026-05-01T03:00:01Z', keyGone: true }), 'UTC', 'explained prune'],
    ['old, but its chat goes on', end({ ...deleted, from: '2026-05-01T03:00:00Z', last: '2026-05-01T03:00:01Z' }), 'UTC', 'explained delete'],
    ['over the cap', end({ ...deleted, keyGone: true, burst: 4, entries: 500 }), 'UTC', 'explained cap'],
    ['orphan handling', end({ ...deleted, burst: 5, burstHistoric: 4 }), 'UTC', 'explained doctor'],
    ['an archive that an entry still names', end({ ...deleted, stillCurrent: true }), 'UTC', 'explained doctor'],
    ['a restart that copied the last turns', end({ ...night, from: '2026-07-03T05:00:00Z', last: '2026-07-03T05:10:00Z', to: '2026-07-03T05:20:00Z', successor: { ...successor!, copied: 4 } }), 'UTC', 'explained failure'],
    ['no time at all', { ...end(night), at: null }, 'UTC', 'unexplained null'],
    ['a time that no calendar holds', { ...end(night), at: 9e15 }, 'UTC', 'unexplained null'],
    ['up to April 2026 the last write counts', end({ from: '2026-03-02T20:00:00Z', last: '2026-03-03T05:00:00Z', to: '2026-03-03T05:10:00Z' }), 'UTC', 'unexplained null'],
  ];
  it.each(cases)('%s', (_name, one, zoneName, expected) => {
    expect(judge(one, zoneName)).toBe(expected);
  });

  it('uses a zone that the configuration names, and no other that would fit as well', () => {
    const morning = end({ from: '2026-07-14T08:41:00Z', last: '2026-07-14T08:57:00Z', to: '2026-07-14T09:12:09Z' });
    expect(judge(morning, 'Europe/Berlin', ['America/Chicago'])).toBe('zone-mismatch daily America/Chicago');
    expect(judge(morning, 'Europe/Berlin')).toBe('unexplained null');
  });

  it('says what lowers its confidence, not its verdict', () => {
    const doubtful: JudgeContext = { ...context, zoneGiven: false, configWrittenAt: Date.parse('2026-08-01T00:00:00Z') };
    const [event] = judgeOpenclaw([end(night)], zone('UTC'), [], doubtful);
    expect(event).toMatchObject({ verdict: 'explained', cause: 'daily', confidence: 'suspect' });
    expect(event?.remarks).toEqual(expect.arrayContaining([expect.stringContaining('--zone'), expect.stringContaining('after this end')]));
  });

  it('gives the arithmetic', () => {
    const [event] = judgeOpenclaw([end(night)], zone('Europe/Berlin'), [], context);
    expect(event?.arithmetic).toMatchObject({ zone: 'Europe/Berlin', boundary: '2026-07-03T02:00:00.000Z', boundaryLocal: '2026-07-03T04:00:00.000+02:00', ageMinutes: 37.03, matchingBoundary: '2026-07-03T04:00:00.000Z' });
    expect(event?.policyDay).toBe('2026-07-03');
  });
});

describe('an offset that several ends share', () => {
  const at = (dayOfMonth: number, from: string, last: string, to: string): OpenclawEnd => {
    const date = `2026-07-${String(dayOfMonth).padStart(2, '0')}`;
    return end({ from: `${date}T${from}:00Z`, last: `${date}T${last}:00Z`, to: `${date}T${to}:00Z` });
  };
  // 04:00 at UTC-07:00 is 11:00 UTC.
  const three = [at(3, '10:20', '10:50', '11:10'), at(5, '10:05', '10:40', '11:02'), at(8, '09:40', '10:30', '11:20')];
  const other = at(6, '15:05', '15:20', '15:40');
  it('three of four', () => {
    expect(judgeOpenclaw([...three, other], zone('Europe/Berlin'), [], context).map((event) => event.matchingZone)).toEqual(['UTC-07:00', 'UTC-07:00', 'UTC-07:00', null]);
  });
  it('two prove nothing', () => {
    expect(judgeOpenclaw([...three.slice(0, 2), other], zone('Europe/Berlin'), [], context).map((event) => event.verdict)).toEqual(['unexplained', 'unexplained', 'unexplained']);
  });
  it('long silences that fit half of all offsets prove nothing', () => {
    const wide = [3, 5, 8, 9].map((dayOfMonth) => at(dayOfMonth, '05:00', '05:30', '22:00'));
    expect(judgeOpenclaw(wide, zone('Asia/Tokyo'), [], context).every((event) => event.matchingZone === null)).toBe(true);
  });
});

/** What a product does with messages: each one may find its session stale, by the host's own local Date. */
function simulate(zoneName: string, policy: ResetPolicy, gaps: readonly number[], begin: number): { ends: { end: OpenclawEnd; cause: string }[]; open: { start: number; last: number } } {
  process.env.TZ = zoneName;
  new Date().getTimezoneOffset();
  let now = begin;
  let start = now;
  let last = now;
  const ends: { end: OpenclawEnd; cause: string }[] = [];
  for (const gap of gaps) {
    now += gap * minute;
    const boundary = new Date(now);
    boundary.setHours(policy.atHour, 0, 0, 0);
    if (now < boundary.getTime()) boundary.setDate(boundary.getDate() - 1);
    const deadline = policy.idleMinutes ? last + policy.idleMinutes * minute : null;
    const staleDaily = policy.mode === 'daily' && start < boundary.getTime();
    const staleIdle = deadline !== null && now > deadline;
    if (staleDaily || staleIdle) {
      const cause = staleDaily && (!staleIdle || boundary.getTime() <= (deadline ?? 0)) ? 'daily' : 'idle';
      ends.push({ end: end({ from: start, last, to: now + 13, policy }), cause });
      start = now;
    }
    last = now;
  }
  return { ends, open: { start, last } };
}

const before = process.env.TZ;
afterAll(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

describe('a simulated product', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'America/Santiago', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Auckland', 'Africa/Cairo'];
  const policies = fc.record({
    mode: fc.constantFrom<ResetPolicy['mode']>('daily', 'idle'),
    atHour: fc.integer({ min: 0, max: 23 }),
    idleMinutes: fc.option(fc.integer({ min: 1, max: 2000 })),
    configured: fc.constant(true),
    source: fc.constant('session.reset'),
  });
  const nights = fc.constantFrom('2026-03-27T10:00:30Z', '2026-10-23T10:00:30Z', '2026-04-03T10:00:30Z', '2026-11-01T00:10:30Z', '2026-07-01T10:00:30Z');
  const gaps = fc.array(fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 60, max: 3000 })), { minLength: 1, maxLength: 40 });

  it('has all its resets explained, with the right cause', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), policies, gaps, nights, (zoneName, policy, list, night) => {
        // Before 26 April 2026 another time was compared; the simulated builds are later ones.
        const { ends } = simulate(zoneName, policy, list, Date.parse(night) + 365 * day);
        const judged = judgeOpenclaw(ends.map((one) => one.end), zone(zoneName), [], context);
        expect(judged.map((event) => `${event.verdict} ${event.cause}`)).toEqual(ends.map((one) => `explained ${one.cause}`));
      }),
      { numRuns: 400 },
    );
  });

  it('has no explanation for one that breaks the rules', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), policies, gaps, nights, fc.integer({ min: 1, max: 3000 }), (zoneName, policy, list, night, later) => {
        const { open } = simulate(zoneName, policy, list, Date.parse(night) + 365 * day);
        const probe = simulate(zoneName, policy, [], open.start);
        expect(probe.ends).toEqual([]);
        const at = open.last + later * minute;
        const boundary = new Date(at);
        boundary.setHours(policy.atHour, 0, 0, 0);
        if (at < boundary.getTime()) boundary.setDate(boundary.getDate() - 1);
        const stale = (policy.mode === 'daily' && open.start < boundary.getTime()) || (policy.idleMinutes !== null && at > open.last + policy.idleMinutes * minute);
        fc.pre(!stale);
        const [event] = judgeOpenclaw([end({ from: open.start, last: open.last, to: at, policy })], zone(zoneName), [], context);
        expect(event?.verdict).not.toBe('explained');
      }),
      { numRuns: 400 },
    );
  });
});
