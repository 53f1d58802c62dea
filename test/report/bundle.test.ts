import { describe, expect, it } from 'vitest';
import { renderBundle, type BundleFacts } from '../../src/report/bundle.ts';
import { createPseudonymiser } from '../../src/report/pseudonym.ts';
import { everyKind, finding, hostile, hostileResult, openclawStore, result } from '../helpers/results.ts';

const facts: BundleFacts = { node: 'v20', platform: 'linux x64', policy: { zone: 'UTC', zoneGiven: true, deep: false, readers: [], severities: {}, ignores: 0 }, structure: new Map() };

describe('a bundle', () => {
  it('holds no sentence, path, name or chat', () => {
    const secrets = ['anna', '/home', '1764402291', 'Anna Example', '+49170123456', 'anna@example.org', 'secret words'];
    const one = result([openclawStore], [
      finding(openclawStore, {
        checkId: 'watermark/orphaned', session: 'anna-session', sessionKey: 'agent:anna:whatsapp:direct:+49170123456', message: 'secret words', details: ['secret words'], affects: 'secret words', hint: 'sessionfsck plan /home/anna',
        location: { path: '/home/anna/x/Anna Example.jsonl', table: 'secret words', row: 'anna@example.org' },
        evidence: { reason: 'unbound', watermarkKey: '["telegram","default","-1001764402291",""]', who: 'Anna Example', list: ['anna', 'anna@example.org'], hiddenByArchive: { 'anna.jsonl.reset.2026-07-03T04-23-04.118Z': 3 }, number: 12_345_678 },
      }),
    ], { errors: [{ store: openclawStore.id, message: 'secret words in /home/anna', path: '/home/anna' }], checksSkipped: [{ checkId: 'db/corrupt', store: openclawStore.id, reason: 'secret words' }] });
    const bundle = renderBundle(one, facts, 'salt');
    for (const secret of secrets) expect(bundle).not.toContain(secret);
    expect(bundle).toContain('"reason": "unbound"');
    expect(bundle).toContain('"number": 12345678');
    expect(bundle).toMatch(/"sessionKey": "agent:x-[0-9a-f]{8}:whatsapp:direct:x-[0-9a-f]{8}"/);
  });

  it('lets nothing hostile through', () => {
    expect(renderBundle(hostileResult(), facts, 'salt')).not.toMatch(/<script|onerror|javascript|\u001b/);
    expect(renderBundle(hostileResult(), facts, 'salt')).not.toContain(hostile.slice(0, 10));
  });

  it('has every finding with its numbers, times and ids', () => {
    const bundle = JSON.parse(renderBundle(everyKind(), facts, 'salt')) as { findings: { checkId: string; evidence: Record<string, unknown> }[] };
    expect(bundle.findings).toHaveLength(everyKind().findings.length);
    expect(bundle.findings.find((one) => one.checkId === 'order/wedged-session')?.evidence).toEqual({ unansweredPrompts: 2, idTail: 'msg_ffd191fba0018dBLqQ503dNUNs', timeTail: 'msg_00453dd560017877Qh3GmTBRX0' });
  });

  it('calls the same chat by the same name under one salt, and by another under another', () => {
    const key = 'agent:main:telegram:group:-1001764402291';
    const [a, b, c] = [createPseudonymiser('s').key(key), createPseudonymiser('s').key(key), createPseudonymiser('t').key(key)];
    expect(a).toBe(b);
    expect(a).not.toBe(c);
    expect(a).toMatch(/^agent:main:telegram:group:x-[0-9a-f]{8}$/);
  });

  it.each([
    ['a session id', 'rows', '3a38fb07-a0ff-40f2-ab2e-782dca45b252', true],
    ['an entry id', 'rows', '904a513e', true],
    ['digits that may be a phone', 'rows', '4917012345678', false],
    ['digits that may be a chat', 'rows', '70563012', false],
    ['a policy', 'policy', 'daily at 04:00, idle 1440 min', true],
    ['a policy with more in it', 'policy', 'daily at 04:00 for Alice', false],
    ['a zone', 'matchingZone', 'UTC+08:00', true],
    ['an end that the product knows', 'endReason', 'compression', true],
    ['an end that somebody wrote', 'endReason', 'alice_left', false],
    ['a setting', 'places', 'session.reset.mode', true],
    ['a setting of a chat', 'places', 'session.resetByChannel.alice', false],
    ['the key of a map', 'hiddenByArchive', 'alice', false],
  ])('evidence: %s', (_name, key, text, sent) => {
    const value = createPseudonymiser('s').value({ [key]: [text], map: { [text]: 1 } }) as Record<string, unknown[]>;
    expect(value[key]?.[0] === text).toBe(sent);
  });

  it('keeps what a finding says of single rows', () => {
    const evidence = { relink: [{ line: 5, row: 'a501', parent: null, attachTo: 'a503' }], turns: [{ line: 3, nextLine: 4, nextRow: 'a504', nextParent: 'a503' }] };
    const value = createPseudonymiser('s').value(evidence) as { [key in keyof typeof evidence]: Record<string, unknown>[] };
    expect([...value.relink, ...value.turns].map((row) => Object.keys(row))).toEqual([['line', 'row', 'parent', 'attachTo'], ['line', 'nextLine', 'nextRow', 'nextParent']]);
  });
});
