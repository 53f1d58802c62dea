import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { day, hour, v1, v2, wrap, type StoreBuilder } from '../../helpers/opencode-store.ts';

const id = 'order/next-prompt-silent';
const ses = (created: number): string => v1(created, 1, 'ses');

function idle(store: StoreBuilder): void {
  store.talk(store.session(wrap - 9 * day), wrap - 9 * day, 2);
}

describe(id, () => {
  it('names every session of before the wrap, and straddling ones that are answered, but not the wedged one', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => {
      idle(store);
      store.talk(store.session(wrap - 8 * day), wrap - 8 * day, 60);
      const answered = store.session(wrap - day);
      store.talk(answered, wrap - day, 2);
      store.talk(answered, wrap + hour, 1);
      const wedged = store.session(wrap - 2 * day);
      store.talk(wedged, wrap - 2 * day, 2);
      store.user(wedged, wrap + 2 * hour);
      store.talk(store.session(wrap + day), wrap + day, 2);
    });
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ severity: 'warning', session: null });
    const sessions = findings[0]?.evidence.sessions;
    expect(sessions).toHaveLength(3);
    expect(sessions).toEqual(expect.arrayContaining([ses(wrap - 9 * day), ses(wrap - 8 * day), ses(wrap - day)]));
  });

  it('names apart those whose prompt would be sent again and again', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => {
      idle(store);
      const open = store.session(wrap - 5 * day);
      store.talk(open, wrap - 5 * day, 2);
      store.user(open, wrap - 4 * day);
    });
    expect(findings.map((finding) => finding.evidence)).toEqual([{ sessions: [ses(wrap - 9 * day)], repeating: [ses(wrap - 5 * day)] }]);
  });

  it('is an info for a reader that orders by time', async () => {
    expect(await findingsOf(id, 'opencode', idle, { version: '1.18.31' })).toMatchObject([{ severity: 'info' }]);
  });

  const innocent: [string, 'opencode' | 'mimocode', (store: StoreBuilder) => void][] = [
    ['only newer sessions', 'opencode', (store) => store.talk(store.session(wrap + day), wrap + day, 2)],
    [
      'a build that mints v2 ids',
      'mimocode',
      (store) => {
        idle(store);
        store.user(store.session(wrap + 30 * day), wrap + 30 * day, { id: v2(wrap + 30 * day) });
      },
    ],
    [
      'an armed undo after which only newer rows are left',
      'opencode',
      (store) => {
        const session = store.session(wrap - day, { revert: JSON.stringify({ messageID: v1(wrap + hour) }) });
        store.talk(session, wrap - day, 2);
        store.talk(session, wrap + hour, 2);
      },
    ],
    [
      'an old prompt that was never answered: the next one makes the loop run',
      'opencode',
      (store) => {
        const session = store.session(wrap - day);
        store.talk(session, wrap - day, 1);
        store.user(session, wrap - hour);
      },
    ],
    [
      'a subagent',
      'opencode',
      (store) => {
        store.talk(store.session(wrap - 9 * day, { parent_id: 'ses_parent' }), wrap - 9 * day, 2);
      },
    ],
    [
      'an archived session',
      'opencode',
      (store) => {
        store.talk(store.session(wrap - 9 * day, { time_archived: wrap + day }), wrap - 9 * day, 2);
      },
    ],
  ];
  it.each(innocent)('says nothing about %s', async (_name, product, fill) => {
    expect(await findingsOf(id, product, fill)).toEqual([]);
  });
});
