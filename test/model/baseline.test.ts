import { describe, expect, it } from 'vitest';
import { acknowledge, emptyBaseline, goneEntries, isNew, standings, updateBaseline, type Baseline, type RunScope } from '../../src/model/baseline.ts';
import { inShard } from '../../src/model/shard.ts';
import type { Finding } from '../../src/model/finding.ts';
import { everyKind, finding, hermesStore, opencodeStore, result } from '../helpers/results.ts';

const now = Date.parse('2026-12-01T03:00:00Z');
const night = 86_400_000;
const all = everyKind();
const scope = (overrides: Partial<RunScope> = {}): RunScope => ({ shard: null, minSeverity: 'info', deep: false, now, ...overrides });
const newFindings = (findings: readonly Finding[], baseline: Baseline, at: number): Finding[] => {
  const stands = standings(findings, baseline, at);
  return findings.filter((each) => isNew(stands.get(each.fingerprint)));
};
const whole = updateBaseline(emptyBaseline, all, scope());
const one = all.findings[0]?.fingerprint ?? '';

describe('a baseline', () => {
  it('knows what it was made of, and nothing else', () => {
    expect(newFindings(all.findings, emptyBaseline, now)).toHaveLength(all.findings.length);
    expect(newFindings(all.findings, whole, now)).toEqual([]);
    const other = finding(hermesStore, { checkId: 'db/search-drift', severity: 'info' });
    expect(newFindings([...all.findings, other], whole, now)).toEqual([other]);
  });

  it('reports again what became more severe, not what became less', () => {
    const [first, ...rest] = all.findings;
    expect(first?.severity).toBe('error');
    const milder = result(all.stores, first ? [{ ...first, severity: 'info' as const }, ...rest] : rest);
    expect(newFindings(milder.findings, whole, now)).toEqual([]);
    expect(newFindings(all.findings, updateBaseline(emptyBaseline, milder, scope()), now)).toEqual([first]);
  });

  it('keeps an accepted finding silent until the date that was named', () => {
    const accepted = acknowledge(whole, [one], 'moved by hand', new Date(now + night).toISOString());
    expect(newFindings(all.findings, accepted, now)).toEqual([]);
    expect(newFindings(all.findings, accepted, now + night).map((each) => each.fingerprint)).toEqual([one]);
    const later = updateBaseline(accepted, all, scope({ now: now + 1000 }));
    expect(later.findings.find((entry) => entry.fingerprint === one)).toMatchObject({ reason: 'moved by hand', firstSeen: new Date(now).toISOString() });
    expect(updateBaseline(accepted, all, scope({ now: now + 2 * night })).findings.find((entry) => entry.fingerprint === one)?.reason).toBeUndefined();
  });

  it('forgets what went away, but only where this run looked', () => {
    const healed = result(all.stores, [], { checksRun: all.checksRun });
    expect(updateBaseline(whole, healed, scope()).findings).toEqual([]);
    const kept = (overrides: Parameters<typeof result>[2], stores = all.stores): number => updateBaseline(whole, result(stores, [], { checksRun: all.checksRun, ...overrides }), scope()).findings.length;
    const ofOpencode = all.findings.filter((each) => each.store === opencodeStore.id).length;
    expect(kept({}, [opencodeStore])).toBe(all.findings.length - ofOpencode);
    expect(kept({ checksRun: ['order/wedged-session'] })).toBe(all.findings.length - 1);
    expect(kept({ errors: [{ store: opencodeStore.id, message: 'time', path: '' }] })).toBe(ofOpencode);
    expect(kept({ checksSkipped: [{ checkId: 'db/corrupt', store: hermesStore.id, reason: 'x' }] })).toBe(1);
  });

  it('does not take what a run left out for healed: a store, everything, lower severities, what only deep runs find', () => {
    const healed = result(all.stores, [], { checksRun: all.checksRun });
    const nothing = result([], [], { checksRun: all.checksRun, errors: [{ store: null, message: 'no permission', path: '/' }] });
    expect(updateBaseline(whole, nothing, scope())).toEqual(whole);
    const below = all.findings.filter((each) => each.severity !== 'error').length;
    expect(below).toBeGreaterThan(0);
    expect(updateBaseline(whole, healed, scope({ minSeverity: 'error' })).findings).toHaveLength(below);
    const deep = updateBaseline(emptyBaseline, all, scope({ deep: true }));
    expect(updateBaseline(deep, healed, scope())).toEqual(deep);
    expect(updateBaseline(deep, healed, scope({ deep: true })).findings).toEqual([]);
    // A run without --deep has found it too: from then on one that does not is proof.
    expect(updateBaseline(updateBaseline(deep, all, scope()), healed, scope()).findings).toEqual([]);
    expect(updateBaseline(updateBaseline(whole, all, scope({ deep: true })), healed, scope()).findings).toEqual([]);
  });

  it('tells new, worse, known, accepted and no longer accepted findings apart', () => {
    const [first] = all.findings;
    if (!first) throw new Error('everyKind() is empty');
    const kind = (baseline: Baseline, at = now): string | undefined => standings([first], baseline, at).get(first.fingerprint)?.kind;
    const accepted = acknowledge(whole, [one], 'moved by hand', new Date(now + night).toISOString());
    expect(kind(emptyBaseline)).toBe('new');
    expect(kind(whole)).toBe('known');
    expect(kind(accepted)).toBe('accepted');
    expect(kind(accepted, now + night)).toBe('expired');
    expect(kind({ ...accepted, findings: accepted.findings.map((entry) => ({ ...entry, severity: 'info' })) })).toBe('worse');
  });

  it('covers a store over the nights of a rotation', () => {
    let baseline = emptyBaseline;
    for (let index = 1; index <= 5; index++) {
      const shard = { index, total: 5 };
      const part = result(all.stores, all.findings.filter((each) => inShard(each.session ?? each.store, shard)), { checksRun: all.checksRun });
      expect(goneEntries(baseline, part, scope({ shard }))).toEqual([]);
      baseline = updateBaseline(baseline, part, scope({ shard }));
    }
    expect(baseline).toEqual(whole);
  });
});
