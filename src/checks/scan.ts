import { basename } from 'node:path';
import { UsageError, errorAdvice } from '../model/errors.ts';
import { atLeast, type Finding, type ReadError, type ScanResult, type Severity, type SkippedCheck, type StoreReport } from '../model/finding.ts';
import { nearestPath, type Policy } from '../model/policy.ts';
import { formatShard, inShard, type Shard } from '../model/shard.ts';
import type { StoreRef } from '../model/store.ts';
import { formatReader, type Reader } from '../model/version.ts';
import { toolVersion } from '../model/tool.ts';
import { discover, openStore, type OpenStore } from '../stores/discover.ts';
import { didYouMean } from '../model/near.ts';
import type { BaseSnapshot } from '../stores/snapshot.ts';
import type { Check } from './check.ts';
import { compareFindings, runChecks } from './engine.ts';
import { allChecks } from './index.ts';
import { applyPolicy, assertKnownChecks, isOn } from './policy.ts';

export type FailOn = Severity | 'never';

/** Everything a scan can be told; all of it optional. */
export type ScanOptions = {
  /** Only these checks or areas (`order`, `order/wedged-session`). */
  check?: readonly string[];
  /** Not these checks or areas. */
  skip?: readonly string[];
  minSeverity?: Severity;
  failOn?: FailOn;
  deep?: boolean;
  /** IANA name; default this host's zone. */
  zone?: string;
  /** ms since the epoch; default the clock. */
  now?: number;
  /** Readers that override what the stores record. */
  readers?: readonly Reader[];
  snapshotDir?: string;
  inPlace?: boolean;
  /** Only findings of this part of the sessions; a finding that concerns a whole store lies in exactly one part. */
  shard?: Shard | null;
  /** Called when the checks of a store have run, while it is still open. */
  onScanned?: (opened: OpenStore, findings: readonly Finding[], reader: Reader) => void | Promise<void>;
  /** What a configuration file says about severities, zones and accepted findings. */
  policy?: Policy;
  /** ms; when they are over nothing further is begun, and what was left out is an error of the result. */
  maxDuration?: number;
  /** Called before each store, for progress. */
  onStore?: (ref: StoreRef, index: number, total: number) => void;
  /** Called now and then while a store is read. */
  onStep?: (step: { digests: number; check: string | null; snapshot: BaseSnapshot }) => void;
};

function matches(check: Check, name: string): boolean {
  return check.meta.id === name || check.meta.id.startsWith(`${name}/`);
}

/** The checks that `--check` and `--skip` leave. Throws UsageError for a name that no check has. */
export function selectChecks(options: Pick<ScanOptions, 'check' | 'skip'>): Check[] {
  const areas = new Set(allChecks.map((check) => check.meta.id.split('/')[0] ?? ''));
  for (const name of [...(options.check ?? []), ...(options.skip ?? [])]) {
    if (!allChecks.some((check) => matches(check, name))) {
      throw new UsageError(`no check is called ${name}${didYouMean(name, [...areas, ...allChecks.map((check) => check.meta.id)])}`, 'sessionfsck explain lists all checks');
    }
  }
  const chosen = allChecks.filter(
    (check) => (!options.check?.length || options.check.some((name) => matches(check, name))) && !options.skip?.some((name) => matches(check, name)),
  );
  if (chosen.length === 0) throw new UsageError('--check and --skip leave no check to run', 'leave one of them out; sessionfsck explain lists all checks');
  return chosen;
}

/** The reader that a store's harm is judged for. */
export function chooseReader(snapshot: BaseSnapshot, readers: readonly Reader[] = []): Reader {
  const given = readers.find((reader) => reader.product === snapshot.ref.product);
  if (given) return given;
  return { product: snapshot.ref.product, version: snapshot.recordedVersion, source: snapshot.recordedVersion === null ? 'unknown' : 'store' };
}

