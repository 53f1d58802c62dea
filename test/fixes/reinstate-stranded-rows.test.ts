import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlan } from '../../src/commands/planning.ts';
import { startSeconds as ts, summaryOf, type HermesStore } from '../helpers/hermes.ts';
import { contextOf, hermesHome, hermesRepair, readState } from '../helpers/hermes-repair.ts';
import { hasRealStores, realStores } from '../helpers/paths.ts';
import { expectRepairCycle } from '../helpers/repair.ts';

const id = 's1';
const check = 'compaction/stranded-rows';
const stranded = (store: HermesStore, rule: 'A' | 'B' | 'C'): void => {
  store.session({ id });
  const held = store.talk(id, 'boat', 5, ts);
  store.message(id, { content: 'meanwhile', ts: ts + 300.5 });
  store.message(id, { role: 'assistant', content: '', toolCalls: [{ id: 'c1' }], ts: ts + 301.5 });
  store.message(id, { role: 'tool', content: 'three lines', toolCallId: 'c1', ts: ts + 302.5 });
  store.message(id, { role: 'assistant', content: 'noted', ts: ts + 303.5 });
  const late = rule === 'B' ? store.talk(id, 'late', 1, ts + 310) : [];
  store.compact(id, { rule, held, tail: 4, ts: ts + 400, ...(late[0] ? { watermark: late[0] - 1 } : {}) });
  store.talk(id, 'later', 1, ts + 500);
};
const tail = ['boat question 4', 'boat answer 4', 'boat question 5', 'boat answer 5', 'meanwhile', '', 'three lines', 'noted'];
const later = ['later question 1', 'later answer 1'];

describe('reinstate-stranded-rows', () => {
  it.each([
    ['A', later],
    ['B', ['late question 1', 'late answer 1', ...later]],
    ['C', later],
  ] as const)('puts the rows back in their place, each once, tool turns whole (rule %s)', async (rule, rest) => {
    const steps = await hermesRepair((store) => stranded(store, rule), {
      check,
      allow: 'judgement',
      repaired: (folder) => {
        expect(contextOf(folder, id).slice(1).map((row) => row.content)).toEqual([...tail, ...rest]);
        expect(readState(folder, (db) => db.prepare('SELECT message_count = (SELECT count(*) FROM messages WHERE active = 1), tool_call_count FROM sessions').raw().get())).toEqual([1, 1]);
      },
    });
    expect(steps.map((step) => [step.fix, step.class])).toEqual([['reinstate-stranded-rows', 'judgement']]);
  });

  it('copies the uid, and lets go of the triggers that need the tokenizer of the product', async () => {
    await hermesRepair(
      (store) => {
        stranded(store, 'A');
        store.db.exec(`UPDATE messages SET message_uid = printf('%032x', id) WHERE id = 11;
          CREATE TABLE messages_fts_cjk (x); CREATE TRIGGER messages_fts_cjk_insert AFTER INSERT ON messages BEGIN INSERT INTO messages_fts_cjk VALUES (no_such_function(new.content)); END`);
      },
      {
        check,
        allow: 'judgement',
        repaired: (folder) => {
          expect(readState(folder, (db) => db.prepare("SELECT count(*) FROM messages WHERE message_uid = printf('%032x', 11)").pluck().get())).toBe(2);
          expect(readState(folder, (db) => db.prepare("SELECT value FROM state_meta WHERE key = 'fts_cjk_stale'").pluck().get())).toBe('1');
        },
      },
    );
  });

  it('leaves rows whose place is gone, and stores of a schema that is not known', async () => {
    const options = { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z') };
    const passed = hermesHome((store) => {
      stranded(store, 'A');
      store.talk(id, 'more', 3, ts + 600);
      store.compact(id, { rule: 'A', held: store.activeIds(id), tail: 2, ts: ts + 900, summary: summaryOf('More.') });
    });
    const { plan } = await makePlan([passed], options, []);
    expect(plan.steps).toEqual([]);
    expect(plan.left.find((left) => left.checkId === check)?.reason).toContain('place');
    const newer = await makePlan([hermesHome((store) => stranded(store, 'A'), { shape: { version: 99 } })], options, []);
    expect(newer.plan.left.find((left) => left.checkId === check)?.reason).toContain('newer');
  });

  it.skipIf(!hasRealStores)('on the labelled store (skipped where ../shared does not lie beside the project)', async () => {
    const steps = await expectRepairCycle(join(realStores, 'hermes-compaction/store'), {
      check,
      allow: 'judgement',
      repaired: (folder) => {
        expect(contextOf(folder, '20260805_100000_ee69af').slice(1).map((row) => row.content)).toEqual([
          'boat ledger question 6', 'boat ledger answer 6', 'boat ledger question 7', 'boat ledger answer 7',
          'meanwhile from the desktop 1', 'noted on the desktop 1', 'meanwhile from the desktop 2', 'noted on the desktop 2',
          'boat ledger later question 1', 'boat ledger later answer 1',
        ]);
      },
    });
    expect(steps).toHaveLength(2);
  });
});
