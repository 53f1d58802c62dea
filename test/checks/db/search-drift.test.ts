import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { wrap, type StoreBuilder } from '../../helpers/opencode-store.ts';

const id = 'db/search-drift';

function swapped(store: StoreBuilder): void {
  store.talk(store.session(wrap), wrap, 2);
  store.db.exec("UPDATE history_fts SET body = 'changed behind the back of the index' WHERE rowid = 1");
}

describe(id, () => {
  it('compares the counts', async () => {
    const findings = await findingsOf(id, 'mimocode', (store) => {
      store.talk(store.session(wrap), wrap, 2);
      store.db.exec('DROP TRIGGER history_fts_ad; DELETE FROM history_fts WHERE rowid = 1');
    });
    expect(findings).toMatchObject([{ severity: 'info', session: null, evidence: { rows: 3, entries: 4, problem: null } }]);
  });

  it('asks FTS5 itself with --deep', async () => {
    expect(await findingsOf(id, 'mimocode', swapped)).toEqual([]);
    expect(await findingsOf(id, 'mimocode', swapped, { deep: true })).toMatchObject([{ evidence: { rows: 4, entries: 4, problem: expect.stringContaining('malformed') } }]);
  });

  it('says nothing about an index in step', async () => {
    expect(await findingsOf(id, 'mimocode', (store) => store.talk(store.session(wrap), wrap, 2), { deep: true })).toEqual([]);
  });
});
