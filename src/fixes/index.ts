// Written by scripts/index-fixes.mjs; do not edit.
import type { Fix } from './fix.ts';

/** Every fix, in the order of their ids. */
export const allFixes: readonly Fix[] = [
];
