import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { day, hour, minute, v1, v2, wrap, type StoreBuilder } from '../../helpers/opencode-store.ts';

const id = 'order/id-wrap-inversion';

describe(id, () => {
  it('counts the rows on both sides of the boundary', async () => {
    const [finding, ...others] = await findingsOf(id, 'opencode', (store) => {
      const session = store.session(wrap - day);
      store.talk(session, wrap - day, 3);
      store.talk(session, wrap + hour, 2);
    });
    expect(finding).toMatchObject({ severity: 'warning', session: v1(wrap - day, 1, 'ses'), evidence: { preWrap: 6, postWrap: 4, messages: 10, misplacedRows: 4, boundary: '2026-08-14T11:19:55.136Z' } });
    expect(others).toEqual([]);
  });

  it('is an info for a reader that orders by time', async () => {
    const fill = (store: StoreBuilder): void => {
      const session = store.session(wrap - day);
      store.talk(session, wrap - day, 1);
      store.talk(session, wrap + hour, 1);
    };
    expect(await findingsOf(id, 'opencode', fill, { version: '1.18.31' })).toMatchObject([{ severity: 'info', fix: { class: 'none' } }]);
    expect(await findingsOf(id, 'opencode', fill, { readers: [{ product: 'opencode', version: '1.18.15', source: 'option' }] })).toMatchObject([{ severity: 'info' }]);
  });

  it('counts the old-format rows between wrap and upgrade when MiMo-Code minted v2 ids afterwards, main slice only', async () => {
    const [finding, ...others] = await findingsOf(id, 'mimocode', (store) => {
      const session = store.session(wrap - day);
      store.talk(session, wrap - day, 2);
      store.user(session, wrap - day + 30_000, { agent: 'explore-1' });
      store.user(session, wrap + hour);
      for (let i = 0; i < 3; i++) store.user(session, wrap + 30 * day + i * minute, { id: v2(wrap + 30 * day + i * minute) });
    });
    expect(finding).toMatchObject({ evidence: { misplacedRows: 1, v2Rows: 3, preWrap: 4, postWrap: 4, messages: 8, agent: 'main' }, fix: { id: 'convert-postwrap-ids' } });
    expect(others).toEqual([]);
  });

  it('finds the last wrap that a session straddles', async () => {
    const older = Date.parse('2024-06-10T02:35:18.400Z');
    const findings = await findingsOf(id, 'opencode', (store) => {
      const session = store.session(older - day);
      store.talk(session, older - day, 1);
      store.talk(session, older + day, 1);
    });
    expect(findings).toMatchObject([{ evidence: { boundary: '2024-06-10T02:35:18.400Z', preWrap: 2, postWrap: 2 } }]);
  });

  const innocent: [string, 'opencode' | 'mimocode', (store: StoreBuilder) => void][] = [
    ['only before', 'opencode', (store) => store.talk(store.session(wrap - day), wrap - day, 3)],
    ['only after', 'opencode', (store) => store.talk(store.session(wrap + day), wrap + day, 3)],
    [
      'a fork or import whose ids are newer than its times',
      'opencode',
      (store) => {
        const session = store.session(wrap + 40 * day);
        for (const [index, time] of [wrap - day, wrap - hour, wrap + hour, wrap + day].entries()) store.user(session, time, { id: v1(wrap + 40 * day, index + 1) });
      },
    ],
    [
      'rows before the wrap that were re-keyed into the new epoch',
      'opencode',
      (store) => {
        const session = store.session(wrap - day);
        for (let i = 0; i < 3; i++) store.user(session, wrap - day + i * minute, { id: `msg_00000000000${i + 1}${v1(wrap - day + i * minute).slice(-14)}` });
        store.user(session, wrap + hour);
      },
    ],
    [
      'a clock that was seconds behind, inside one epoch',
      'opencode',
      (store) => {
        const session = store.session(wrap + day);
        store.user(session, wrap + day, { id: v1(wrap + day + 4000) });
        store.assistant(session, wrap + day + 1000, null);
      },
    ],
    [
      'opaque ids of an importer',
      'opencode',
      (store) => {
        const session = store.session(wrap - day);
        store.user(session, wrap - day, { id: 'msg_f47ac10b-58cc-4372-a567-0e02b2c3d479' });
        store.user(session, wrap + day, { id: 'msg_1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed' });
      },
    ],
    [
      'one format, in order (v2)',
      'mimocode',
      (store) => {
        const session = store.session(wrap + 30 * day);
        for (let i = 0; i < 4; i++) store.user(session, wrap + 30 * day + i, { id: v2(wrap + 30 * day + i) });
      },
    ],
    [
      'v1 before the wrap, then v2 only',
      'mimocode',
      (store) => {
        const session = store.session(wrap - day);
        store.talk(session, wrap - day, 2);
        store.user(session, wrap + 30 * day, { id: v2(wrap + 30 * day) });
      },
    ],
    [
      'times that no calendar holds',
      'opencode',
      (store) => {
        const session = store.session(0);
        store.user(session, -5, { id: v1(5) });
        store.user(session, 0, { id: v1(6) });
        store.user(session, Date.UTC(9999, 0, 1), { id: v1(7) });
      },
    ],
  ];
  it.each(innocent)('says nothing about %s', async (_name, product, fill) => {
    expect(await findingsOf(id, product, fill)).toEqual([]);
  });
});
