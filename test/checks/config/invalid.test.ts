import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/model/finding.ts';
import { copyOf, sampleData, temporaryFolder } from '../../helpers/paths.ts';
import { ids, writeResetStore } from '../../helpers/reset-store.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const chat = { key: 'agent:main:telegram:direct:1', sessions: [{ id: ids[0], from: '2026-10-06T06:00:00Z', said: ['2026-10-06T06:00:00Z', '2026-10-06T19:00:00Z'], end: { kind: 'reset' as const, at: '2026-10-07T07:34:00Z' } }, { id: ids[1], from: '2026-10-07T07:34:01Z', said: ['2026-10-07T07:33:59Z'] }] };

const cases: [name: string, config: Json, found: Json[]][] = [
  ['cut in the middle', '{ "session": { "reset": ', [{ reason: 'not-parsed' }]],
  ['two objects, one after the other', '{} {}', [{ reason: 'not-parsed' }]],
  ['not an object', '[]', [{ reason: 'not-parsed' }]],
  ['empty', '', [{ reason: 'not-parsed' }]],
  ['wrong types', { session: { reset: { mode: 3, atHour: '4', idleMinutes: 'x' }, resetTriggers: {} } }, [{ reason: 'wrong-types', places: ['session.reset.mode', 'session.reset.atHour', 'session.reset.idleMinutes', 'session.resetTriggers'] }]],
  ['a fraction of an hour', { session: { reset: { atHour: 4.5 } } }, [{ reason: 'wrong-types', places: ['session.reset.atHour'] }]],
  ['comments and trailing commas', '{ // nightly\n session: { reset: { mode: "daily", }, }, }', []],
  ['no file at all', null, []],
  ['nothing about resets', { gateway: { mode: 'local' } }, []],
];

describe('config/invalid', () => {
  it.each(cases)('openclaw: %s; the default policy explains the night all the same', async (_name, config, found) => {
    const store = writeResetStore(temporaryFolder(), [chat], config);
    const { findings } = await scanUntouched(store, { check: ['config', 'reset'] });
    expect(findings.map((finding) => finding.evidence)).toEqual(found.map((evidence) => expect.objectContaining(evidence)));
    expect(findings.map((finding) => finding.location.path)).toEqual(found.map(() => join(store, 'openclaw.json')));
  });

  it.each([
    ['not YAML', 'session_reset: [both', [{ reason: 'not-parsed' }]],
    ['wrong types', 'session_reset:\n  mode: sometimes\n  at_hour: 31\n', [{ reason: 'wrong-types', places: ['session_reset.mode', 'session_reset.at_hour'] }]],
    ['a list', 'session_reset: 4\n', [{ reason: 'wrong-types', places: ['session_reset'] }]],
    ['right', 'session_reset:\n  mode: both\n', []],
  ])('hermes: %s', async (_name, text, found) => {
    const store = copyOf(join(sampleData, 'hermes-resets/store'));
    writeFileSync(join(store, 'config.yaml'), text);
    const { findings } = await scanUntouched(store, { check: ['config/invalid'], zone: 'Europe/Lisbon' });
    expect(findings.map((finding) => finding.evidence)).toEqual(found.map((evidence) => expect.objectContaining(evidence)));
  });

  it.each(['api_key: *hunter2', 'api_key: |hunter2\n  x', 'a: 1\n} hunter2', 'hunter2', 'a: "x" hunter2'])('hermes: a password is not quoted: %j', async (text) => {
    const store = copyOf(join(sampleData, 'hermes-resets/store'));
    writeFileSync(join(store, 'config.yaml'), `${text}\n`);
    const { findings } = await scanUntouched(store, { check: ['config/invalid'], zone: 'UTC' });
    expect(findings.map((finding) => finding.evidence['reason'])).toEqual(['not-parsed']);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });
});