export function hostZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Finds the stores at `paths` (none: this user's) and runs every selected check on each. Never throws for what a store holds. */
export async function scan(paths: readonly string[], options: ScanOptions = {}): Promise<ScanResult> {
  const { stores, errors } = discover(paths);
  return scanStores(stores, options, errors);
}

/** Runs every selected check on stores that were found already. */
export async function scanStores(stores: readonly StoreRef[], options: ScanOptions = {}, discoveryErrors: readonly ReadError[] = []): Promise<ScanResult> {
  const { policy, maxDuration } = options;
  if (policy) assertKnownChecks(policy, allChecks);
  const checks = selectChecks(options).filter((check) => isOn(policy, check.meta.id));
  const ends = maxDuration === undefined ? Infinity : performance.now() + maxDuration;
  const expired = (): boolean => performance.now() >= ends;
  const now = options.now ?? Date.now();
  const errors: ReadError[] = [...discoveryErrors];
  const reports: StoreReport[] = [];
  const findings: Finding[] = [];
  const skipped: SkippedCheck[] = [];
  for (const [index, ref] of stores.entries()) {
    if (expired()) {
      errors.push({ store: ref.id, message: `${ref.path} was not begun within the time limit; raise --max-duration, or spread the work with --shard or --rotate`, path: ref.path });
      continue;
    }
    options.onStore?.(ref, index, stores.length);
    let opened: OpenStore;
    try {
      opened = await openStore(ref, { snapshotDir: options.snapshotDir ?? null, inPlace: options.inPlace ?? false, deep: options.deep ?? false, now, shard: options.shard ?? null });
    } catch (error) {
      errors.push({ store: ref.id, message: errorAdvice(error), path: ref.path });
      continue;
    }
    const { snapshot } = opened;
    try {
      const reader = chooseReader(snapshot, options.readers);
      const zone = zoneOf(options, ref);
      const context = { reader, now, zone: zone ?? hostZone(), zoneGiven: zone !== undefined, deep: options.deep ?? false };
      const outcome = await runChecks(opened, checks, context, { expired, onStep: (step) => options.onStep?.({ ...step, snapshot }) });
      findings.push(...outcome.findings.filter((finding) => inShard(finding.session ?? finding.store, options.shard) && isAskedFor(finding, ref)));
      skipped.push(...outcome.skipped);
      await options.onScanned?.(opened, outcome.findings, reader);
      const changedFiles = snapshot.changed();
      reports.push({
        id: ref.id,
        product: ref.product,
        layout: ref.layout,
        path: ref.path,
        reader: formatReader(reader),
        ...snapshot.counts(),
        unchanged: changedFiles.length === 0,
        changedFiles,
      });
    } catch (error) {
      errors.push({ store: ref.id, message: errorAdvice(error), path: ref.path });
    } finally {
      errors.push(...snapshot.errors);
      snapshot.close();
    }
  }
  const minimum = options.minSeverity ?? 'info';
  const { kept, ignored } = applyPolicy(findings, policy, now, (store) => stores.find((ref) => ref.id === store)?.path ?? '');
  const shown = kept.filter((finding) => atLeast(finding.severity, minimum)).sort(compareFindings);
  const failOn = options.failOn ?? 'warning';
  return {
    schemaVersion: 1,
    tool: { name: 'sessionfsck', version: toolVersion },
    ok: errors.length === 0 && !remains(shown, failOn),
    summary: summaryOf(shown),
    stores: reports,
    checksRun: checks.filter((check) => stores.some((ref) => check[ref.product] !== undefined)).map((check) => check.meta.id),
    checksSkipped: skipped.sort((a, b) => (a.store + a.checkId < b.store + b.checkId ? -1 : 1)),
    findings: shown,
    errors: errors.sort((a, b) => (a.path + a.message < b.path + b.message ? -1 : 1)),
    ...(options.shard && options.shard.total > 1 ? { shard: formatShard(options.shard) } : {}),
    ...(ignored.length > 0 ? { ignored } : {}),
  };
}

/** A database is read as a whole; where one session of it was asked for, only that one's findings count. */
function isAskedFor(finding: Finding, ref: StoreRef): boolean {
  return ref.layout !== 'sqlite' || ref.only === undefined || ref.only.includes(finding.session ?? '') || ref.only.includes(basename(finding.location.path));
}

/** The zone that is named for a store: --zone, else the configuration's for its path. */
export function zoneOf(options: Pick<ScanOptions, 'zone' | 'policy'>, ref: Pick<StoreRef, 'path'>): string | undefined {
  return options.zone ?? (options.policy ? nearestPath(options.policy.zones, ref.path) : undefined);
}

export function summaryOf(findings: readonly Finding[]): ScanResult['summary'] {
  const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  return { error: count('error'), warning: count('warning'), info: count('info') };
}

function remains(findings: readonly Finding[], failOn: FailOn): boolean {
  return failOn !== 'never' && findings.some((finding) => atLeast(finding.severity, failOn));
}

/** 0 nothing at or above `failOn`, 1 findings remain, 2 something could not be read. */
export function exitCodeOf(result: Pick<ScanResult, 'findings' | 'errors'>, failOn: FailOn = 'warning'): 0 | 1 | 2 {
  if (result.errors.length > 0) return 2;
  return remains(result.findings, failOn) ? 1 : 0;
}
