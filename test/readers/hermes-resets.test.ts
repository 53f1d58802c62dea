import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wallTime, zoneNamed, type Zone } from '../../src/model/zone.ts';
import { boundaryIgnored, resurrectionOf } from '../../src/readers/hermes/expiry.ts';
import { hermesChains, type HermesEnd } from '../../src/readers/hermes/lineage-events.ts';
import { judgeHermes } from '../../src/readers/hermes/reset-judge.ts';
import { hermesPolicy, hermesPolicyText } from '../../src/readers/hermes/reset-policy.ts';
import type { HermesConfig, ResetPolicyFacts, SessionActivity, SessionRow } from '../../src/stores/hermes/types.ts';

const key = 'agent:main:telegram:dm:55001';
const day = 86_400_000;
const zone = (name: string): Zone => {
  const found = zoneNamed(name);
  if (!found) throw new Error(`no zone ${name}`);
  return found;
};
const stated = (mode: string | null, atHour = 4, idleMinutes = 1440): ResetPolicyFacts => ({ mode, atHour, idleMinutes, wrong: [] });
const configOf = (standard: ResetPolicyFacts | null, rest: Partial<HermesConfig['reset']> = {}): HermesConfig => ({ files: [], backend: null, backendPath: null, timezone: null, reset: { standard, byPlatform: {}, byType: {}, path: '/h/config.yaml', ...rest } });

type Spec = { id: string; from: string; last: string; end?: string; reason?: string; parent?: string; markers?: Partial<SessionRow['markers']>; source?: string; key?: string | null; finalized?: boolean };

function row(spec: Spec): SessionRow {
  return {
    id: spec.id,
    source: spec.source ?? 'telegram',
    sessionKey: spec.key === undefined ? key : spec.key,
    profileName: null,
    parentId: spec.parent ?? null,
    startedAt: Date.parse(spec.from),
    endedAt: spec.end === undefined ? null : Date.parse(spec.end),
    endReason: spec.reason ?? null,
    expiryFinalized: spec.finalized ?? false,
    messageCount: null,
    toolCallCount: null,
    rewindCount: null,
    markers: { branchedFrom: null, delegateFrom: null, resetFrom: null, ...spec.markers },
    invalidJson: [],
    missingPrompt: null,
  };
}

const used = (spec: Spec): SessionActivity => ({ messages: 4, firstMessageAt: Date.parse(spec.from), lastMessageAt: Date.parse(spec.last), lastUserAt: Date.parse(spec.last) - 1000 });

function endsOf(specs: readonly Spec[], current: string | null = null): HermesEnd[] {
  const chains = hermesChains({
    ref: { id: 'x', product: 'hermes', layout: 'sqlite', path: '/h/state.db', label: 'state.db', home: '/h' },
    databases: [],
    sessions: () => specs.map(row),
    activity: (id) => used(specs.find((spec) => spec.id === id) ?? specs[0]!),
    routing: () => (current === null ? [] : [{ sessionKey: key, source: 'table', path: '/h/state.db', scope: '', sessionId: current, createdAt: null, updatedAt: null, platform: null, chatType: null, expiryFinalized: false, suspended: false, resumePending: false, wasAutoReset: false, autoResetReason: null, previousSessionId: null, invalid: false }]),
  });
  return chains.flatMap((chain) => chain.ends.filter((end) => end !== null));
}

function judge(specs: readonly Spec[], config = configOf(stated('both')), zoneName = 'Europe/Lisbon', current: string | null = null): string[] {
  return judgeHermes(endsOf(specs, current), config, zone(zoneName), [], { zoneGiven: true, now: Date.UTC(2027, 0, 1), configRead: true }).map((event) => `${event.sessionId} ${event.verdict} ${event.cause}`);
}

/** Last used 22:09 local, ended 08:04 the next morning. */
const night: Spec = { id: 'a', from: '2026-08-03T08:00:00Z', last: '2026-08-03T21:09:57Z', end: '2026-08-04T07:04:59Z', reason: 'daily' };
const next: Spec = { id: 'b', from: '2026-08-04T07:05:00Z', last: '2026-08-04T07:30:00Z', parent: 'a', markers: { resetFrom: 'a' } };
/** Last used 10:21 local, the next session begins 10:45. */
const short: Spec = { id: 'a', from: '2026-08-06T09:00:00Z', last: '2026-08-06T09:21:57Z', end: '2026-08-06T09:44:59Z', reason: 'agent_close' };
const soon: Spec = { id: 'b', from: '2026-08-06T09:45:00Z', last: '2026-08-06T10:00:00Z', parent: 'a' };

