import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineCheck } from '../../src/checks/check.ts';
import { runChecks } from '../../src/checks/engine.ts';
import { noFix } from '../../src/model/finding.ts';
import { discover, openStore } from '../../src/stores/discover.ts';
import { sampleData } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

describe('a check that fails', () => {
  it('is an error of the store that quotes nothing a JSON parser quotes', async () => {
    const store = join(sampleData, 'opencode-wrap/store');
    const failing = defineCheck({
      meta: { id: 'db/failing', severity: 'error', title: 'fails', products: ['opencode'], fix: noFix, affects: '' },
      opencode: { store: () => JSON.parse('{"text": private words}') },
    });
    await untouched(store, async () => {
      const opened = await openStore(discover([store]).stores[0]!, { snapshotDir: null, inPlace: false, deep: false, now: 0, shard: null });
      const reader = { product: 'opencode', version: null, source: 'option' } as const;
      const { findings, skipped } = await runChecks(opened, [failing], { reader, now: 0, zone: 'UTC', zoneGiven: true, deep: false }, {});
      opened.snapshot.close();
      expect([findings.length, skipped.map((one) => one.checkId), opened.snapshot.errors.length]).toEqual([0, ['db/failing'], 1]);
      expect(opened.snapshot.errors[0]?.message).toMatch(/^check db\/failing failed: (?!.*words)/);
    });
  });
});
