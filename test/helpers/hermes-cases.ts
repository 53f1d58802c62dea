import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/model/finding.ts';
import type { ScanOptions } from '../../src/checks/scan.ts';
import { hermesStore, type HermesStore, type StoreShape } from './hermes.ts';
import { temporaryFolder } from './paths.ts';
import { scanUntouched } from './untouched.ts';

/** What a case builds: rows into an empty store, whose counters are then set right. `folder` is the home. */
export type Build = (store: HermesStore, folder: string) => void;
export type CaseOptions = { shape?: StoreShape; keepCounters?: boolean; scan?: ScanOptions };

/** The findings of one check (or of `areas`) on a store that is built for it. */
export async function hermesFindings(check: string, build: Build, options: CaseOptions = {}): Promise<Finding[]> {
  const folder = join(temporaryFolder(), 'home');
  const store = hermesStore(folder, options.shape);
  build(store, folder);
  if (!options.keepCounters) store.recount();
  store.close();
  const result = await scanUntouched(folder, { check: [check], ...options.scan });
  expect(result.errors).toEqual([]);
  return result.findings;
}

export type HermesCase = [name: string, build: Build, expected: { [key: string]: unknown }[], options?: CaseOptions];

/** A table of cases: each finding of the check must match the expected ones, in order, and there must be no other. */
export function hermesCases(check: string, cases: readonly HermesCase[]): void {
  describe(`${check} (Hermes)`, () => {
    it.each(cases)('%s', async (_name, build, expected, options) => {
      const findings = await hermesFindings(check, build, options);
      expect(findings).toHaveLength(expected.length);
      for (const [index, wanted] of expected.entries()) expect(findings[index]).toMatchObject(wanted);
    });
  });
}
