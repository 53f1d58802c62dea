import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
export const sampleData = join(projectRoot, 'sample-data');

/** The labelled stores beside the project, where they exist. */
export const sharedRoot = join(projectRoot, '..', 'shared');
export const realStores = join(sharedRoot, 'real-stores');
export const corpus = join(sharedRoot, 'corpus');
export const hasRealStores = existsSync(realStores);
export const hasCorpus = existsSync(corpus);

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sessionfsck-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A copy of a store, times kept, that a test may change. */
export function copyOf(store: string): string {
  const target = join(temporaryFolder(), 'store');
  cpSync(store, target, { recursive: true, preserveTimestamps: true });
  return target;
}