describe('ends of a Hermes chat', () => {
  const cases: [name: string, specs: Spec[], found: string[], config?: HermesConfig, zoneName?: string][] = [
    ['stamped daily, a boundary crossed', [night, next], ['a explained daily']],
    ['stamped daily, none crossed in this zone, but in UTC', [{ ...night, from: '2026-08-07T03:05:00Z', last: '2026-08-07T03:30:57Z', end: '2026-08-07T04:19:59Z' }, { ...next, from: '2026-08-07T04:20:00Z' }], ['a zone-mismatch daily']],
    ['stamped daily, none crossed anywhere', [{ ...night, from: '2026-08-07T06:05:00Z', last: '2026-08-07T06:30:57Z', end: '2026-08-07T07:19:59Z' }, { ...next, from: '2026-08-07T07:20:00Z' }], ['a unexplained null']],
    ['stamped daily by a build whose default is not written', [night, next], ['a explained daily'], configOf(null)],
    ['stamped idle after two days', [{ ...night, end: '2026-08-05T21:10:57Z', reason: 'idle' }, { ...next, from: '2026-08-05T21:11:00Z' }], ['a explained idle']],
    ['stamped idle too early', [{ ...short, reason: 'idle' }, soon], ['a unexplained null']],
    ['ended by the watcher, nobody came back', [night], ['a explained daily']],
    ['closed, and not taken up again', [short, soon], ['a unexplained null']],
    ['closed, but the next message came after the boundary', [short, { ...soon, from: '2026-08-07T06:00:00Z', last: '2026-08-07T06:10:00Z' }], ['a explained daily']],
    ['closed, nobody came back: it may go on', [short], []],
    ['never ended while another began', [{ ...short, end: undefined, reason: undefined }, soon], ['a unexplained null']],
    ['never ended, overnight', [{ ...night, end: undefined, reason: undefined }, next], ['a explained daily']],
    ['used on after the other began: no end', [{ ...short, end: undefined, reason: undefined, last: '2026-08-06T12:00:00Z' }, soon], []],
    ['session_reset within the day: a command', [{ ...short, reason: 'session_reset' }, soon], ['a explained manual']],
    ['session_reset overnight: the policy of old builds', [{ ...night, reason: 'session_reset' }, next], ['a explained daily']],
    ['/resume', [{ ...short, reason: 'session_switch' }, soon], ['a explained switch']],
    ['/stop', [{ ...short, reason: 'suspended' }, soon], ['a explained other']],
    ['a reason that is not known', [{ ...short, reason: 'my_plugin' }, soon], ['a explained other']],
    ['a compaction', [{ ...short, reason: 'compression' }, soon], ['a explained compaction']],
    ['a branch', [{ ...short, end: undefined, reason: undefined }, { ...soon, markers: { branchedFrom: 'a' } }], ['a explained switch']],
    ['a subagent is no successor', [{ ...short, end: undefined, reason: undefined }, { ...soon, source: 'subagent' }], []],
    ['mode none explains no missing end', [{ ...night, end: undefined, reason: undefined }, next], ['a unexplained null'], configOf(null)],
    ['before July 2026 the default was both', [{ ...night, from: '2026-06-03T08:00:00Z', last: '2026-06-03T21:09:57Z', end: undefined, reason: undefined }, { ...next, from: '2026-06-04T07:05:00Z' }], ['a explained daily'], configOf(null)],
    ['without a key only boundaries count', [{ ...short, key: null, reason: 'new_session' }, { ...soon, key: null, reason: 'tui_close', end: '2026-08-06T10:10:00Z' }], ['a explained manual']],
    ['by platform before by type', [{ ...short, reason: undefined, end: undefined }, soon], ['a explained idle'], configOf(stated('none'), { byPlatform: { telegram: stated('idle', 4, 20) }, byType: { dm: stated('none') } })],
    ['the clock goes back: 04:00 not reached', [{ ...night, from: '2026-10-24T16:00:00Z', last: '2026-10-24T23:00:00Z', end: '2026-10-25T02:30:00Z' }, { ...next, from: '2026-10-25T02:30:01Z' }], ['a unexplained null'], configOf(stated('both')), 'Europe/Berlin'],
  ];
  it.each(cases)('%s', (_name, specs, found, config, zoneName) => {
    expect(judge(specs, config, zoneName)).toEqual(found);
  });

  it('does not end the session that the routing names', () => {
    expect(judge([{ ...short, end: undefined, reason: undefined }, soon], undefined, undefined, 'a')).toEqual([]);
  });

  it('explains every reset of a simulated gateway, idle first', () => {
    const zones = ['UTC', 'Europe/Lisbon', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'];
    const gaps = fc.array(fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 60, max: 4000 })), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.constantFrom('both', 'daily', 'idle'), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 10, max: 2000 }), gaps, fc.constantFrom('2026-10-23T10:00:30Z', '2026-03-27T10:00:30Z', '2026-07-20T10:00:30Z'), (name, mode, atHour, idleMinutes, list, begin) => {
        const here = zone(name);
        const specs: Spec[] = [];
        const causes: string[] = [];
        let now = Date.parse(begin);
        let start = now;
        let last = now;
        for (const gap of list) {
          now += gap * 60_000;
          // As the gateway does: wall times without a zone.
          const local = wallTime(now, here);
          const before = wallTime(last, here);
          const midnight = local - (((local % day) + day) % day);
          const boundary = midnight + atHour * 3_600_000 - (local % day < atHour * 3_600_000 ? day : 0);
          const idle = mode !== 'daily' && local > before + idleMinutes * 60_000;
          const daily = mode !== 'idle' && before < boundary;
          if (idle || daily) {
            specs.push({ id: `s${specs.length}`, from: new Date(start).toISOString(), last: new Date(last).toISOString(), end: new Date(now).toISOString(), reason: idle ? 'idle' : 'daily' });
            causes.push(idle ? 'idle' : 'daily');
            start = now;
          }
          last = now;
        }
        const judged = judge([...specs, { id: 'live', from: new Date(start).toISOString(), last: new Date(last).toISOString() }], configOf(stated(mode, atHour, idleMinutes)), name);
        expect(judged).toEqual(causes.map((cause, index) => `s${index} explained ${cause}`));
      }),
      { numRuns: 200 },
    );
  });
});

