import type { Finding } from '../model/finding.ts';
import type { FindingRecovery, RecoveredText } from '../model/recovery.ts';

/** What a finding counts and hides. */
export function counted(finding: Finding, unit: string, expected: number, texts: Iterable<RecoveredText>, notes: string[] = []): FindingRecovery {
  return { finding, about: finding, source: null, unit, expected, texts, outcome: () => ({ expected, notes, problem: null }) };
}

/** A count in the evidence: a number, or the length of a list. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Array.isArray(value) ? value.length : 0;
}
