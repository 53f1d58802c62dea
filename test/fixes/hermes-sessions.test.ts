import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSeconds as ts } from '../helpers/hermes.ts';
import { hermesRepair, readState } from '../helpers/hermes-repair.ts';
import { hasRealStores, realStores } from '../helpers/paths.ts';
import { expectRepairCycle } from '../helpers/repair.ts';

const sessions = (folder: string): unknown[] => readState(folder, (db) => db.prepare('SELECT id, parent_session_id, ended_at, end_reason, message_count, tool_call_count FROM sessions ORDER BY id').raw().all());

describe('repairs of Hermes session rows', () => {
  it('recount: counters follow the live rows', async () => {
    const steps = await hermesRepair((store) => {
      store.session({ id: 's1', messageCount: 40, toolCallCount: 7 });
      store.talk('s1', 'boat', 2, ts);
      store.message('s1', { role: 'assistant', content: '', toolCalls: [{ id: 'a' }, { id: 'b' }], ts: ts + 200.5 });
    }, { check: 'session/counter-drift', repaired: (folder) => expect(sessions(folder)).toEqual([['s1', null, null, null, 5, 2]]) }, { keepCounters: true });
    expect(steps.map((step) => [step.fix, step.class])).toEqual([['recount', 'safe']]);
  });

  it('clear-end-stamp: the session is open again', async () => {
    const steps = await hermesRepair((store) => void store.session({ id: 's1', ended: ts + 100.123456, reason: 'compression' }), {
      check: 'compaction/orphaned-end',
      allow: 'judgement',
      repaired: (folder) => expect(sessions(folder)).toEqual([['s1', null, null, null, 0, 0]]),
    });
    expect(steps.map((step) => step.fix)).toEqual(['clear-end-stamp']);
  });

  it('null-missing-parent: the session is a root', async () => {
    const steps = await hermesRepair((store) => void store.session({ id: 's1', parent: 'gone' }), { check: 'session/missing-parent', repaired: (folder) => expect(sessions(folder)).toEqual([['s1', null, null, null, 0, 0]]) });
    expect(steps.map((step) => [step.fix, step.class])).toEqual([['null-missing-parent', 'safe']]);
  });

  it('remove-stale-lock: lock and lease', async () => {
    const steps = await hermesRepair((store) => {
      store.session({ id: 's1' });
      store.lock('s1', ts + 300.987654);
      store.db.prepare('INSERT INTO session_turn_leases VALUES (?, ?, ?, ?)').run('s1', 'tui:pid=1', ts, ts + 300.5);
    }, { check: 'compaction/stale-lock', repaired: (folder) => expect(readState(folder, (db) => db.prepare('SELECT (SELECT count(*) FROM compression_locks) + (SELECT count(*) FROM session_turn_leases)').pluck().get())).toBe(0) });
    expect(steps.map((step) => step.fix)).toEqual(['remove-stale-lock', 'remove-stale-lock']);
  });

  it.skipIf(!hasRealStores).each([
    ['hermes-lineage', 'session/counter-drift'],
    ['hermes-lineage', 'compaction/orphaned-end'],
    ['hermes-lineage', 'session/missing-parent'],
    ['hermes-compaction', 'compaction/stale-lock'],
  ])('on the labelled store %s: %s (skipped where ../shared does not lie beside the project)', async (store, check) => {
    expect(await expectRepairCycle(join(realStores, store, 'store'), { check, allow: 'judgement' })).toHaveLength(1);
  });
});
