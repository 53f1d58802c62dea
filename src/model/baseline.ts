import type { Finding, ScanResult, Severity } from './finding.ts';
import { atLeast } from './finding.ts';
import { inShard, type Shard } from './shard.ts';

/** A finding that is known. With a `reason` a person accepted it; after `until` it is reported again. */
export type BaselineEntry = {
  fingerprint: string;
  checkId: string;
  store: string;
  session: string | null;
  severity: Severity;
  /** ISO 8601. */
  firstSeen: string;
  /** Only deep runs have found it so far: a run without --deep that does not is no proof that it is gone. */
  deep?: true;
  reason?: string;
  /** ISO 8601. */
  until?: string;
};

/** What an audit compares with. Two runs that find the same write the same bytes. */
export type Baseline = { schemaVersion: 1; kind: 'sessionfsck-baseline'; findings: BaselineEntry[] };

export const emptyBaseline: Baseline = { schemaVersion: 1, kind: 'sessionfsck-baseline', findings: [] };

/** How a finding stands to a baseline; `worse` and `expired` count as new. */
export type Standing = { kind: 'new' | 'known' } | { kind: 'worse'; was: Severity } | { kind: 'accepted' | 'expired'; reason: string; until?: string };

/** How each finding stands to the baseline at `now` (ms), by fingerprint. */
export function standings(findings: readonly Finding[], baseline: Baseline, now: number): Map<string, Standing> {
  const known = new Map(baseline.findings.map((entry) => [entry.fingerprint, entry]));
  return new Map(findings.map((finding) => [finding.fingerprint, standingOf(finding, known.get(finding.fingerprint), now)]));
}

function standingOf(finding: Finding, entry: BaselineEntry | undefined, now: number): Standing {
  if (!entry) return { kind: 'new' };
  const accepted = { reason: entry.reason ?? '', ...(entry.until === undefined ? {} : { until: entry.until }) };
  if (entry.until !== undefined && now >= Date.parse(entry.until)) return { kind: 'expired', ...accepted };
  if (finding.severity !== entry.severity && atLeast(finding.severity, entry.severity)) return { kind: 'worse', was: entry.severity };
  return entry.reason === undefined ? { kind: 'known' } : { kind: 'accepted', ...accepted };
}

/** True for what an audit speaks of: not in the baseline, more severe than there, or accepted until a date that is over. */
export function isNew(standing: Standing | undefined): boolean {
  return standing?.kind !== 'known' && standing?.kind !== 'accepted';
}

/** What a run looked at: a part of the sessions, nothing below a severity, deep or not, and when (ms). */
export type RunScope = { shard: Shard | null; minSeverity: Severity; deep: boolean; now: number };

/** Entries of what was looked at in this run and is there no more. */
export function goneEntries(baseline: Baseline, result: ScanResult, scope: RunScope): BaselineEntry[] {
  const present = new Set(result.findings.map((finding) => finding.fingerprint));
  return baseline.findings.filter((entry) => !present.has(entry.fingerprint) && wasLookedAt(entry, result, scope));
}

/**
 * The baseline after this run: what is found now, what was known and was not looked at (another shard, store or check, a lower
 * severity, only deep), with the reasons and first dates that were there. `acknowledge` adds a reason to some fingerprints.
 */
export function updateBaseline(baseline: Baseline, result: ScanResult, scope: RunScope, only: ((finding: Finding) => boolean) | null = null): Baseline {
  const { now } = scope;
  const known = new Map(baseline.findings.map((entry) => [entry.fingerprint, entry]));
  const gone = new Set(only === null ? goneEntries(baseline, result, scope) : []);
  const entries = new Map(baseline.findings.filter((entry) => !gone.has(entry)).map((entry) => [entry.fingerprint, entry]));
  for (const finding of result.findings) {
    if (only !== null && !only(finding)) continue;
    const old = known.get(finding.fingerprint);
    const expired = old?.until !== undefined && now >= Date.parse(old.until);
    entries.set(finding.fingerprint, {
      fingerprint: finding.fingerprint,
      checkId: finding.checkId,
      store: finding.store,
      session: finding.session,
      severity: finding.severity,
      firstSeen: old?.firstSeen ?? new Date(now).toISOString(),
      ...(scope.deep && (!old || old.deep) ? { deep: true as const } : {}),
      ...(old?.reason !== undefined && !expired ? { reason: old.reason } : {}),
      ...(old?.until !== undefined && !expired ? { until: old.until } : {}),
    });
  }
  const sorted = [...entries.values()].sort((a, b) => (a.store + a.checkId + a.fingerprint < b.store + b.checkId + b.fingerprint ? -1 : 1));
  return { ...emptyBaseline, findings: sorted };
}

/** The baseline with a reason, and a date where it ends, on some entries. */
export function acknowledge(baseline: Baseline, fingerprints: readonly string[], reason: string, until: string | null): Baseline {
  const findings = baseline.findings.map((entry) => {
    if (!fingerprints.includes(entry.fingerprint)) return entry;
    const { until: _old, ...rest } = entry;
    return { ...rest, reason, ...(until === null ? {} : { until }) };
  });
  return { ...baseline, findings };
}

function wasLookedAt(entry: BaselineEntry, result: ScanResult, scope: RunScope): boolean {
  if (!atLeast(entry.severity, scope.minSeverity) || (entry.deep && !scope.deep)) return false;
  if (!result.stores.some((store) => store.id === entry.store)) return false;
  if (!result.checksRun.includes(entry.checkId)) return false;
  if (result.checksSkipped.some((skip) => skip.checkId === entry.checkId && skip.store === entry.store)) return false;
  if (result.errors.some((error) => error.store === entry.store || error.store === null)) return false;
  return inShard(entry.session ?? entry.store, scope.shard);
}
