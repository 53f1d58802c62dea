import { closeSync, openSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectStores } from '../../src/checks/collect-stores.ts';
import { processStartTicks } from '../../src/io/processes.ts';
import { renderStores, sizeText } from '../../src/report/stores.ts';
import { runCli } from '../helpers/cli.ts';
import { ambientTranscript, night, stateFolder, uuid } from '../helpers/openclaw-state.ts';
import { sampleData, temporaryFolder } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

const id = uuid(1);
const state = (): string => stateFolder({ index: { 'agent:main:main': { sessionId: id, updatedAt: night } }, files: { [`${id}.jsonl`]: ambientTranscript(id, night, [1]) }, config: "{ meta: { lastTouchedVersion: '2026.7.1-2' } }" });

describe('stores', () => {
  it('says what was recognised and how it would be read', async () => {
    const root = state();
    const { stores, errors } = await untouched(root, () => collectStores([root], {}));
    expect(errors).toEqual([]);
    expect(stores).toMatchObject([{ product: 'openclaw', layout: 'jsonl', label: 'agents/main', home: root, reader: 'openclaw@2026.7.1-2', readerSource: 'store', readAs: 'files', sessions: 1, schema: null, databases: [], holders: [] }]);
  });

  it.skipIf(process.platform !== 'linux')('names the process that has a transcript open (only where /proc tells)', async () => {
    const root = state();
    const fd = openSync(join(root, 'agents/main/sessions', `${id}.jsonl`), 'a');
    const child = spawn('sleep', ['30'], { stdio: ['ignore', fd, 'ignore'] });
    closeSync(fd);
    try {
      await new Promise((resolve) => child.once('spawn', resolve));
      const { stores } = await collectStores([root], {});
      expect(stores[0]?.holders).toMatchObject([{ pid: child.pid, how: 'open file' }]);
      expect(renderStores(stores, [], [], { color: false, verbose: false, quiet: false, width: 80, paths: [] })).toContain(`process ${child.pid}`);
    } finally {
      child.kill();
    }
  });

  it('names the holder of a living lock', async () => {
    const root = stateFolder({ files: { 'sessions.json.lock': JSON.stringify({ pid: process.pid, createdAt: new Date().toISOString(), starttime: processStartTicks(process.pid) ?? undefined }) } });
    const { stores } = await collectStores([root], {});
    expect(stores[0]?.holders).toMatchObject([{ pid: process.pid, how: 'lock file' }]);
  });

  it('gives a versioned document and its exit codes', () => {
    const run = runCli(['stores', join(sampleData, 'openclaw-night/store'), '--json']);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ schemaVersion: 1, stores: [{ product: 'openclaw', sessions: 3 }], errors: [] });
    expect(runCli(['stores', temporaryFolder()]).code).toBe(2);
  });

  it.each([[812, '812 B'], [49_875, '50 kB'], [1_400, '1.4 kB'], [1_420_000_000, '1.4 GB']])('%i bytes are %s', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });
});
