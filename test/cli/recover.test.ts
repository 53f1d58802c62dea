import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecoveryRow } from '../../src/report/recovery.ts';
import { runCli } from '../helpers/cli.ts';
import { hasRealStores, realStores, sampleData, temporaryFolder } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

type Written = { recovered: RecoveryRow[] };
type Line = { id: string; text: string; role: string; checkId: string; from: { path: string; line?: number; row?: number | string } };

async function recover(store: string): Promise<{ rows: RecoveryRow[]; lines: Line[][]; folder: string }> {
  const folder = join(temporaryFolder(), 'out');
  const run = await untouched(store, () => runCli(['recover', store, '-o', folder, '--zone', 'UTC', '--json']));
  expect(run.code).toBe(0);
  const { recovered }: Written = JSON.parse(run.stdout);
  const lines = recovered.map((row) => readFileSync(join(folder, row.jsonl ?? ''), 'utf8').trim().split('\n').map((line): Line => JSON.parse(line)));
  return { rows: recovered, lines, folder };
}

describe('recover', () => {
  it('writes every hidden group message once, with where it stands, and nothing else', async () => {
    const { rows, lines, folder } = await recover(join(sampleData, 'openclaw-night/store'));
    expect(rows.map(({ checkId, expected, written, notFound }) => ({ checkId, expected, written, notFound }))).toEqual([{ checkId: 'watermark/orphaned', expected: 112, written: 112, notFound: 0 }]);
    const ids = lines[0]?.map((line) => Number(line.id)) ?? [];
    expect([Math.min(...ids), Math.max(...ids), new Set(ids).size]).toEqual([301, 412, 112]);
    expect(lines[0]?.every((line) => line.text.startsWith(`#${line.id} `) && (line.from.line ?? 0) > 1)).toBe(true);
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(readFileSync(join(folder, rows[0]?.markdown ?? ''), 'utf8').match(/^\*\*user\*\*/gm)).toHaveLength(112);
  });

  it.each([['openclaw-migrated', 'migration/unimported-rows'], ['mimocode-history', 'history/dropped-messages']])('%s: as many as the finding counts', async (name, check) => {
    const { rows } = await recover(join(sampleData, name, 'store'));
    const ours = rows.filter((row) => row.checkId === check);
    expect(ours.length).toBeGreaterThan(0);
    expect(ours.map((row) => row.written + row.notFound)).toEqual(ours.map((row) => row.expected));
    expect(ours.every((row) => row.written > 0)).toBe(true);
  });

  it.skipIf(!hasRealStores)('writes the stranded rows of Hermes', async () => {
    const { rows, lines } = await recover(join(realStores, 'hermes-compaction/store'));
    expect(rows.map((row) => [row.checkId, row.expected, row.written])).toEqual([['compaction/stranded-rows', 4, 4], ['compaction/stranded-rows', 2, 2]]);
    expect(lines[0]?.map((line) => line.from.row)).toEqual([17, 18, 19, 20]);
  });

  it('writes what only a retired log of Hermes has, and keeps what the database says of it', async () => {
    const { rows, lines } = await recover(join(sampleData, 'hermes-retired/store'));
    expect(rows).toMatchObject([{ checkId: 'store/quarantined-copy', source: 'state.db.retired-wal-20260901-072448-4242', rows: 10, present: 8, expected: 2, written: 2, problem: null }]);
    expect(lines[0]?.map((line) => [line.from.row, line.role])).toEqual([[9, 'user'], [10, 'assistant']]);
  });

  it('refuses a folder that holds anything, and writes none where nothing is hidden', () => {
    const folder = temporaryFolder();
    const first = runCli(['recover', join(sampleData, 'openclaw-night/store'), '-o', folder]);
    const second = runCli(['recover', join(sampleData, 'openclaw-night/store'), '-o', folder]);
    expect([first.code, second.code]).toEqual([0, 2]);
    expect(second.stderr).toContain('is not empty');
    const nothing = join(folder, 'none');
    expect(runCli(['recover', join(sampleData, 'opencode-wrap/store'), '-o', nothing]).code).toBe(0);
    expect(readdirSync(folder)).not.toContain('none');
  });
});
