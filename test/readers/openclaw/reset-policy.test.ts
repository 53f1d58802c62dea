import { describe, expect, it } from 'vitest';
import { readResetConfig } from '../../../src/readers/openclaw/reset-config.ts';
import { channelOf, chatTypeOf, policyText, resetRules, resolveResetPolicy, type ChatType } from '../../../src/readers/openclaw/reset-policy.ts';

const july = Date.UTC(2026, 6, 3);
const files = resetRules('2026.7.1-2', 'jsonl', july);
const database = resetRules('2026.9.6', 'sqlite', Date.UTC(2026, 9, 3));

function policy(session: unknown, type: ChatType, channel: string | null = null, rules = files): string {
  const { config } = readResetConfig(session);
  return policyText(resolveResetPolicy(config, { type, channel }, rules));
}

describe('the policy of a chat', () => {
  const cases: [string, unknown, ChatType, string | null, string][] = [
    ['nothing configured', undefined, 'direct', null, 'daily at 04:00'],
    ['a reset object without a mode', { reset: {} }, 'direct', null, 'daily at 04:00'],
    ['an hour of its own', { reset: { mode: 'daily', atHour: 6 } }, 'direct', null, 'daily at 06:00'],
    ['an hour above the day is clamped', { reset: { atHour: 99 } }, 'direct', null, 'daily at 23:00'],
    ['an hour below the day is clamped', { reset: { atHour: -3 } }, 'direct', null, 'daily at 00:00'],
    ['a fraction of an hour is cut', { reset: { atHour: 4.9 } }, 'direct', null, 'daily at 04:00'],
    ['idle', { reset: { mode: 'idle', idleMinutes: 90 } }, 'direct', null, 'idle 90 min'],
    ['idle without minutes never ends', { reset: { mode: 'idle' } }, 'direct', null, 'idle without a limit: never'],
    ['idle 0 means never', { reset: { mode: 'idle', idleMinutes: 0 } }, 'direct', null, 'idle without a limit: never'],
    ['daily and idle together', { reset: { mode: 'daily', idleMinutes: 30 } }, 'direct', null, 'daily at 04:00, idle 30 min'],
    ['legacy minutes alone', { idleMinutes: 45 }, 'direct', null, 'idle 45 min'],
    ['legacy minutes beside a reset object add to it', { idleMinutes: 45, reset: { mode: 'daily' } }, 'direct', null, 'daily at 04:00, idle 45 min'],
    ['legacy minutes beside overrides by type: daily', { idleMinutes: 45, resetByType: { group: { mode: 'idle' } } }, 'direct', null, 'daily at 04:00, idle 45 min'],
    ['a type that is absent still resets daily', { resetByType: { group: { mode: 'idle', idleMinutes: 5 } } }, 'direct', null, 'daily at 04:00'],
    ['by type', { reset: { mode: 'daily' }, resetByType: { group: { mode: 'idle', idleMinutes: 120 } } }, 'group', null, 'idle 120 min'],
    ['a type takes what it does not say from the base', { reset: { mode: 'idle', idleMinutes: 50 }, resetByType: { thread: { idleMinutes: 7 } } }, 'thread', null, 'idle 7 min'],
    ['the old word for direct', { resetByType: { dm: { mode: 'idle', idleMinutes: 9 } } }, 'direct', null, 'idle 9 min'],
    ['by channel, before the type', { reset: { mode: 'daily' }, resetByType: { group: { mode: 'daily', atHour: 6 } }, resetByChannel: { discord: { mode: 'idle', idleMinutes: 10080 } } }, 'group', 'discord', 'idle 10080 min'],
    ['by channel, the base and the legacy minutes do not count', { idleMinutes: 5, reset: { mode: 'idle', idleMinutes: 6 }, resetByChannel: { discord: {} } }, 'group', 'discord', 'daily at 04:00'],
    ['another channel', { reset: { atHour: 5 }, resetByChannel: { discord: { mode: 'idle' } } }, 'group', 'telegram', 'daily at 05:00'],
    ['none', { reset: { mode: 'none' } }, 'direct', null, 'none'],
  ];
  it.each(cases)('%s', (_name, session, type, channel, expected) => {
    expect(policy(session, type, channel)).toBe(expected);
  });

  it.each([
    ['nothing configured', undefined, 'direct', 'none'],
    ['a reset object without a mode', { reset: {} }, 'direct', 'daily at 04:00'],
    ['a type object without a mode', { resetByType: { group: {} } }, 'group', 'daily at 04:00'],
    ['a type object without a mode over none', { reset: { mode: 'none' }, resetByType: { group: { atHour: 7 } } }, 'group', 'daily at 07:00'],
    ['another type over none', { reset: { mode: 'none' }, resetByType: { group: {} } }, 'direct', 'none'],
    ['a type object over idle', { reset: { mode: 'idle', idleMinutes: 8 }, resetByType: { group: {} } }, 'group', 'idle 8 min'],
    ['legacy minutes are gone', { idleMinutes: 45 }, 'direct', 'none'],
    ['the old word for direct is gone', { resetByType: { dm: { mode: 'daily' } } }, 'direct', 'none'],
  ] as [string, unknown, ChatType, string][])('from 2026.8.1: %s', (_name, session, type, expected) => {
    expect(policy(session, type, null, database)).toBe(expected);
  });
});

