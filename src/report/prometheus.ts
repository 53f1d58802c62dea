import { isNew, type Standing } from '../model/baseline.ts';
import { severities, type Finding, type ScanResult, type Severity } from '../model/finding.ts';

type Labels = Record<string, string>;
type Metric = { name: string; help: string; samples: { labels: Labels; value: number }[] };

/** What the metrics say besides the result: when the run ended (ms since the epoch) and, for an audit, how each finding stands to the baseline, by fingerprint. */
export type PrometheusOptions = { now: number; standings?: ReadonlyMap<string, Standing> };

/**
 * The result in the text exposition format 0.0.4, for node_exporter's textfile collector. Counts that are zero are written
 * too, so that an alert goes away when a fault does.
 */
export function renderPrometheus(result: ScanResult, options: PrometheusOptions): string {
  const metrics: Metric[] = [
    gauge('sessionfsck_info', 'Version that ran.', [{ labels: { version: result.tool.version }, value: 1 }]),
    gauge('sessionfsck_last_run_timestamp_seconds', 'When the last run ended.', [{ labels: {}, value: options.now / 1000 }]),
    gauge('sessionfsck_read_errors', 'Places that could not be read.', [{ labels: {}, value: result.errors.length }]),
    gauge('sessionfsck_stores', 'Stores that were scanned.', [{ labels: {}, value: result.stores.length }]),
    gauge('sessionfsck_store_findings', 'Findings of a store by severity.', bySeverity(result, () => true)),
    gauge('sessionfsck_findings', 'Findings of a store by check and severity.', byCheck(result)),
    gauge('sessionfsck_store_sessions', 'Sessions of a store.', result.stores.map((store) => ({ labels: storeLabels(store), value: store.sessions }))),
    gauge('sessionfsck_store_records_read', 'Records read in a store.', result.stores.map((store) => ({ labels: storeLabels(store), value: store.recordsRead }))),
    gauge('sessionfsck_store_records_rejected', 'Records of a store that could not be parsed.', result.stores.map((store) => ({ labels: storeLabels(store), value: store.recordsRejected }))),
    gauge('sessionfsck_store_bytes', 'Size of the files that make up a store.', result.stores.map((store) => ({ labels: storeLabels(store), value: store.bytes }))),
  ];
  const { standings } = options;
  if (standings) {
    const kind = (finding: Finding): Standing['kind'] | undefined => standings.get(finding.fingerprint)?.kind;
    metrics.push(
      gauge('sessionfsck_new_findings', 'Findings of a store that the baseline does not know, that became worse, or whose acceptance ran out.', bySeverity(result, (finding) => isNew(standings.get(finding.fingerprint)))),
      gauge('sessionfsck_known_findings', 'Findings of a store that the baseline knows and nobody accepted.', bySeverity(result, (finding) => kind(finding) === 'known')),
      gauge('sessionfsck_accepted_findings', 'Findings of a store that were accepted with a reason.', bySeverity(result, (finding) => kind(finding) === 'accepted')),
    );
  }
  return metrics
    .filter((metric) => metric.samples.length > 0)
    .map((metric) => `# HELP ${metric.name} ${metric.help}\n# TYPE ${metric.name} gauge\n${metric.samples.map((sample) => `${metric.name}${formatLabels(sample.labels)} ${sample.value}\n`).join('')}`)
    .join('');
}

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, samples };
}

function storeLabels(store: { id: string; product: string; host?: string }): Labels {
  return { store: store.id, product: store.product, ...(store.host === undefined ? {} : { host: store.host }) };
}

function bySeverity(result: ScanResult, counts: (finding: Finding) => boolean): Metric['samples'] {
  return result.stores.flatMap((store) =>
    severities.map((severity) => ({
      labels: { ...storeLabels(store), severity },
      value: result.findings.filter((finding) => finding.store === store.id && finding.severity === severity && counts(finding)).length,
    })),
  );
}

function byCheck(result: ScanResult): Metric['samples'] {
  return result.stores.flatMap((store) => {
    const counts = new Map<string, { check: string; severity: Severity; value: number }>();
    for (const finding of result.findings) {
      if (finding.store !== store.id) continue;
      const key = `${finding.checkId} ${finding.severity}`;
      const entry = counts.get(key) ?? { check: finding.checkId, severity: finding.severity, value: 0 };
      entry.value++;
      counts.set(key, entry);
    }
    return [...counts.values()].map(({ check, severity, value }) => ({ labels: { ...storeLabels(store), check, severity }, value }));
  });
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
