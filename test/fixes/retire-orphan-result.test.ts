import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSeconds as ts } from '../helpers/hermes.ts';
import { contextOf, hermesRepair } from '../helpers/hermes-repair.ts';
import { hasRealStores, realStores } from '../helpers/paths.ts';
import { expectRepairCycle } from '../helpers/repair.ts';

describe('retire-orphan-result', () => {
  it('sets the result aside and nothing else', async () => {
    const steps = await hermesRepair((store) => {
      store.session({ id: 's1' });
      store.talk('s1', 'boat', 1, ts);
      store.message('s1', { role: 'tool', content: 'stray', toolCallId: 'c9', ts: ts + 60.5 });
      store.message('s1', { content: 'thanks', ts: ts + 70.5 });
    }, { check: 'tool/orphan-result', allow: 'judgement', repaired: (folder) => expect(contextOf(folder, 's1').map((row) => row.id)).toEqual([1, 2, 4]) });
    expect(steps.map((step) => [step.fix, step.class])).toEqual([['retire-orphan-result', 'judgement']]);
  });

  it.skipIf(!hasRealStores)('on the labelled store (skipped where ../shared does not lie beside the project)', async () => {
    expect(await expectRepairCycle(join(realStores, 'hermes-damage/store'), { check: 'tool/orphan-result', allow: 'judgement' })).toHaveLength(1);
  });
});
