import { UnreadableError, UsageError, syntaxProblem } from '../model/errors.ts';
import type { Baseline, BaselineEntry } from '../model/baseline.ts';
import { emptyBaseline } from '../model/baseline.ts';
import { severities } from '../model/finding.ts';
import { kindOf, readSmallFile } from './files.ts';
import { writeOutputFile } from './output-file.ts';
import { isObject } from '../model/values.ts';

/** Reads a baseline; `mayBeMissing`: then an empty one. Throws UsageError for anything that is no baseline. */
export function readBaseline(path: string, mayBeMissing: boolean): Baseline {
  if (kindOf(path) === 'missing') {
    if (mayBeMissing) return emptyBaseline;
    throw new UsageError(`there is no baseline ${path}`, 'make it with --update-baseline');
  }
  const again = 'mend it, or move it away and make a new one with --update-baseline';
  let value: unknown;
  try {
    value = JSON.parse(readSmallFile(path, 64 * 1024 * 1024).toString('utf8'));
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    throw new UsageError(`${path} is no baseline: ${syntaxProblem(error)}`, again);
  }
  if (!isObject(value)) throw new UsageError(`${path} is no baseline: it is no object`, again);
  if (value.kind !== emptyBaseline.kind) throw new UsageError(`${path} is no baseline: its kind is ${JSON.stringify(value.kind) ?? 'missing'}, not ${emptyBaseline.kind}`, again);
  if (value.schemaVersion !== 1) {
    throw new UsageError(`${path} has schemaVersion ${JSON.stringify(value.schemaVersion) ?? 'missing'}, not 1: it was written by a later version of sessionfsck, or changed`, 'read it with that version, or move it away and make a new one with --update-baseline');
  }
  if (!Array.isArray(value.findings)) throw new UsageError(`${path} is no baseline: its findings are no list`, again);
  for (const [index, entry] of value.findings.entries()) {
    const problem = problemOf(entry);
    if (problem !== null) throw new UsageError(`${path}: findings[${index}]: ${problem}`, again);
  }
  return { ...emptyBaseline, findings: value.findings as BaselineEntry[] };
}

/** Writes a baseline, whole or not at all; readable by its owner only, because it names chats. */
export function writeBaseline(path: string, baseline: Baseline): void {
  writeOutputFile(path, `${JSON.stringify(baseline, null, 2)}\n`, { mode: 0o600, option: '--baseline' });
}

function problemOf(entry: unknown): string | null {
  if (!isObject(entry)) return 'it is no object';
  for (const key of ['fingerprint', 'checkId', 'store', 'firstSeen'] as const) if (typeof entry[key] !== 'string') return `${key} is no text`;
  if (entry.session !== null && typeof entry.session !== 'string') return 'session is neither a text nor null';
  if (!(severities as readonly unknown[]).includes(entry.severity)) return `severity is none of ${severities.join(', ')}`;
  if (entry.deep !== undefined && entry.deep !== true) return 'deep is not true';
  if (entry.reason !== undefined && typeof entry.reason !== 'string') return 'reason is no text';
  if (entry.until !== undefined && (typeof entry.until !== 'string' || Number.isNaN(Date.parse(entry.until)))) return 'until is no date';
  return null;
}
