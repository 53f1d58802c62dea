// Written by scripts/index-checks.mjs; do not edit.
import type { Check } from './check.ts';
import dbCorrupt from './db/corrupt.ts';

/** Every check, in the order of their ids. */
export const allChecks: readonly Check[] = [
  dbCorrupt,
];
