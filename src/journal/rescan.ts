import type { Finding } from '../model/finding.ts';
import type { PlannedStore, Step } from '../model/step.ts';

export type RescanFinding = Pick<Finding, 'checkId' | 'severity' | 'fingerprint' | 'store' | 'session' | 'sessionKey'> & Partial<Pick<Finding, 'evidence'>>;

export type RescanVerdict = {
  better: boolean;
  /** Why not; empty when better. */
  reason: string;
  /** Checks whose targeted findings are gone. */
  gone: string[];
  /** Targeted findings that are still there, by check. */
  remaining: string[];
  /** Errors that were not there before, by check. */
  appeared: string[];
};

type Place = Pick<RescanFinding, 'checkId' | 'store' | 'session' | 'sessionKey'>;

// Not by fingerprint alone: a repair may move a row or a line that a finding names, which is no new finding.
const placeOf = (finding: Place): string => JSON.stringify([finding.store, finding.checkId, finding.session, finding.sessionKey]);

function countPlaces(findings: Iterable<Place>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(placeOf(finding), (counts.get(placeOf(finding)) ?? 0) + 1);
  return counts;
}

/** Whether a finding of the whole store lists sessions, and none that the steps were to settle: others may have joined it meanwhile. */
function concernsOthers(finding: RescanFinding, repaired: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const listed = finding.evidence?.sessions;
  const sessions = repaired.get(placeOf(finding));
  return finding.session === null && Array.isArray(listed) && sessions !== undefined && !listed.some((id) => typeof id === 'string' && sessions.has(id));
}

/** By place of a targeted finding: the sessions of its steps; nothing where a step names no session. */
function repairedSessions(targets: readonly (Place & { fingerprint: string })[], done: readonly Step[]): Map<string, Set<string>> {
  const repaired = new Map<string, Set<string>>();
  for (const target of targets) {
    const sessions = done.filter((step) => step.findings.some((one) => one.fingerprint === target.fingerprint)).map((step) => step.session);
    if (sessions.every((id) => id !== null)) repaired.set(placeOf(target), new Set([...(repaired.get(placeOf(target)) ?? []), ...sessions]));
  }
  return repaired;
}

/**
 * Compares a rescan with the scan that the plan rests on: each targeted finding must be gone and no error may be new. A
 * finding that it takes several steps to settle is only expected to go when all of them were done; one that lists sessions may
 * stay for others than the steps changed.
 */
export function judgeRescan(stores: readonly PlannedStore[], done: readonly Step[], after: readonly RescanFinding[]): RescanVerdict {
  const before = stores.flatMap((store) => store.findings.map((finding) => ({ ...finding, store: store.id })));
  const settling = new Map<string, number>();
  for (const { fingerprint } of done.flatMap((step) => step.findings)) settling.set(fingerprint, (settling.get(fingerprint) ?? 0) + 1);
  const targeted = new Set(before.filter(({ fingerprint, steps }) => (settling.get(fingerprint) ?? 0) >= Math.max(1, steps ?? 1)).map((finding) => finding.fingerprint));
  const beforeCounts = countPlaces(before);
  const targets = before.filter((finding) => targeted.has(finding.fingerprint));
  const targetCounts = countPlaces(targets);
  const repaired = repairedSessions(targets, done);
  const afterCounts = countPlaces(after.filter((finding) => !concernsOthers(finding, repaired)));
  const checkOf = (place: string): string => String((JSON.parse(place) as string[])[1]);
  const remaining = [...targetCounts].filter(([place, count]) => (afterCounts.get(place) ?? 0) > (beforeCounts.get(place) ?? 0) - count).map(([place]) => checkOf(place));
  const errors = countPlaces(after.filter((finding) => finding.severity === 'error'));
  const appeared = [...errors].filter(([place, count]) => count > (beforeCounts.get(place) ?? 0)).map(([place]) => checkOf(place));
  const gone = [...new Set([...targetCounts.keys()].map(checkOf))].filter((check) => !remaining.includes(check)).sort();
  const reasons = [...(remaining.length > 0 ? [`still there: ${[...new Set(remaining)].join(', ')}`] : []), ...(appeared.length > 0 ? [`new: ${[...new Set(appeared)].join(', ')}`] : [])];
  return { better: reasons.length === 0, reason: reasons.join('; '), gone, remaining: [...new Set(remaining)], appeared: [...new Set(appeared)] };
}
