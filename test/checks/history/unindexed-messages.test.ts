import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { day, hour, v1, wrap, type StoreBuilder } from '../../helpers/opencode-store.ts';

const id = 'history/unindexed-messages';
const base = wrap + 20 * day;

describe(id, () => {
  it('counts parts and messages without an index row', async () => {
    const findings = await findingsOf(id, 'mimocode', (store) => {
      const session = store.session(base);
      store.talk(session, base, 2);
      store.talk(session, base + hour, 2, { indexed: false });
    });
    expect(findings).toMatchObject([{ severity: 'info', session: v1(base, 1, 'ses'), evidence: { parts: 4, messages: 4, firstTime: '2026-09-03T12:19:55.136Z' } }]);
  });

  it('is one finding for a store whose index is empty', async () => {
    expect(await findingsOf(id, 'mimocode', (store) => store.talk(store.session(base), base, 2, { indexed: false }))).toMatchObject([{ session: null, evidence: { messages: 4 } }]);
  });

  const innocent: [string, (store: StoreBuilder) => void][] = [
    ['a whole index', (store) => store.talk(store.session(base), base, 2)],
    [
      'parts that are not indexed by default',
      (store) => {
        const session = store.session(base);
        const [prompt = ''] = store.talk(session, base, 1);
        for (const data of [{ type: 'step-start' }, { type: 'reasoning', text: 'x' }, { type: 'text', text: ' ' }, { type: 'text', text: 'x', synthetic: true }, { type: 'tool', state: { status: 'running' } }]) {
          store.part(prompt, session, base, data, 'user_text', false);
        }
      },
    ],
    [
      'chunk rows',
      (store) => {
        store.talk(store.session(base), base, 1);
        store.db.exec("UPDATE history_fts SET part_id = part_id || '#1' WHERE rowid = 1");
      },
    ],
  ];
  it.each(innocent)('says nothing about %s', async (_name, fill) => {
    expect(await findingsOf(id, 'mimocode', fill)).toEqual([]);
  });
  it('says nothing about messages of the last hour', async () => {
    const fill = (store: StoreBuilder): void => {
      const session = store.session(base);
      store.talk(session, base, 1);
      store.talk(session, base + hour, 1, { indexed: false });
    };
    expect(await findingsOf(id, 'mimocode', fill, { now: base + 1.5 * hour })).toEqual([]);
  });
});
