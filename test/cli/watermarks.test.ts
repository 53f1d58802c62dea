import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectWatermarks } from '../../src/checks/collect-watermarks.ts';
import { renderWatermarks } from '../../src/report/watermarks.ts';
import { runCli } from '../helpers/cli.ts';
import { night, stateFolder, uuid } from '../helpers/openclaw-state.ts';
import { sampleData } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

const store = join(sampleData, 'openclaw-night/store');
const plain = { color: false, verbose: false, quiet: false, width: 80, paths: [] };

describe('watermarks', () => {
  it('says of each watermark what it vouches for and what it hides', async () => {
    const { watermarks, errors } = await untouched(store, () => collectWatermarks([store], {}));
    expect(errors).toEqual([]);
    expect(watermarks).toMatchObject([
      { sessionKey: 'agent:main:telegram:group:-1001764402291', state: 'orphaned', reason: 'unbound', honoured: true, messageId: '412', boundTo: null, vouchesFor: 0, visible: 19, firstVisible: '413', lastVisible: '431', hiddenRows: 112 },
      { sessionKey: 'agent:main:telegram:group:-1001819207268', state: 'sound', reason: null, honoured: false, messageId: '52', vouchesFor: 13, visible: 13, hiddenRows: 0 },
    ]);
    expect(Object.values(watermarks[0]?.hiddenByArchive ?? {}).sort()).toEqual([24, 88]);
  });

  it('knows what a later reader ignores', async () => {
    const { watermarks } = await collectWatermarks([store], { readers: [{ product: 'openclaw', version: '2026.7.1-2', source: 'option' }] });
    expect(watermarks.map((one) => one.honoured)).toEqual([false, false]);
  });

  it('names the fields of one that cannot be read', async () => {
    const broken = stateFolder({ index: { 'agent:main:x': { sessionId: uuid(1), updatedAt: night, ambientTranscriptWatermarks: { '\u001b[31mred': { messageId: 1 } } } } });
    const { watermarks, stores } = await untouched(broken, () => collectWatermarks([broken], {}));
    expect(watermarks).toMatchObject([{ state: 'malformed', wrong: ['key', 'messageId'] }]);
    expect(renderWatermarks(watermarks, [], stores, plain)).not.toContain('\u001b');
  });

  it('exits with 1 for a harmful one, 0 below --fail-on, 2 for a place that is no store', async () => {
    const json = await untouched(store, () => runCli(['watermarks', store, '--json']));
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ schemaVersion: 1, watermarks: [{ hiddenRows: 112 }, { hiddenRows: 0 }] });
    expect(runCli(['watermarks', store, '--fail-on', 'never']).code).toBe(0);
    expect(runCli(['watermarks', join(sampleData, 'nowhere')]).code).toBe(2);
  });
});