describe('the policy of a Hermes chat', () => {
  it.each([
    ['nothing written, before July 2026', configOf(null), Date.UTC(2026, 5, 1), 'daily at 04:00, idle 1440 min'],
    ['nothing written, later', configOf(null), Date.UTC(2026, 7, 1), 'none'],
    ['a policy without a mode, later', configOf(stated(null)), Date.UTC(2026, 7, 1), 'none'],
    ['daily at six', configOf(stated('daily', 6)), Date.UTC(2026, 7, 1), 'daily at 06:00'],
    ['by platform', configOf(stated('daily'), { byPlatform: { telegram: stated('idle', 4, 30) } }), Date.UTC(2026, 7, 1), 'idle 30 min'],
    ['by chat type', configOf(stated('daily'), { byType: { dm: stated('none') } }), Date.UTC(2026, 7, 1), 'none'],
    ['a platform that the language knows', configOf(null, { byPlatform: {} }), Date.UTC(2026, 7, 1), 'none'],
  ])('%s', (_name, config, at, expected) => {
    expect(hermesPolicyText(hermesPolicy(config.reset, _name.includes('language') ? 'agent:main:constructor:toString:1' : key, at))).toBe(expected);
  });
});

describe('expiry', () => {
  const both = hermesPolicy(configOf(stated('both')).reset, key, null);
  const across: Spec = { id: 'a', from: '2026-08-05T20:00:00Z', last: '2026-08-06T09:00:00Z', finalized: true };
  it.each([
    ['used across the boundary', across, 'boundary'],
    ['not processed', { ...across, finalized: false }, undefined],
    ['used only before it', { ...across, last: '2026-08-06T02:00:00Z' }, undefined],
    ['ended, used hours later', { ...across, end: '2026-08-06T03:00:30Z', reason: 'agent_close' }, 'end'],
    ['ended, flushed a minute later', { ...across, end: '2026-08-06T08:59:00Z', reason: 'daily' }, undefined],
  ])('%s', (_name, spec, by) => {
    expect(resurrectionOf(row(spec), used(spec), both, zone('Europe/Lisbon'))?.by).toBe(by);
  });
  it('names the boundary that a session ignored', () => {
    expect(boundaryIgnored(row(across), used(across), both, zone('Europe/Lisbon'))).toBe(Date.parse('2026-08-06T03:00:00Z'));
    expect(boundaryIgnored(row(short), used(short), both, zone('Europe/Lisbon'))).toBe(null);
  });
});
