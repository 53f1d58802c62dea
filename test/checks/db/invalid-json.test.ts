import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { v1, wrap, type StoreBuilder } from '../../helpers/opencode-store.ts';

const id = 'db/invalid-json';

function damaged(store: StoreBuilder): void {
  const session = store.session(wrap, { revert: '{"messageID":"msg_', permission: null });
  store.user(session, wrap, { raw: '{"role":"user"' });
  store.user(session, wrap + 5, { raw: '' });
}

describe(id, () => {
  it('looks at narrow columns', async () => {
    expect(await findingsOf(id, 'opencode', damaged)).toMatchObject([{ session: v1(wrap, 1, 'ses'), severity: 'error', evidence: { table: 'session', column: 'revert', rows: [v1(wrap, 1, 'ses')], count: 1 } }]);
  });

  it('looks at wide columns with --deep', async () => {
    const findings = await findingsOf(id, 'mimocode', damaged, { deep: true });
    expect(findings.map(({ evidence }) => [evidence.table, evidence.column, evidence.count]).sort()).toEqual([['message', 'data', 2], ['session', 'revert', 1]]);
  });

  it('says nothing about NULL and valid JSON', async () => {
    expect(await findingsOf(id, 'opencode', (store) => store.talk(store.session(wrap, { revert: null, permission: '[]' }), wrap, 2), { deep: true })).toEqual([]);
  });
});
