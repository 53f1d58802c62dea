import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { day, hour, v1, wrap, type StoreBuilder } from '../../helpers/opencode-store.ts';

const id = 'order/swallowed-prompt';

function receipt(store: StoreBuilder, session: string, prompt: string, reply: string | null, state = 'settled', outcome = 'success'): void {
  store.db
    .prepare('INSERT INTO turn_receipt VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0)')
    .run(`turn_${prompt}`, session, 'main', state, JSON.stringify({ kind: 'prompt', messageID: prompt }), outcome, reply, prompt);
}

describe(id, () => {
  it('finds the prompt that an older reply was taken to answer', async () => {
    const findings = await findingsOf(id, 'mimocode', (store) => {
      const session = store.session(wrap - day);
      const [prompt, reply] = store.talk(session, wrap - day, 1);
      const late = store.user(session, wrap + hour);
      receipt(store, session, prompt ?? '', reply ?? null);
      receipt(store, session, late, reply ?? null);
    });
    expect(findings).toMatchObject([{ severity: 'error', confidence: 'certain', evidence: { prompt: v1(wrap + hour), creditedReply: v1(wrap - day + 4000), promptTime: '2026-08-14T12:19:55.136Z' } }]);
  });

  it('is less sure when the receipt names no reply', async () => {
    const findings = await findingsOf(id, 'mimocode', (store) => {
      const session = store.session(wrap - day);
      store.talk(session, wrap - day, 1);
      receipt(store, session, store.user(session, wrap + hour), null);
    });
    expect(findings).toMatchObject([{ confidence: 'likely', evidence: { creditedReply: null } }]);
  });

  const innocent: [string, (store: StoreBuilder) => void][] = [
    [
      'queued prompts that share one later reply',
      (store) => {
        const session = store.session(wrap + day);
        const first = store.user(session, wrap + day);
        const second = store.user(session, wrap + day + 10);
        const reply = store.assistant(session, wrap + day + 5000, first);
        receipt(store, session, first, reply);
        receipt(store, session, second, reply);
      },
    ],
    [
      'a prompt that still waits',
      (store) => {
        const session = store.session(wrap - day);
        const [, reply] = store.talk(session, wrap - day, 1);
        receipt(store, session, store.user(session, wrap + hour), reply ?? null, 'queued', '');
      },
    ],
    [
      'a turn that was aborted',
      (store) => {
        const session = store.session(wrap - day);
        store.talk(session, wrap - day, 1);
        receipt(store, session, store.user(session, wrap + hour), null, 'settled', 'aborted');
      },
    ],
    ['a receipt whose prompt was deleted', (store) => receipt(store, store.session(wrap - day), 'msg_gone', null)],
  ];
  it.each(innocent)('says nothing about %s', async (_name, fill) => {
    expect(await findingsOf(id, 'mimocode', fill)).toEqual([]);
  });
});
