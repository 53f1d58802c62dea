import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlan } from '../../src/commands/planning.ts';
import { loadSqlite } from '../../src/io/sqlite.ts';
import { buildStore, day, hour, wrap } from '../helpers/opencode-store.ts';
import { copyOf, hasRealStores, realStores, temporaryFolder } from '../helpers/paths.ts';
import { expectRepairCycle } from '../helpers/repair.ts';

function armed(product: 'opencode' | 'mimocode'): string {
  const folder = temporaryFolder();
  const store = buildStore(join(folder, `${product}.db`), product);
  const session = store.session(wrap - day);
  store.talk(session, wrap - day, 3);
  const [, , third] = store.talk(session, wrap + hour, 2);
  store.db.prepare('UPDATE session SET revert = ?').run(JSON.stringify({ messageID: third, diff: 'x' }));
  store.close();
  return folder;
}

describe('disarm-revert', () => {
  it.each(['opencode', 'mimocode'] as const)('clears the undo point and nothing else (%s); undo brings back its very text', async (product) => {
    const steps = await expectRepairCycle(armed(product), {
      check: 'order/armed-revert',
      allow: 'judgement',
      // The cleanup would have deleted the very rows that silence the next prompt.
      mayAppear: ['order/next-prompt-silent'],
      repaired: (folder) => {
        const db = new (loadSqlite())(join(folder, `${product}.db`), { readonly: true });
        expect(db.prepare('SELECT revert FROM session').pluck().get()).toBeNull();
        expect(db.prepare('SELECT count(*) FROM message').pluck().get()).toBe(10);
        db.close();
      },
    });
    expect(steps.map((step) => [step.fix, step.class])).toEqual([['disarm-revert', 'judgement']]);
  });

  it.skipIf(!hasRealStores)('leaves an undo alone that deletes the same rows either way, and readers that delete by time', async () => {
    const folder = copyOf(join(realStores, 'opencode-armed-revert/store'));
    const options = { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z') };
    const { plan } = await makePlan([folder], options, []);
    expect(plan.steps.filter((step) => step.fix === 'disarm-revert').map((step) => step.target)).toEqual(['ses_01a08f729ffeWTJzTV0JExjSPA']);
    const later = await makePlan([folder], { ...options, readers: [{ product: 'opencode', version: '1.18.31', source: 'option' }] }, []);
    expect(later.plan.steps).toEqual([]);
    expect(later.plan.left.find((left) => left.checkId === 'order/armed-revert')?.reason).toContain('orders by time');
  });
});
