import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { wrap } from '../../helpers/opencode-store.ts';

const id = 'db/unknown-schema';

describe(id, () => {
  it('names a migration that is newer than what is known', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => store.db.exec("INSERT INTO migration VALUES('20270101000000_from_the_future', 0)"));
    expect(findings).toMatchObject([{ severity: 'info', session: null, evidence: { version: '20270101000000_from_the_future', missingColumns: [] } }]);
  });

  it('names columns that are missing, and the other checks still run', async () => {
    const findings = await findingsOf(
      id,
      'opencode',
      (store) => {
        store.talk(store.session(wrap), wrap, 1);
        store.db.exec('DROP INDEX part_session_idx; ALTER TABLE part RENAME COLUMN session_id TO owner_id');
      },
      { check: ['db', 'order', 'session'] },
    );
    expect(findings).toMatchObject([{ checkId: id, evidence: { missingColumns: ['part.session_id'] } }]);
  });

  it.each(['opencode', 'mimocode'] as const)('says nothing about a known schema (%s)', async (product) => {
    expect(await findingsOf(id, product, (store) => store.talk(store.session(wrap), wrap, 1))).toEqual([]);
  });
});
