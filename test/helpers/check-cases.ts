import { expect, it } from 'vitest';
import type { ScanOptions } from '../../src/checks/scan.ts';
import type { Evidence } from '../../src/model/finding.ts';
import { writeOpenclawStore, type TranscriptSpec } from './openclaw-transcripts.ts';
import { temporaryFolder } from './paths.ts';
import { scanUntouched } from './untouched.ts';

export type Told = { severity: string; confidence: string; session: string | null; line: number | undefined; evidence: Evidence };

/** What one check says of a store of these transcripts, which is left as it was; nothing may be unreadable. */
export async function findingsOf(check: string, transcripts: readonly TranscriptSpec[], options: ScanOptions = {}): Promise<Told[]> {
  const store = writeOpenclawStore(temporaryFolder(), transcripts);
  const result = await scanUntouched(store, { check: [check], ...options });
  expect(result.errors).toEqual([]);
  return result.findings.map(({ severity, confidence, session, location, evidence }) => ({ severity, confidence, session, line: location.line, evidence }));
}

/** One transcript and what the check must say of it; an empty list for a look-alike. Parts of a finding that are not named are not compared. */
export type Case = [name: string, transcript: Omit<TranscriptSpec, 'id'> & { id?: string }, told: Partial<Told>[], options?: ScanOptions];

export const sessionId = '5b1c7f5e-0000-4000-8000-000000000001';

/** Runs a table of cases of one check: the fault, then what resembles it. */
export function checkCases(check: string, cases: readonly Case[]): void {
  it.each(cases)('%s', async (_name, transcript, told, options) => {
    const found = await findingsOf(check, [{ id: sessionId, ...transcript }], options);
    expect(found).toHaveLength(told.length);
    for (const [i, wanted] of told.entries()) expect(found[i]).toMatchObject(wanted);
  });
}
