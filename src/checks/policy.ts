import { UsageError } from '../model/errors.ts';
import type { Finding, ScanResult, Severity } from '../model/finding.ts';
import { nearestPath, type Ignore, type Policy } from '../model/policy.ts';
import type { Check } from './check.ts';

const fits = (id: string, name: string): boolean => id === name || id.startsWith(`${name}/`);

/** Throws UsageError when the policy names a check that there is not. */
export function assertKnownChecks(policy: Policy, checks: readonly Check[]): void {
  const wrong = [
    ...Object.keys(policy.severities).map((name) => ({ name, place: `severities.${name}` })),
    ...(['check', 'skip'] as const).flatMap((list) => (policy.lists?.[list] ?? []).map((name, index) => ({ name, place: `${list}[${index}]` }))),
    ...policy.ignores.flatMap((ignore, index) => (ignore.check === undefined ? [] : [{ name: ignore.check, place: `ignore[${index}].check` }])),
  ].filter(({ name }) => !checks.some((check) => fits(check.meta.id, name)));
  if (wrong.length === 0) return;
  throw new UsageError(wrong.map(({ name, place }) => `${policy.source}: ${place}: no check is called ${name}`).join('\n'), 'sessionfsck explain lists all checks');
}

function severityFor(policy: Policy, id: string): Severity | 'off' | undefined {
  return policy.severities[id] ?? policy.severities[id.split('/')[0] ?? ''];
}

/** False for a check that the policy turns off. */
export function isOn(policy: Policy | undefined, id: string): boolean {
  return policy === undefined || severityFor(policy, id) !== 'off';
}

/** Findings with the policy's severities, without those that it ignores at `now` (ms); these are returned apart. A suspect finding never becomes an error. */
export function applyPolicy(findings: readonly Finding[], policy: Policy | undefined, now: number, pathOf: (store: string) => string): { kept: Finding[]; ignored: NonNullable<ScanResult['ignored']> } {
  if (policy === undefined) return { kept: [...findings], ignored: [] };
  const kept: Finding[] = [];
  const ignored: NonNullable<ScanResult['ignored']> = [];
  for (const finding of findings) {
    const ignore = policy.ignores.find((candidate) => ignores(candidate, finding, now, pathOf(finding.store)));
    if (ignore) {
      ignored.push({ fingerprint: finding.fingerprint, checkId: finding.checkId, store: finding.store, reason: ignore.reason });
      continue;
    }
    const wanted = severityFor(policy, finding.checkId);
    if (wanted === undefined || wanted === 'off') kept.push(finding);
    else kept.push({ ...finding, severity: finding.confidence === 'suspect' && wanted === 'error' ? 'warning' : wanted });
  }
  return { kept, ignored };
}

function ignores(ignore: Ignore, finding: Finding, now: number, path: string): boolean {
  if (ignore.until !== null && now >= ignore.until) return false;
  if (ignore.check !== undefined && !fits(finding.checkId, ignore.check)) return false;
  if (ignore.session !== undefined && ignore.session !== finding.session && ignore.session !== finding.sessionKey) return false;
  if (ignore.fingerprint !== undefined && ignore.fingerprint !== finding.fingerprint) return false;
  return ignore.store === undefined || nearestPath({ [ignore.store]: true }, path) === true;
}
