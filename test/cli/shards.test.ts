import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodeOf, scan } from '../../src/checks/scan.ts';
import type { ScanResult } from '../../src/model/finding.ts';
import type { Shard } from '../../src/model/shard.ts';
import { mergeReports } from '../../src/report/merge.ts';
import { runCli } from '../helpers/cli.ts';
import { hasRealStores, projectRoot, realStores, sampleData } from '../helpers/paths.ts';

const fixed = ['--zone', 'UTC', '--now', '2026-12-01T12:00:00Z'];
const samples = readdirSync(sampleData, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => join(sampleData, entry.name, 'store'));
const whole = (shard?: Shard): Promise<ScanResult> => scan(samples, { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z'), shard });
const prints = (result: ScanResult): string[] => result.findings.map((finding) => finding.fingerprint).sort();

describe('scan --shard', () => {
  it.each([1, 2, 3, 8])('%i shards together find what one scan finds, nothing twice', async (total) => {
    const wanted = prints(await whole());
    const found: string[] = [];
    for (let index = 1; index <= total; index++) {
      const part = await whole({ index, total });
      expect(part.shard).toBe(total === 1 ? undefined : `${index}/${total}`);
      found.push(...prints(part));
    }
    expect(found.sort()).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(0);
  });

  it.skipIf(!hasRealStores)('also on the labelled stores (skipped where they do not lie beside the project)', { timeout: 240_000 }, async () => {
    const stores = readdirSync(realStores, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => join(realStores, entry.name, 'store'));
    const options = { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z') };
    const wanted = prints(await scan(stores, options));
    const found: string[] = [];
    for (const index of [1, 2, 3]) found.push(...prints(await scan(stores, { ...options, shard: { index, total: 3 } })));
    expect(found.sort()).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(50);
  });

  it.each(samples)('joined, they are the report of one run, counts and exit code included: %s', async (store) => {
    const options = { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z') };
    const { ok: _ok, ...wanted } = await scan([store], options);
    const parts = [];
    for (const index of [3, 1, 2]) parts.push({ host: null, report: await scan([store], { ...options, shard: { index, total: 3 } }) });
    const joined = mergeReports(parts);
    expect(joined).toEqual(wanted);
    expect(exitCodeOf(joined)).toBe(exitCodeOf(wanted));
  });

  it.skipIf(!existsSync('/usr/bin/parallel'))('also through GNU parallel (skipped where it is not installed)', async () => {
    const run = spawnSync(
      '/usr/bin/parallel',
      ['--will-cite', '--jobs', '2', '--keep-order', process.execPath, join(projectRoot, 'bin/sessionfsck.js'), 'scan', ...samples, ...fixed, '--format', 'jsonl', '--fail-on', 'never', '--no-config', '--shard', '{}/4', ':::', '1', '2', '3', '4'],
      { encoding: 'utf8', maxBuffer: 2 ** 28 },
    );
    const rows = run.stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as { kind: string; fingerprint?: string; shard?: string });
    expect(rows.filter((row) => row.kind === 'summary').map((row) => row.shard)).toEqual(['1/4', '2/4', '3/4', '4/4']);
    expect(rows.filter((row) => row.kind === 'finding').map((row) => row.fingerprint).sort()).toEqual(prints(await whole()));
  });
});

describe('scan --max-duration', () => {
  it('says what was left out, and that is exit code 2', () => {
    const run = runCli(['scan', ...samples, ...fixed, '--json', '--max-duration', '0.000001s']);
    const result = JSON.parse(run.stdout) as ScanResult;
    expect(run.code).toBe(2);
    expect(result.stores).toEqual([]);
    expect(result.errors.length).toBeGreaterThan(0);
    expect(result.errors.filter((error) => error.store !== null && !error.message.includes('was not begun within the time limit; raise --max-duration'))).toEqual([]);
    expect(result.errors.some((error) => error.store !== null)).toBe(true);
  });

  it.each(['0', '-1', 'soon', '5 days', ''])('refuses %j', (value) => {
    const run = runCli(['scan', ...samples, '--max-duration', value]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('a duration looks like 90s, 20m or 2h');
  });
});
