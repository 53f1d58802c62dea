// Written by scripts/index-checks.mjs; do not edit.
import type { Check } from './check.ts';
import dbCorrupt from './db/corrupt.ts';
import migrationUnimportedRows from './migration/unimported-rows.ts';
import transcriptMisplacedAppend from './transcript/misplaced-append.ts';
import transcriptSequenceGap from './transcript/sequence-gap.ts';

/** Every check, in the order of their ids. */
export const allChecks: readonly Check[] = [
  dbCorrupt,
  migrationUnimportedRows,
  transcriptMisplacedAppend,
  transcriptSequenceGap,
];
