import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processStartTicks } from '../../../src/io/processes.ts';
import { liveGateways } from '../../../src/stores/openclaw/gateway.ts';
import { temporaryFolder } from '../../helpers/paths.ts';

const ticks = processStartTicks(process.pid);

describe('gateways at work', () => {
  it.each<[string, object | string, number]>([
    ['a living one of this configuration', { pid: process.pid, createdAt: 'x' }, 1],
    ['the same with its start', { pid: process.pid, ...(ticks === null ? {} : { startTime: ticks }) }, 1],
    ['one that is gone', { pid: 2 ** 31 - 2 }, 0],
    ['a lock that is no JSON', 'x', 0],
    ['a lock without a pid', {}, 0],
    ...(ticks === null ? [] : ([['another process of that number', { pid: process.pid, startTime: ticks + 1 }, 0]] satisfies [string, object, number][])),
  ])('%s', (_name, lock, count) => {
    const root = temporaryFolder();
    const config = join(root, 'openclaw.json');
    writeFileSync(config, '{}');
    symlinkSync(config, join(root, 'link.json'));
    mkdirSync(join(root, 'tmp/openclaw-1000'), { recursive: true });
    writeFileSync(join(root, 'tmp/openclaw-1000/gateway.0a1b2c3d.lock'), typeof lock === 'string' ? lock : JSON.stringify({ configPath: join(root, 'link.json'), ...lock }));
    expect(liveGateways(config, join(root, 'tmp'))).toHaveLength(count);
    expect(liveGateways(join(root, 'other.json'), join(root, 'tmp'))).toEqual([]);
  });

  it('none where there is no such folder', () => {
    expect(liveGateways('/nowhere/openclaw.json', '/nowhere/tmp')).toEqual([]);
  });
});
