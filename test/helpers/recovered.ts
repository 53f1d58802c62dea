import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeRecoveries } from '../../src/commands/recovery-files.ts';
import type { RecoveryRow } from '../../src/report/recovery.ts';
import { temporaryFolder } from './paths.ts';
import { untouched } from './untouched.ts';

export type WrittenLine = { source?: string; session: string | null; sessionKey: string | null; id: string; role: string; time: string | null; text: string; from: { path: string; table?: string; row?: number; line?: number } };
export type Recovered = { rows: RecoveryRow[]; lines: WrittenLine[]; markdown: string; unsearched: string[]; errors: string[] };

/** Recovers what a store hides, and asserts that it was left alone. Lines of all outputs, in order. */
export async function recovered(store: string): Promise<Recovered> {
  const folder = join(temporaryFolder(), 'out');
  const result = await untouched(store, () => writeRecoveries([store], { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z') }, folder));
  const read = (name: string | null): string => (name === null ? '' : readFileSync(join(folder, name), 'utf8'));
  const lines = result.rows.flatMap((row) => read(row.jsonl).split('\n').filter((line) => line !== '').map((line): WrittenLine => JSON.parse(line)));
  return { rows: result.rows, lines, markdown: result.rows.map((row) => read(row.markdown)).join('\n'), unsearched: result.unsearched.map((one) => one.path), errors: result.errors.map((one) => one.message) };
}
