import { allChecks } from '../checks/index.ts';
import { summaryOf } from '../checks/scan.ts';
import { writeOutputFile } from '../io/output-file.ts';
import { isNew, type Standing } from '../model/baseline.ts';
import type { Finding, ScanResult } from '../model/finding.ts';
import { renderPrometheus } from '../report/prometheus.ts';
import { renderSarif } from '../report/sarif.ts';
import { renderText } from '../report/text.ts';
import { knownWords } from '../report/verdict.ts';
import { emit, renderResult, type ResultFormat } from './emit.ts';
import type { GlobalOptions } from './options.ts';
import { textOptions } from './output.ts';

/** All that was found, the part of it that is new, and how each finding stands to the baseline, by fingerprint. */
export type AuditOutcome = { result: ScanResult; shown: ScanResult; stands: ReadonlyMap<string, Standing> };

/** The result with nothing but what is new; `compared`: there is a baseline, so what it keeps out of sight is counted. */
export function whatIsNew(result: ScanResult, stands: ReadonlyMap<string, Standing>, compared: boolean): ScanResult {
  const of = (kind: Standing['kind']): Finding[] => result.findings.filter((finding) => stands.get(finding.fingerprint)?.kind === kind);
  const findings = result.findings.filter((finding) => isNew(stands.get(finding.fingerprint))).map((finding) => withStanding(finding, stands.get(finding.fingerprint)));
  return {
    ...result,
    findings,
    summary: summaryOf(findings),
    ok: result.errors.length === 0 && findings.length === 0,
    ...(compared ? { baseline: { known: summaryOf(of('known')), accepted: summaryOf(of('accepted')) } } : {}),
  };
}

/** Prints what is new; nothing, for people and line by line, when nothing is. */
export async function speak(outcome: AuditOutcome, own: { output?: string; baseline?: string }, options: GlobalOptions, format: ResultFormat, paths: readonly string[]): Promise<void> {
  const { result, shown, stands } = outcome;
  const silent = shown.findings.length === 0 && shown.errors.length === 0;
  if (silent && own.output === undefined && ['text', 'jsonl', 'markdown'].includes(format)) return;
  const plain = own.output === undefined ? options : { ...options, color: false };
  switch (format) {
    case 'prometheus':
      return emit(metricsOf(outcome, options.now ?? Date.now()), own.output);
    case 'sarif':
      return emit(renderSarif(result, allChecks.map((check) => check.meta), own.baseline === undefined ? undefined : stands), own.output);
    case 'text':
      return emit(renderText(shown, { ...textOptions(plain, paths), fingerprints: own.baseline !== undefined }) + tail(shown), own.output);
    case 'json':
    case 'jsonl':
    case 'nagios':
    case 'markdown':
      return emit(await renderResult(shown, format, plain, paths), own.output);
  }
}

/** Writes the metrics whole or not at all, readable for everybody, because a collector reads them as another user. */
export function writeMetrics(file: string, outcome: AuditOutcome, now: number): void {
  writeOutputFile(file, metricsOf(outcome, now), { mode: 0o644, exact: true, option: '--metrics' });
}

function metricsOf({ result, stands }: AuditOutcome, now: number): string {
  return renderPrometheus(result, { now, standings: stands });
}

function tail(shown: ScanResult): string {
  if (!shown.baseline || (shown.findings.length === 0 && shown.errors.length === 0)) return '';
  const advice = shown.findings.length === 0 ? '' : 'To accept one: add --acknowledge PRINT --reason TEXT, and --until DATE.\n';
  return `New since the baseline: ${shown.findings.length}; ${knownWords(shown.baseline)}.\n${advice}`;
}

/** Says why a finding of the baseline is new all the same. */
function withStanding(finding: Finding, standing: Standing | undefined): Finding {
  if (standing?.kind === 'worse') return { ...finding, details: [...finding.details, `The baseline knows it as ${standing.was}; it became worse.`] };
  if (standing?.kind === 'expired') return { ...finding, details: [...finding.details, `It was accepted until ${standing.until ?? 'a date that is over'}: ${standing.reason}`] };
  return finding;
}
