import type { ScanResult } from '../model/finding.ts';
import { safeJson } from './printable.ts';

/** The whole result as one JSON document (schemaVersion 1, docs/report.schema.json). */
export function renderJson(result: ScanResult): string {
  return `${safeJson(result, 2)}\n`;
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
