import { atLeast, type ScanResult, type Severity } from '../model/finding.ts';
import { printable } from './printable.ts';
import { findingName } from './session-name.ts';
import { storeName } from './store-name.ts';
import { verdictLine } from './verdict.ts';

/** Exit codes of the monitoring plugins' guidelines; not those of the other formats. */
export const nagiosExit = { OK: 0, WARNING: 1, CRITICAL: 2, UNKNOWN: 3 } as const;
export type NagiosState = keyof typeof nagiosExit;

const longLines = 20;

/** CRITICAL for an error, UNKNOWN when something could not be read, WARNING for the rest; what lies below `failOn` is OK. */
export function nagiosState(result: Pick<ScanResult, 'findings' | 'errors'>, failOn: Severity | 'never'): NagiosState {
  const counting = failOn === 'never' ? [] : result.findings.filter((finding) => atLeast(finding.severity, failOn));
  if (counting.some((finding) => finding.severity === 'error')) return 'CRITICAL';
  if (result.errors.length > 0) return 'UNKNOWN';
  return counting.length > 0 ? 'WARNING' : 'OK';
}

/** One status line with performance data, then at most 20 lines on what was found. */
export function renderNagios(result: ScanResult, failOn: Severity | 'never'): string {
  const { error, warning, info } = result.summary;
  const performance = [
    `errors=${error};;0;0`,
    `warnings=${warning};0;;0`,
    `infos=${info};;;0`,
    ...(result.baseline ? [`known=${totalOf(result.baseline.known)};;;0`, `accepted=${totalOf(result.baseline.accepted)};;;0`] : []),
    `unread=${result.errors.length};;;0`,
    `stores=${result.stores.length};;;0`,
    `records=${result.stores.reduce((total, store) => total + store.recordsRead, 0)};;;0`,
  ];
  const lines = [`SESSIONFSCK ${nagiosState(result, failOn)}: ${plain(verdictLine(result))} | ${performance.join(' ')}`];
  const details = [
    ...result.errors.map((problem) => `UNREAD ${plain(problem.message)}`),
    ...result.findings.map((finding) => {
      const store = result.stores.find((candidate) => candidate.id === finding.store);
      return plain([finding.severity.toUpperCase(), finding.checkId, store ? storeName(store) : finding.store, findingName(finding)].filter((word) => word !== '').join(' '));
    }),
  ];
  lines.push(...details.slice(0, longLines));
  if (details.length > longLines) lines.push(`and ${details.length - longLines} more: sessionfsck scan`);
  return `${lines.join('\n')}\n`;
}

function totalOf(summary: ScanResult['summary']): number {
  return summary.error + summary.warning + summary.info;
}

/** A bar would begin performance data. */
function plain(text: string): string {
  return printable(text).replaceAll('|', '/');
}
