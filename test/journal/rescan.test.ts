import { describe, expect, it } from 'vitest';
import { judgeRescan, type RescanFinding } from '../../src/journal/rescan.ts';
import { planOf } from '../helpers/journal.ts';
import { temporaryFolder } from '../helpers/paths.ts';

const finding = (checkId: string, session: string | null, severity: RescanFinding['severity'] = 'error', fingerprint = `${checkId} ${session}`): Omit<RescanFinding, 'store'> => ({ checkId, severity, fingerprint, session, sessionKey: null });
const [aim, other, moved] = [finding('area/aim', 's1'), finding('area/other', 's2'), finding('area/other', 's2', 'error', 'another place')];

type Case = [string, { before: (typeof aim & { steps?: number })[]; targets: string[]; after: (typeof aim)[] }, { better: boolean; remaining: string[]; appeared: string[] }];

const cases: Case[] = [
  ['gone, nothing new', { before: [aim, other], targets: [aim.fingerprint], after: [other] }, { better: true, remaining: [], appeared: [] }],
  ['still there', { before: [aim], targets: [aim.fingerprint], after: [aim] }, { better: false, remaining: ['area/aim'], appeared: [] }],
  ['still there, now at another place', { before: [other], targets: [other.fingerprint], after: [moved] }, { better: false, remaining: ['area/other'], appeared: [] }],
  ['one of two is gone, as planned', { before: [other, moved], targets: [moved.fingerprint], after: [other] }, { better: true, remaining: [], appeared: [] }],
  ['an untouched finding that only moved', { before: [aim, other], targets: [aim.fingerprint], after: [moved] }, { better: true, remaining: [], appeared: [] }],
  ['a new error', { before: [aim], targets: [aim.fingerprint], after: [other] }, { better: false, remaining: [], appeared: ['area/other'] }],
  ['a new warning is told by the next scan', { before: [aim], targets: [aim.fingerprint], after: [{ ...other, severity: 'warning' }] }, { better: true, remaining: [], appeared: [] }],
  ['a finding of several steps of which one was left out', { before: [{ ...aim, steps: 2 }], targets: [aim.fingerprint], after: [aim] }, { better: true, remaining: [], appeared: [] }],
];

const listing = (...sessions: string[]): Omit<RescanFinding, 'store'> => ({ ...finding('area/list', null, 'warning'), evidence: { sessions } });

const lists: [string, { settled: (string | null)[]; after: string[] }, boolean][] = [
  ['is gone', { settled: ['s1', 's2'], after: [] }, true],
  ['stays for a session that was to be settled', { settled: ['s1', 's2'], after: ['s2', 's3'] }, false],
  ['stays for one that joined it only', { settled: ['s1', 's2'], after: ['s3'] }, true],
  ['stays, and a step names no session', { settled: ['s1', null], after: ['s3'] }, false],
];

describe('a targeted finding that lists sessions', () => {
  it.each(lists)('%s', (_name, { settled, after }, better) => {
    const plan = planOf(temporaryFolder(), []);
    const [store] = plan.stores;
    const [step] = plan.steps;
    if (!store || !step) throw new Error('a plan without store and step');
    const found = listing('s1', 's2');
    store.findings = [{ ...found, steps: settled.length }];
    const steps = settled.map((session) => ({ ...step, session, findings: [{ checkId: found.checkId, fingerprint: found.fingerprint }] }));
    expect(judgeRescan([store], steps, after.length === 0 ? [] : [{ ...listing(...after), store: store.id }])).toMatchObject({ better, remaining: better ? [] : ['area/list'] });
  });
});

describe('the rescan after an apply', () => {
  it.each(cases)('%s', (_name, { before, targets, after }, expected) => {
    const plan = planOf(temporaryFolder(), []);
    const [store] = plan.stores;
    const [step] = plan.steps;
    if (!store || !step) throw new Error('a plan without store and step');
    store.findings = before;
    step.findings = targets.map((fingerprint) => ({ checkId: 'any', fingerprint }));
    expect(judgeRescan([store], [step], after.map((one) => ({ ...one, store: store.id })))).toMatchObject(expected);
  });
});
