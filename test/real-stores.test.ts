import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasRealStores, projectRoot, realStores, sharedRoot } from './helpers/paths.ts';

/** Issue by issue, what the labelled stores must score: everything found, no false alarm, evidence equal, no byte changed. */
const scores: [string, string[]][] = [
  ['OpenClaw, both eras', ['--only', 'openclaw']],
  ['resets of OpenClaw (files) and Hermes', ['--not', 'openclaw-sqlite', '--areas', 'reset,config']],
  ['opencode and MiMo-Code', ['--only', 'opencode']],
  ['Hermes: everything but resets', ['--only', 'hermes', '--not-areas', 'reset']],
];

const judge = join(sharedRoot, 'tools/score.mjs');

describe.skipIf(!hasRealStores)('labelled stores (skipped where ../shared/real-stores does not lie beside the project)', () => {
  it('has its judge', () => {
    expect(existsSync(judge)).toBe(true);
  });
  it.each(scores)('%s', { timeout: 300_000 }, (_name, args) => {
    const run = spawnSync(process.execPath, [judge, realStores, ...args, '--verbose'], { cwd: projectRoot, encoding: 'utf8' });
    expect({ status: run.status, out: run.status === 0 ? '' : run.stdout }).toEqual({ status: 0, out: '' });
  });
});
