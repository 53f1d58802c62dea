import { severities, type Finding, type ReadError, type ScanResult, type SkippedCheck, type StoreReport } from '../model/finding.ts';

/** A report and the host it is of; null: it is not to be named. */
export type HostReport = { host: string | null; report: ScanResult };

/**
 * Joins reports of shards and hosts. Where hosts are named, stores, findings and errors carry `host`, and store ids begin with
 * it. A finding that several reports of one host have counts once; shards that are all there give no `shard`.
 */
export function mergeReports(inputs: readonly HostReport[]): Omit<ScanResult, 'ok'> {
  const stores = new Map<string, StoreReport>();
  const findings = new Map<string, Finding>();
  const errors = new Map<string, ReadError>();
  const skipped = new Map<string, SkippedCheck>();
  const ignored = new Map<string, NonNullable<ScanResult['ignored']>[number]>();
  for (const { host, report } of inputs) {
    const id = (store: string): string => (host === null ? store : `${host}:${store}`);
    const tag = host === null ? {} : { host };
    for (const store of report.stores) stores.set(id(store.id), joinStores(stores.get(id(store.id)), { ...store, ...tag, id: id(store.id) }));
    for (const finding of report.findings) {
      const key = `${id(finding.store)} ${finding.fingerprint}`;
      if (!findings.has(key)) findings.set(key, { ...finding, ...tag, store: id(finding.store) });
    }
    for (const error of report.errors) errors.set(`${host} ${error.store} ${error.path} ${error.message}`, { ...error, ...tag, store: error.store === null ? null : id(error.store) });
    for (const skip of report.checksSkipped) skipped.set(`${id(skip.store)} ${skip.checkId}`, { ...skip, store: id(skip.store) });
    for (const one of report.ignored ?? []) ignored.set(`${id(one.store)} ${one.fingerprint}`, { ...one, store: id(one.store) });
  }
  const all = [...findings.values()].sort(compare);
  const count = (severity: Finding['severity']): number => all.filter((finding) => finding.severity === severity).length;
  const shard = missingShards(inputs);
  return {
    schemaVersion: 1,
    tool: newestTool(inputs),
    summary: { error: count('error'), warning: count('warning'), info: count('info') },
    stores: [...stores.values()].sort((a, b) => order(a.id, b.id)),
    checksRun: [...new Set(inputs.flatMap(({ report }) => report.checksRun))].sort(),
    checksSkipped: [...skipped.values()].sort((a, b) => order(a.store + a.checkId, b.store + b.checkId)),
    findings: all,
    errors: [...errors.values(), ...shard].sort((a, b) => order(a.path + a.message, b.path + b.message)),
    ...joinBaselines(inputs),
    ...(ignored.size > 0 ? { ignored: [...ignored.values()] } : {}),
  };
}

/** What the baselines of audits kept out of sight, added up. */
function joinBaselines(inputs: readonly HostReport[]): Pick<ScanResult, 'baseline'> {
  const all = inputs.flatMap(({ report }) => (report.baseline ? [report.baseline] : []));
  const sum = (kind: 'known' | 'accepted', severity: Finding['severity']): number => all.reduce((total, one) => total + one[kind][severity], 0);
  const summary = (kind: 'known' | 'accepted'): ScanResult['summary'] => ({ error: sum(kind, 'error'), warning: sum(kind, 'warning'), info: sum(kind, 'info') });
  return all.length === 0 ? {} : { baseline: { known: summary('known'), accepted: summary('accepted') } };
}

/** Each shard counts what it read of a store: the largest numbers are the store's. */
function joinStores(a: StoreReport | undefined, b: StoreReport): StoreReport {
  if (!a) return b;
  const counts: StoreReport['counts'] = { ...a.counts };
  for (const [key, number] of Object.entries(b.counts)) counts[key] = Math.max(counts[key] ?? 0, number);
  return {
    ...b,
    sessions: Math.max(a.sessions, b.sessions),
    recordsRead: Math.max(a.recordsRead, b.recordsRead),
    recordsRejected: Math.max(a.recordsRejected, b.recordsRejected),
    bytes: Math.max(a.bytes, b.bytes),
    unchanged: a.unchanged && b.unchanged,
    changedFiles: [...new Set([...a.changedFiles, ...b.changedFiles])].sort(),
    counts,
  };
}

/** A host whose shards are not all there: what lies in the others was not looked at, which is no clean bill. */
function missingShards(inputs: readonly HostReport[]): ReadError[] {
  const seen = new Map<string, { host: string | null; total: number; parts: Set<number> }>();
  for (const { host, report } of inputs) {
    const match = /^(\d+)\/(\d+)$/.exec(report.shard ?? '');
    if (!match) continue;
    const key = `${host} ${match[2]}`;
    const entry = seen.get(key) ?? { host, total: Number(match[2]), parts: new Set<number>() };
    entry.parts.add(Number(match[1]));
    seen.set(key, entry);
  }
  return [...seen.values()]
    .filter(({ total, parts }) => parts.size < total)
    .map(({ host, total, parts }) => {
      const missing = Array.from({ length: Math.min(total, 10_000) }, (_, i) => i + 1).filter((part) => !parts.has(part));
      const shown = `${missing.slice(0, 8).map((part) => `${part}/${total}`).join(', ')}${missing.length > 8 ? `, … (${missing.length} in all)` : ''}`;
      return { store: null, message: `the reports of shard ${shown}${host === null ? '' : ` of ${host}`} are not among these: run sessionfsck scan --shard for them`, path: '', ...(host === null ? {} : { host }) };
    });
}

function newestTool(inputs: readonly HostReport[]): ScanResult['tool'] {
  const versions = inputs.map(({ report }) => report.tool.version).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return { name: 'sessionfsck', version: versions.at(-1) ?? '0' };
}

/** The order of a report: store, severity, check, session, place. */
function compare(a: Finding, b: Finding): number {
  return (
    order(a.store, b.store) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    order(a.checkId, b.checkId) ||
    order(a.session ?? '', b.session ?? '') ||
    order(a.sessionKey ?? '', b.sessionKey ?? '') ||
    order(a.location.path, b.location.path) ||
    (a.location.line ?? 0) - (b.location.line ?? 0) ||
    order(String(a.location.row ?? ''), String(b.location.row ?? '')) ||
    order(a.fingerprint, b.fingerprint)
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
