import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { wrap } from '../../helpers/opencode-store.ts';

const id = 'session/parent-cycle';

describe(id, () => {
  it('reports each ring once, without those that only lead into it', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => {
      for (const [child, parent] of [['ses_b', 'ses_a'], ['ses_a', 'ses_c'], ['ses_c', 'ses_b'], ['ses_d', 'ses_a'], ['ses_self', 'ses_self']] as const) store.session(wrap, { id: child, parent_id: parent });
    });
    expect(findings.map(({ session, evidence }) => ({ session, evidence }))).toEqual([
      { session: 'ses_a', evidence: { members: ['ses_a', 'ses_b', 'ses_c'] } },
      { session: 'ses_self', evidence: { members: ['ses_self'] } },
    ]);
  });

  it('says nothing about a long chain, nor about a parent without a row', async () => {
    const findings = await findingsOf(id, 'mimocode', (store) => {
      for (let i = 0; i < 2000; i++) store.session(wrap + i, { id: `ses_${i}`, parent_id: i === 0 ? 'ses_gone' : `ses_${i - 1}` });
    });
    expect(findings).toEqual([]);
  });
});
