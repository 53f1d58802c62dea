import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlan } from '../../src/commands/planning.ts';
import { compareByTime, compareIds } from '../../src/ids/index.ts';
import { loadSqlite } from '../../src/io/sqlite.ts';
import { copyOf, hasRealStores, realStores } from '../helpers/paths.ts';
import { expectRepairCycle } from '../helpers/repair.ts';

const store = join(realStores, 'opencode-mimo/store');
const wedged = 'ses_00ff32d7fffeIUrDoUpzWBWXFo';
const misplaced = 'ses_00a2805ffffeWCFciHjOAyPTPR';

type Row = { id: string; time: number; agent: string };

describe.skipIf(!hasRealStores)('convert-postwrap-ids on the labelled MiMo-Code store (skipped where it does not lie beside the project)', () => {
  it('gives the old-format rows after the wrap ids of the new format: few rows, every slice in order', async () => {
    const steps = await expectRepairCycle(store, {
      check: 'order/id-wrap-inversion',
      allow: 'judgement',
      repaired: (folder) => {
        const db = new (loadSqlite())(join(folder, 'mimocode.db'), { readonly: true });
        for (const [session, count] of [[wedged, 12], [misplaced, 11]] as const) {
          const rows = db.prepare<[string], Row>('SELECT id, time_created AS time, agent_id AS agent FROM message WHERE session_id = ?').all(session);
          expect(rows).toHaveLength(count);
          for (const agent of new Set(rows.map((row) => row.agent))) {
            const slice = rows.filter((row) => row.agent === agent);
            expect(slice.toSorted(compareByTime)).toEqual(slice.toSorted((a, b) => compareIds(a.id, b.id)));
          }
        }
        expect(db.prepare('SELECT count(*) FROM external_import, json_each(message_ids) WHERE value NOT IN (SELECT id FROM message)').pluck().get()).toBe(0);
        db.close();
      },
    });
    expect(steps.map((step) => [step.fix, step.target])).toEqual([
      ['convert-postwrap-ids', misplaced],
      ['convert-postwrap-ids', wedged],
    ]);
    const [action] = steps[0]?.actions ?? [];
    expect(action?.kind === 'map-ids' && Object.entries(action.mapping).map(([old, fresh]) => [old.slice(4, 5), fresh.slice(0, 5), old.slice(-9) === fresh.slice(-9)])).toEqual([['0', 'msg_g', true]]);
  });

  it('a reader that mints v1 ids gets the other repair', async () => {
    const folder = copyOf(store);
    const readers = [{ product: 'mimocode' as const, version: '0.1.12', source: 'option' as const }];
    const { plan } = await makePlan([folder], { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z'), readers }, [wedged]);
    expect(plan.steps.map((step) => step.fix)).toEqual(['rekey-prewrap-ids']);
  });
});
