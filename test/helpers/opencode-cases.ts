import { join } from 'node:path';
import type { ScanOptions } from '../../src/checks/scan.ts';
import type { Finding } from '../../src/model/finding.ts';
import { buildStore, type StoreBuilder } from './opencode-store.ts';
import { temporaryFolder } from './paths.ts';
import { scanUntouched } from './untouched.ts';

/** Builds a store, scans it with one check, asserts that it was left alone, and gives the findings. */
export async function findingsOf(
  checkId: string,
  product: 'opencode' | 'mimocode',
  fill: (store: StoreBuilder) => void,
  options: ScanOptions & { version?: string } = {},
): Promise<Finding[]> {
  const folder = temporaryFolder();
  const store = buildStore(join(folder, `${product}.db`), product, options.version);
  fill(store);
  store.close();
  const result = await scanUntouched(folder, { check: [checkId], ...options });
  if (result.errors.length > 0) throw new Error(JSON.stringify(result.errors));
  return result.findings;
}
