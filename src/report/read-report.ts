import { UsageError, syntaxProblem } from '../model/errors.ts';
import { severities, type ScanResult } from '../model/finding.ts';
import { isObject } from '../model/values.ts';

/** A report that `scan --json` wrote. Throws UsageError that says what is missing; `path` is for the message. */
export function readReport(text: string, path: string): ScanResult {
  const again = 'make it with sessionfsck scan --json -o FILE';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is no report: ${syntaxProblem(error)}`, again);
  }
  const problem = problemOf(value);
  if (problem !== null) throw new UsageError(`${path} is no report of this version: ${problem}`, again);
  return value as ScanResult;
}

function problemOf(value: unknown): string | null {
  if (!isObject(value)) return 'it is no object';
  if (value.schemaVersion !== 1) return `schemaVersion is ${JSON.stringify(value.schemaVersion) ?? 'missing'}, not 1`;
  if (!isObject(value.tool) || typeof value.tool.version !== 'string') return 'it does not name its tool';
  for (const key of ['stores', 'findings', 'errors', 'checksRun', 'checksSkipped'] as const) if (!Array.isArray(value[key])) return `${key} is no list`;
  const { stores, findings, errors } = value as { stores: unknown[]; findings: unknown[]; errors: unknown[] };
  for (const [index, store] of stores.entries()) if (!isObject(store) || !texts(store, ['id', 'product', 'path', 'reader']) || typeof store.recordsRead !== 'number') return `stores[${index}] is no store`;
  for (const [index, finding] of findings.entries()) {
    const whole = isObject(finding) && texts(finding, ['checkId', 'store', 'message', 'fingerprint', 'affects', 'hint']) && (severities as readonly unknown[]).includes(finding.severity) && isObject(finding.evidence) && isObject(finding.location) && isObject(finding.fix) && Array.isArray(finding.details);
    if (!whole) return `findings[${index}] is no finding`;
  }
  for (const [index, error] of errors.entries()) if (!isObject(error) || !texts(error, ['message', 'path'])) return `errors[${index}] is no error`;
  return null;
}

function texts(value: Record<string, unknown>, keys: readonly string[]): boolean {
  return keys.every((key) => typeof value[key] === 'string');
}