describe('the rules of a build', () => {
  it.each([
    ['no version, files', null, 'jsonl', july, { defaultMode: 'daily', compares: 'sessionStartedAt', arithmetic: 'carried' }],
    ['no version, database', null, 'sqlite', Date.UTC(2026, 9, 1), { defaultMode: 'none', compares: 'sessionStartedAt', arithmetic: 'wall' }],
    ['files written before the newest reader', '2026.9.6', 'jsonl', july, { defaultMode: 'daily', arithmetic: 'carried', newTypes: false }],
    ['before 26 April 2026', null, 'jsonl', Date.UTC(2026, 3, 25), { compares: 'updatedAt' }],
    ['first database release', '2026.8.1', 'sqlite', Date.UTC(2026, 8, 1), { defaultMode: 'none', arithmetic: 'carried' }],
    ['after the corrected boundary', '2026.9.6', 'sqlite', Date.UTC(2026, 9, 1), { arithmetic: 'wall' }],
    ['no time', null, 'jsonl', null, { compares: 'sessionStartedAt' }],
  ] as const)('%s', (_name, version, layout, at, expected) => {
    expect(resetRules(version, layout, at)).toMatchObject(expected);
  });
});

describe('what a key says', () => {
  it.each([
    ['agent:main:telegram:group:-100:topic:17', 'group', 'thread', 'telegram'],
    ['agent:main:slack:channel:c1:thread:9', 'group', 'thread', 'slack'],
    ['agent:main:discord:channel:11', 'direct', 'group', 'discord'],
    ['agent:main:telegram:direct:41001', 'direct', 'direct', 'telegram'],
    ['agent:main:telegram:work:direct:41001', 'direct', 'direct', 'telegram'],
    ['agent:main:main', null, 'direct', 'webchat'],
    ['agent:main:main', 'group', 'group', 'webchat'],
    [null, null, 'direct', 'webchat'],
  ] as const)('%s', (key, chatType, type, channel) => {
    expect([chatTypeOf(key, chatType), channelOf(key, 'WebChat')]).toEqual([type, channel]);
  });
});

describe('a configuration of wrong types', () => {
  it.each([
    ['session is a list', [], ['session']],
    ['reset is a text', { reset: 'daily' }, ['session.reset']],
    ['an unknown mode', { reset: { mode: 'manual' } }, ['session.reset.mode']],
    ['the hour is a text', { reset: { atHour: '4' } }, ['session.reset.atHour']],
    ['the hour is a fraction', { reset: { atHour: 4.5 } }, ['session.reset.atHour']],
    ['the minutes are negative', { reset: { idleMinutes: -1 } }, ['session.reset.idleMinutes']],
    ['the minutes are null', { idleMinutes: null }, ['session.idleMinutes']],
    ['a type is a number', { resetByType: { group: 4, thread: { mode: 'daily' } } }, ['session.resetByType.group']],
    ['the types are a list', { resetByType: [] }, ['session.resetByType']],
    ['the triggers are a text', { resetTriggers: '/new' }, ['session.resetTriggers']],
    ['keys that mean something to the language', JSON.parse('{"resetByType":{"__proto__":{"mode":"idle"},"constructor":{"mode":3}}}'), ['session.resetByType.constructor.mode']],
    ['nothing wrong', { reset: { mode: 'daily', atHour: 4 }, resetTriggers: ['/new'] }, []],
  ])('%s: defaults, and the place is named', (_name, session, places) => {
    const { config, problems } = readResetConfig(session);
    expect(problems.map((problem) => problem.place)).toEqual(places);
    expect(resolveResetPolicy(config, { type: 'direct', channel: 'constructor' }, files)).toMatchObject({ atHour: 4 });
  });
});
