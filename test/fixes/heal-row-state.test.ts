import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSeconds as ts } from '../helpers/hermes.ts';
import { contextOf, hermesRepair, readState } from '../helpers/hermes-repair.ts';
import { hasRealStores, realStores } from '../helpers/paths.ts';
import { expectRepairCycle } from '../helpers/repair.ts';

const check = 'compaction/illegal-row-state';
const keepCounters = true;
const broken = (sql: string) => (store: Parameters<Parameters<typeof hermesRepair>[0]>[0]): void => {
  store.session({ id: 's1', messageCount: 6 });
  store.talk('s1', 'boat', 3, ts);
  store.db.exec(sql);
};

describe('heal-row-state', () => {
  it('makes rows with active NULL live, as the product does', async () => {
    const steps = await hermesRepair(broken('UPDATE messages SET active = NULL WHERE id IN (2, 3)'), { check, repaired: (folder) => expect(contextOf(folder, 's1')).toHaveLength(6) }, { keepCounters });
    expect(steps.map((step) => [step.fix, step.class])).toEqual([['heal-row-state', 'safe']]);
  });

  it('lets a row with both flags stay in the context, on judgement only', async () => {
    const steps = await hermesRepair(broken('UPDATE messages SET compacted = 1 WHERE id = 4; UPDATE messages SET active = NULL WHERE id = 5'), {
      check,
      allow: 'judgement',
      repaired: (folder) => expect(readState(folder, (db) => db.prepare('SELECT id FROM messages WHERE active = 1 AND compacted = 0').pluck().all())).toHaveLength(6),
    }, { keepCounters });
    expect(steps.map((step) => step.class)).toEqual(['judgement']);
  });

  it.skipIf(!hasRealStores)('on the labelled store (skipped where ../shared does not lie beside the project)', async () => {
    expect(await expectRepairCycle(join(realStores, 'hermes-compaction-noflag/store'), { check })).toHaveLength(1);
  });
});
