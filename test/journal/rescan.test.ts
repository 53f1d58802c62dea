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
