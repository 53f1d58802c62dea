import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSeconds as ts, summaryOf, type HermesStore } from '../helpers/hermes.ts';
import { contextOf, hermesRepair, readState } from '../helpers/hermes-repair.ts';
import { hasRealStores, realStores } from '../helpers/paths.ts';
import { expectRepairCycle } from '../helpers/repair.ts';

const id = 's1';
const again = (store: HermesStore, rows: readonly number[]): void => {
  for (const row of rows) store.db.prepare('INSERT INTO messages (session_id, role, content, timestamp, _compressed_summary) SELECT session_id, role, content, timestamp, _compressed_summary FROM messages WHERE id = ?').run(row);
};

describe('retire-duplicate', () => {
  it('keeps the first copy and sets the later ones aside; the counters follow', async () => {
    const steps = await hermesRepair((store) => {
      store.session({ id });
      again(store, store.talk(id, 'boat', 3, ts).slice(2));
    }, {
      check: 'compaction/live-duplicates',
      repaired: (folder) => {
        expect(contextOf(folder, id).map((row) => row.id)).toEqual([1, 2, 3, 4, 5, 6]);
        expect(readState(folder, (db) => db.prepare('SELECT count(*) FROM messages').pluck().get())).toBe(10);
        expect(readState(folder, (db) => db.prepare('SELECT message_count FROM sessions').pluck().get())).toBe(6);
      },
    });
    expect(steps.map((step) => [step.fix, step.class])).toEqual([['retire-duplicate', 'safe']]);
  });

  it('does so with a summary that was published twice', async () => {
    await hermesRepair((store) => {
      store.session({ id });
      const { carrier, tails } = store.compact(id, { rule: 'A', held: store.talk(id, 'boat', 4, ts), tail: 2, ts: ts + 400 });
      again(store, [carrier, ...tails]);
    }, { check: 'compaction/double-summary', repaired: (folder) => expect(contextOf(folder, id).filter((row) => row.content === summaryOf('What was said so far.'))).toHaveLength(1) });
  });

  it('asks for judgement where times have whole seconds', async () => {
    const steps = await hermesRepair((store) => {
      store.session({ id });
      again(store, ['one', 'two', 'three'].map((content, i) => store.message(id, { role: i % 2 ? 'assistant' : 'user', content, ts: ts + i * 10 })));
    }, { check: 'compaction/live-duplicates', allow: 'judgement' });
    expect(steps.map((step) => step.class)).toEqual(['judgement']);
  });

  it.skipIf(!hasRealStores)('on the labelled store (skipped where ../shared does not lie beside the project)', async () => {
    const steps = await expectRepairCycle(join(realStores, 'hermes-compaction/store'), { check: 'compaction/live-duplicates' });
    expect(steps).toHaveLength(2);
  });
});
