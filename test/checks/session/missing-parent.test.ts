import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { v1, wrap } from '../../helpers/opencode-store.ts';

const id = 'session/missing-parent';

describe(id, () => {
  it.each(['opencode', 'mimocode'] as const)('names the parent that has no row (%s)', async (product) => {
    const findings = await findingsOf(id, product, (store) => {
      const root = store.session(wrap);
      store.session(wrap + 1, { parent_id: root });
      store.session(wrap + 2, { parent_id: 'ses_gone' });
    });
    expect(findings).toMatchObject([{ session: v1(wrap + 2, 1, 'ses'), severity: 'warning', evidence: { missing: 'ses_gone' }, fix: { id: 'null-missing-parent', class: 'safe' } }]);
  });

  it('says nothing about roots, children of rows that exist, and empty parents', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => {
      const root = store.session(wrap, { parent_id: '' });
      store.session(wrap + 1, { parent_id: root });
    });
    expect(findings).toEqual([]);
  });
});
