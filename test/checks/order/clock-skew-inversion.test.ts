import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { day, hour, v1, wrap, type StoreBuilder } from '../../helpers/opencode-store.ts';

const id = 'order/clock-skew-inversion';
const base = wrap + 20 * day;

describe(id, () => {
  it('counts the rows whose place by id differs from their place by time', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => {
      const session = store.session(base);
      store.talk(session, base, 1);
      const early = v1(base + 2000);
      store.user(session, base + 6000, { id: early });
      store.assistant(session, base + 8000, early);
    });
    expect(findings).toMatchObject([{ severity: 'info', evidence: { rowsOutOfPlace: 2, widestMs: 2000, rows: [v1(base + 4000), v1(base + 2000)] } }]);
  });

  it('is found beside a wrap as well, in its own epoch', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => {
      const session = store.session(wrap - day);
      store.user(session, wrap - day, { id: v1(wrap - day + 5000) });
      store.user(session, wrap - day + 2000);
      store.talk(session, wrap + hour, 1);
    });
    expect(findings).toMatchObject([{ evidence: { rowsOutOfPlace: 2 } }]);
  });

  const innocent: [string, 'opencode' | 'mimocode', (store: StoreBuilder) => void][] = [
    [
      'a wrap alone',
      'opencode',
      (store) => {
        const session = store.session(wrap - day);
        store.talk(session, wrap - day, 2);
        store.talk(session, wrap + hour, 2);
      },
    ],
    [
      'two readings of the clock within one row (#46102)',
      'opencode',
      (store) => {
        const session = store.session(base);
        store.user(session, base + 3, { id: v1(base) });
        store.assistant(session, base + 1, null, { id: v1(base + 1) });
      },
    ],
    [
      'agent slices that run side by side',
      'mimocode',
      (store) => {
        const session = store.session(base);
        store.user(session, base, { id: v1(base) });
        store.user(session, base + 500, { id: v1(base + 5000), agent: 'explore-1' });
        store.user(session, base + 4000, { id: v1(base + 4000) });
      },
    ],
  ];
  it.each(innocent)('says nothing about %s', async (_name, product, fill) => {
    expect(await findingsOf(id, product, fill)).toEqual([]);
  });
});
