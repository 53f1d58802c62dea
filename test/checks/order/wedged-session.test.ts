import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { day, hour, minute, v1, v2, wrap, type StoreBuilder } from '../../helpers/opencode-store.ts';

const id = 'order/wedged-session';

function wedged(store: StoreBuilder, extra: { [column: string]: number } = {}): void {
  const session = store.session(wrap - day, extra);
  store.talk(session, wrap - day, 2);
  store.user(session, wrap + hour);
  store.user(session, wrap + 2 * hour);
}

describe(id, () => {
  it('counts the waiting prompts and names both tails', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => wedged(store));
    expect(findings).toMatchObject([
      {
        severity: 'error',
        session: v1(wrap - day, 1, 'ses'),
        fix: { id: 'rekey-prewrap-ids', class: 'judgement' },
        evidence: { unansweredPrompts: 2, unansweredSince: '2026-08-14T12:19:55.136Z', idTail: v1(wrap - day + minute + 4000), timeTail: v1(wrap + 2 * hour), blockingReply: v1(wrap - day + minute + 4000) },
      },
    ]);
  });

  it('is an info for the fixed reader and in an archived session', async () => {
    expect(await findingsOf(id, 'opencode', (store) => wedged(store), { version: '1.18.31' })).toMatchObject([{ severity: 'info', fix: { class: 'none' } }]);
    expect(await findingsOf(id, 'opencode', (store) => wedged(store, { time_archived: wrap + 3 * day }))).toMatchObject([{ severity: 'info' }]);
  });

  it('looks at the main slice of MiMo-Code only', async () => {
    const findings = await findingsOf(id, 'mimocode', (store) => {
      wedged(store);
      const other = store.session(wrap - 2 * day);
      store.talk(other, wrap - 2 * day, 2, { agent: 'explore-1' });
      store.user(other, wrap + hour, { agent: 'explore-1', id: v1(wrap + hour, 9) });
    });
    expect(findings).toMatchObject([{ session: v1(wrap - day, 1, 'ses'), evidence: { unansweredPrompts: 2 } }]);
  });

  it('finds a prompt that a skewed clock put behind the reply', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => {
      const session = store.session(wrap + day);
      store.talk(session, wrap + day, 2);
      store.user(session, wrap + day + 2 * minute, { id: v1(wrap + day + 30_000) });
    });
    expect(findings).toMatchObject([{ evidence: { unansweredPrompts: 1 } }]);
  });

  const innocent: [string, 'opencode' | 'mimocode', (store: StoreBuilder) => void][] = [
    [
      'straddling and answered',
      'opencode',
      (store) => {
        const session = store.session(wrap - day);
        store.talk(session, wrap - day, 2);
        store.talk(session, wrap + hour, 1);
      },
    ],
    [
      'a user who aborted before the reply',
      'opencode',
      (store) => {
        const session = store.session(wrap + day);
        store.talk(session, wrap + day, 2);
        store.user(session, wrap + day + hour);
      },
    ],
    [
      'queued prompts that share one reply',
      'opencode',
      (store) => {
        const session = store.session(wrap - day);
        store.talk(session, wrap - day, 1);
        const first = store.user(session, wrap + hour);
        store.user(session, wrap + hour + 1000);
        store.user(session, wrap + hour + 2000);
        store.assistant(session, wrap + hour + 3000, first);
      },
    ],
    [
      'a skewed clock, every prompt answered',
      'opencode',
      (store) => {
        const session = store.session(wrap + day);
        const prompt = store.user(session, wrap + day + 3400, { id: v1(wrap + day) });
        store.assistant(session, wrap + day + 4000, prompt);
      },
    ],
    [
      'the newest prompt of the new format is answered',
      'mimocode',
      (store) => {
        const session = store.session(wrap - day);
        store.talk(session, wrap - day, 2);
        store.user(session, wrap + hour);
        const prompt = store.user(session, wrap + 30 * day, { id: v2(wrap + 30 * day) });
        store.assistant(session, wrap + 30 * day + 4000, prompt, { id: v2(wrap + 30 * day + 4000) });
      },
    ],
    [
      'a compaction carrier after the last reply',
      'opencode',
      (store) => {
        const session = store.session(wrap - day);
        store.talk(session, wrap - day, 2);
        const carrier = store.user(session, wrap + hour);
        store.part(carrier, session, wrap + hour, { type: 'compaction', auto: true });
      },
    ],
  ];
  it.each(innocent)('says nothing about %s', async (_name, product, fill) => {
    expect(await findingsOf(id, product, fill)).toEqual([]);
  });
});
