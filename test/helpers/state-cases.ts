import { expect, it } from 'vitest';
import type { ScanOptions } from '../../src/checks/scan.ts';
import type { Finding, Json } from '../../src/model/finding.ts';
import { stateFolder, type StateSpec } from './openclaw-state.ts';
import { scanUntouched } from './untouched.ts';

/** A state folder and what one check must say of it: evidence of each finding, in report order; an empty list for a look-alike. */
export type StateCase = [name: string, state: StateSpec, told: { [key: string]: Json }[], options?: ScanOptions];

/** Runs a table of cases of one check; `every` holds of each of its findings. */
export function stateCases(check: string, cases: readonly StateCase[], every: Partial<Finding> = {}): void {
  it.each(cases)('%s', async (_name, state, told, options) => {
    const result = await scanUntouched(stateFolder(state), { check: [check], ...options });
    expect(result.errors).toEqual([]);
    expect(result.findings).toHaveLength(told.length);
    expect(result.findings).toMatchObject(told.map((evidence) => ({ ...every, evidence })));
  });
}
