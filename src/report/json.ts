import type { ReadError, ScanResult } from '../model/finding.ts';
import { toolVersion } from '../model/tool.ts';
import { safeJson } from './printable.ts';

/** The whole result as one JSON document (schemaVersion 1, docs/report.schema.json). */
export function renderJson(result: ScanResult): string {
  return `${safeJson(result, 2)}\n`;
}

/**
 * What a command says on stdout that could not begin: a report without stores for those that report (`scan`, `audit`, `merge`), else
 * the errors alone. So there is one document also when the exit code is 2 or 3.
 */
export function renderFailure(error: ReadError, isReport: boolean): string {
  const report: ScanResult = { schemaVersion: 1, tool: { name: 'sessionfsck', version: toolVersion }, ok: false, summary: { error: 0, warning: 0, info: 0 }, stores: [], checksRun: [], checksSkipped: [], findings: [], errors: [error] };
  return `${safeJson(isReport ? report : { schemaVersion: 1, ok: false, errors: [error] }, 2)}\n`;
}

/** One JSON object a line: each finding, then each error, then the summary, told apart by `kind`. */
export function renderJsonl(result: ScanResult): string {
  const { findings, errors, ...rest } = result;
  const rows = [
    ...findings.map((finding) => ({ kind: 'finding', ...finding })),
    ...errors.map((error) => ({ kind: 'error', ...error })),
    { kind: 'summary', ...rest },
  ];
  return rows.map((row) => `${safeJson(row)}\n`).join('');
}
