import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/model/finding.ts';
import { hermesStore, startSeconds, summaryOf, type HermesStore, type Rule, type StoreShape, type StoredRow } from '../../helpers/hermes.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const id = '20260805_100000_aaaaaa';

async function scanStore(build: (store: HermesStore) => void, shape: StoreShape = {}): Promise<Finding[]> {
  const folder = join(temporaryFolder(), 'home');
  const store = hermesStore(folder, shape);
  store.session({ id });
  build(store);
  store.recount();
  store.close();
  const result = await scanUntouched(folder, { check: ['compaction', 'session'] });
  expect(result.errors).toEqual([]);
  return result.findings;
}

const foreign = (store: HermesStore, ts: number): number[] => [
  store.message(id, { role: 'user', content: 'meanwhile from the desktop', ts }),
  store.message(id, { role: 'assistant', content: 'noted on the desktop', ts: ts + 3.21 }),
];
const ts = startSeconds;
const uid = (n: number): string => n.toString(16).padStart(32, '0');

describe('compaction/stranded-rows: the fault', () => {
  const cases: [string, StoreShape, (store: HermesStore) => { rows: number[]; carrier: number; newest: number }][] = [
    [
      'rows of another surface behind the newest carried one (A)',
      {},
      (store) => {
        const held = store.talk(id, 'boat', 6, ts);
        const rows = foreign(store, ts + 300);
        const { carrier } = store.compact(id, { rule: 'A', held, tail: 4, ts: ts + 400 });
        store.talk(id, 'later', 1, ts + 500);
        return { rows, carrier, newest: held.at(-1)! };
      },
    ],
    [
      'the same where the tail lost its times',
      {},
      (store) => {
        const held = store.talk(id, 'boat', 6, ts);
        const rows = foreign(store, ts + 300);
        return { rows, carrier: store.compact(id, { rule: 'A', held, tail: 4, ts: ts + 400, restamp: true }).carrier, newest: held.at(-1)! };
      },
    ],
    [
      'no flag column: the carrier is known by its text',
      { version: 16, without: ['_compressed_summary', 'message_uid', 'absorbed_message_uids'] },
      (store) => {
        const held = store.talk(id, 'boat', 6, ts);
        const rows = foreign(store, ts + 300);
        return { rows, carrier: store.compact(id, { rule: 'A', held, tail: 2, ts: ts + 400 }).carrier, newest: held.at(-1)! };
      },
    ],
    [
      'between the carried tail and clones of later rows (B)',
      {},
      (store) => {
        const held = store.talk(id, 'boat', 6, ts);
        const rows = foreign(store, ts + 300);
        const late = foreign(store, ts + 350);
        return { rows, carrier: store.compact(id, { rule: 'B', held, tail: 4, watermark: late[0]! - 1, ts: ts + 400 }).carrier, newest: held.at(-1)! };
      },
    ],
    [
      'set aside in place of the true tail (C)',
      {},
      (store) => {
        const held = store.talk(id, 'boat', 6, ts);
        const rows = foreign(store, ts + 300);
        return { rows, carrier: store.compact(id, { rule: 'C', held, tail: 4, ts: ts + 400 }).carrier, newest: held.at(-1)! };
      },
    ],
    [
      'a tool turn of another surface',
      {},
      (store) => {
        const held = store.talk(id, 'boat', 6, ts);
        const rows = [
          store.message(id, { role: 'user', content: 'list it', ts: ts + 300.5 }),
          store.message(id, { role: 'assistant', content: '', toolCalls: [{ id: 'call_1' }], ts: ts + 301.5 }),
          store.message(id, { role: 'tool', content: 'three lines', toolCallId: 'call_1', ts: ts + 302.5 }),
          store.message(id, { role: 'assistant', content: 'done', ts: ts + 303.5 }),
        ];
        return { rows, carrier: store.compact(id, { rule: 'A', held, tail: 2, ts: ts + 400 }).carrier, newest: held.at(-1)! };
      },
    ],
    [
      'in an older generation that a later commit has archived in turn, with head copies',
      {},
      (store) => {
        const held = store.talk(id, 'boat', 6, ts);
        const rows = foreign(store, ts + 300);
        const { carrier } = store.compact(id, { rule: 'A', held, tail: 2, head: 2, ts: ts + 400 });
        store.talk(id, 'later', 4, ts + 500);
        store.compact(id, { rule: 'A', held: store.activeIds(id), tail: 2, head: 2, ts: ts + 900, summary: summaryOf('More.') });
        return { rows, carrier, newest: held.at(-1)! };
      },
    ],
    [
      'v31: by uid, although the carried copies were re-rendered',
      {},
      (store) => {
        const held = store.talk(id, 'boat', 4, ts);
        for (const row of held) store.db.prepare('UPDATE messages SET message_uid = ? WHERE id = ?').run(uid(row), row);
        const rows = foreign(store, ts + 300);
        return { rows, carrier: store.compact(id, { rule: 'A', held, tail: 4, ts: ts + 400, restamp: true, render: (row) => ({ content: `[Tue] ${row.content}` }) }).carrier, newest: held.at(-1)! };
      },
    ],
  ];
  it.each(cases)('%s', async (_name, shape, build) => {
    let expected: ReturnType<typeof build> | null = null;
    const findings = await scanStore((store) => {
      expected = build(store);
    }, shape);
    expect(findings.map((finding) => finding.checkId)).toEqual(['compaction/stranded-rows']);
    expect(findings[0]).toMatchObject({ session: id, severity: 'error', evidence: { rows: expected!.rows, carrier: expected!.carrier, newestCarriedOriginal: expected!.newest } });
  });
});

describe('compaction/stranded-rows: look-alikes', () => {
  const commit = (options: Partial<Parameters<HermesStore['compact']>[1]>, before?: (store: HermesStore) => number[]) => (store: HermesStore): void => {
    const held = before ? before(store) : store.talk(id, 'boat', 6, ts);
    store.compact(id, { rule: 'A', held, tail: 4, ts: ts + 400, ...options });
    store.talk(id, 'later', 1, ts + 500);
  };
  const cases: [string, (store: HermesStore) => void][] = [
    ['everything held (A)', commit({})],
    ['everything held, tail set aside (C)', commit({ rule: 'C' })],
    ['late rows cloned (B)', (store) => {
      const held = store.talk(id, 'boat', 6, ts);
      foreign(store, ts + 300);
      store.compact(id, { rule: 'B', held, tail: 2, watermark: held.at(-1)!, ts: ts + 400 });
    }],
    ['late rows cloned (C)', (store) => {
      const held = store.talk(id, 'boat', 6, ts);
      foreign(store, ts + 300);
      store.compact(id, { rule: 'C', held, tail: 2, watermark: held.at(-1)!, ts: ts + 400 });
    }],
    ['rows that were not held are cloned (D)', (store) => {
      const held = store.talk(id, 'boat', 6, ts);
      foreign(store, ts + 300);
      store.compact(id, { rule: 'D', held, tail: 2, ts: ts + 400 });
    }],
    ['a gap below the newest held row is cloned (E)', (store) => {
      const first = store.talk(id, 'boat', 4, ts);
      foreign(store, ts + 200);
      const own = store.talk(id, 'own', 1, ts + 220);
      store.compact(id, { rule: 'E', held: [...first, ...own], tail: 4, ts: ts + 400 });
    }],
    ['tail that lost its times', commit({ restamp: true })],
    ['tail that was redacted', commit({ render: (row) => (row.role === 'assistant' ? { content: 'redacted' } : {}) })],
    ['tail with stamps put before the words', commit({ render: (row) => (row.role === 'user' ? { content: `[Wed 10:02] ${row.content}` } : {}) })],
    ['last row of a tail without times re-rendered', commit({ restamp: true, render: (row) => (row.content === 'boat answer 6' ? { content: 'shortened' } : {}) })],
    ['head copies', commit({ head: 2 })],
    ['head copies without times', commit({ head: 2, restamp: true })],
    ['head copies of an older generation', (store) => {
      store.compact(id, { rule: 'A', held: store.talk(id, 'boat', 6, ts), tail: 2, head: 3, ts: ts + 400 });
      store.talk(id, 'later', 4, ts + 500);
      store.compact(id, { rule: 'A', held: store.activeIds(id), tail: 2, head: 3, ts: ts + 900, summary: summaryOf('More.') });
    }],
    ['an older summary carried along as a head copy', (store) => {
      store.compact(id, { rule: 'A', held: store.talk(id, 'boat', 6, ts), tail: 2, ts: ts + 400 });
      store.talk(id, 'later', 4, ts + 500);
      const carrier = store.activeIds(id)[0]!;
      store.compact(id, { rule: 'A', held: store.activeIds(id), tail: 2, head: 1, ts: ts + 900, summary: summaryOf('More.') });
      const copy = store.db.prepare<[string], number>("SELECT min(id) FROM messages WHERE session_id = ? AND active = 1").pluck().get(id)!;
      store.db.prepare('UPDATE messages SET _compressed_summary = 1 WHERE id = ?').run(copy);
      expect(carrier).toBeLessThan(copy);
    }],
    ['the last prompt merged into the carrier', (store) => {
      const held = [...store.talk(id, 'boat', 6, ts), store.message(id, { content: 'and now paint it', ts: ts + 300.5 })];
      const { carrier } = store.compact(id, { rule: 'A', held: held.slice(0, -1), tail: 2, ts: ts + 400 });
      store.db.prepare('UPDATE messages SET content = ? WHERE id = ?').run(summaryOf('So far.', 'and now paint it'), carrier);
    }],
    ['two prompts merged into one copy', (store) => {
      const held = store.talk(id, 'boat', 6, ts);
      const one = store.message(id, { content: 'first thought', ts: ts + 300.5 });
      store.message(id, { content: 'second thought', ts: ts + 301.5 });
      store.compact(id, { rule: 'A', held: [...held, one], tail: 3, ts: ts + 400, render: (row) => (row.id === one ? { content: 'first thought\n\nsecond thought' } : {}) });
    }],
    ['an absorbed uid (v31)', (store) => {
      const held = store.talk(id, 'boat', 6, ts);
      const one = store.message(id, { content: 'first thought', ts: ts + 300.5, uid: uid(1) });
      store.message(id, { content: 'second thought', ts: ts + 301.5, uid: uid(2) });
      store.compact(id, { rule: 'A', held: [...held, one], tail: 3, ts: ts + 400, render: (row) => (row.id === one ? { content: 'both thoughts', absorbed_message_uids: JSON.stringify([uid(2)]) } : {}) });
    }],
    ['an unpaired result dropped at the end of the tail', (store) => {
      const held = store.talk(id, 'boat', 6, ts);
      store.message(id, { role: 'tool', content: 'stray', toolCallId: 'call_x', ts: ts + 300.5 });
      store.compact(id, { rule: 'A', held, tail: 4, ts: ts + 400 });
    }],
    ['an unanswered call dropped at the end of the tail', (store) => {
      const held = store.talk(id, 'boat', 6, ts);
      store.message(id, { role: 'assistant', content: '', toolCalls: [{ id: 'call_x' }], ts: ts + 300.5 });
      store.compact(id, { rule: 'A', held, tail: 4, ts: ts + 400 });
    }],
    ['bookkeeping rows and empty ones', (store) => {
      const held = store.talk(id, 'boat', 6, ts);
      store.message(id, { role: 'session_meta', content: 'model switched', ts: ts + 300.5 });
      store.message(id, { role: 'system', content: 'note', ts: ts + 301.5 });
      store.message(id, { role: 'assistant', content: ' ', ts: ts + 302.5 });
      store.compact(id, { rule: 'A', held, tail: 4, ts: ts + 400 });
    }],
    ['rewound rows', (store) => {
      store.talk(id, 'boat', 6, ts);
      const taken = foreign(store, ts + 300);
      for (const row of taken) store.db.prepare('UPDATE messages SET active = 0 WHERE id = ?').run(row);
      store.db.prepare('UPDATE sessions SET rewind_count = 1').run();
      store.compact(id, { rule: 'A', held: store.activeIds(id), tail: 2, ts: ts + 400 });
    }],
    ['no carried tail: nothing is known', (store) => {
      const held = store.talk(id, 'boat', 6, ts);
      foreign(store, ts + 300);
      store.compact(id, { rule: 'A', held, tail: 0, ts: ts + 400 });
    }],
    ['a micro-compaction: head copies, marker, suffix', (store) => {
      const held = store.talk(id, 'boat', 6, ts);
      store.compact(id, { rule: 'A', held, head: 4, tail: 6, ts: ts + 400, summary: '[earlier tool output was folded]' });
    }],
    ['whole-second times and the same short words', (store) => {
      const held: number[] = [];
      for (let i = 0; i < 8; i++) held.push(store.message(id, { role: i % 2 ? 'assistant' : 'user', content: 'ok', ts: ts + i * 10 }));
      store.compact(id, { rule: 'A', held, tail: 4, ts: ts + 400 });
      store.message(id, { content: 'ok', ts: ts + 500 });
    }],
    ['two commits, the first carrier not recognisable', (store) => {
      store.compact(id, { rule: 'A', held: store.talk(id, 'boat', 6, ts), tail: 2, ts: ts + 400, summary: 'In short: boats.', flag: 0 });
      store.talk(id, 'later', 4, ts + 500);
      store.compact(id, { rule: 'A', held: store.activeIds(id), tail: 2, ts: ts + 900, summary: summaryOf('More.') });
    }],
    ['a prune that writes everything again', (store) => {
      store.compact(id, { rule: 'A', held: store.talk(id, 'boat', 6, ts), tail: 2, ts: ts + 400 });
      store.talk(id, 'later', 4, ts + 500);
      const live = store.activeIds(id);
      for (const row of live) store.db.prepare('UPDATE messages SET active = 0, compacted = 1 WHERE id = ?').run(row);
      for (const row of live) store.db.prepare('INSERT INTO messages (session_id, role, content, timestamp, _compressed_summary) SELECT session_id, role, content, timestamp, _compressed_summary FROM messages WHERE id = ?').run(row);
      store.talk(id, 'last', 1, ts + 800);
    }],
  ];
  it.each(cases)('%s', async (_name, build) => {
    expect(await scanStore(build)).toEqual([]);
  });

  it('a user who quotes a summary', async () => {
    const shape = { version: 16, without: ['_compressed_summary', 'message_uid', 'absorbed_message_uids'] };
    expect(await scanStore((store) => {
      store.compact(id, { rule: 'A', held: store.talk(id, 'boat', 6, ts), tail: 2, ts: ts + 400 });
      store.talk(id, 'later', 1, ts + 500);
      store.message(id, { content: summaryOf('what is this?'), ts: ts + 600.5 });
      store.message(id, { role: 'assistant', content: 'a summary', ts: ts + 601.5 });
    }, shape)).toEqual([]);
  });
});

describe('compaction/stranded-rows: where only timing speaks', () => {
  const line = (at: number, text: string): string => `${new Date(at * 1000).toISOString().replace('T', ' ').replace('.', ',').slice(0, 23)} INFO agent.conversation_compression: context compression ${text}\n`;
  const logged = (began: number, ended: number, session = id) => async (): Promise<Finding[]> => {
    const folder = join(temporaryFolder(), 'home');
    const store = hermesStore(folder);
    store.session({ id });
    const held = store.talk(id, 'boat', 6, ts);
    foreign(store, ts + 380);
    store.compact(id, { rule: 'A', held, tail: 0, ts: ts + 400 });
    store.recount();
    store.close();
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'logs', 'agent.log'), `noise\n${line(began, `started: session=${session} messages=12 tokens=~9,000`)}${line(ended, `done: session=${session} messages=12->1`)}`);
    return (await scanUntouched(folder, { check: ['compaction'] })).findings;
  };

  it('suspects rows that were written while the summary was made, whatever the zone of the log', async () => {
    for (const offset of [0, 3600, -7 * 3600, 5.5 * 3600]) {
      const [found, ...others] = await logged(ts + offset + 370, ts + offset + 401)();
      expect(others).toEqual([]);
      expect(found).toMatchObject({ severity: 'warning', confidence: 'suspect', evidence: { rows: [13, 14], carrier: 15, newestCarriedOriginal: null }, fix: { class: 'none' } });
    }
  });

  it('says nothing when they came before, when the log tells of another time, or of another session', async () => {
    expect(await logged(ts + 390, ts + 401)()).toEqual([]);
    expect(await logged(ts + 370 + 500, ts + 401 + 500)()).toEqual([]);
    expect(await logged(ts + 370, ts + 401, 'other')()).toEqual([]);
  });
});

describe('compaction/stranded-rows: random sessions under each archiving rule', () => {
  type Round = { rule: Rule; turns: number; tail: number; head: number; early: number; late: number; restamp: boolean; words: string };
  const round: fc.Arbitrary<Round> = fc.record({
    rule: fc.constantFrom<Rule[]>('A', 'B', 'C', 'D', 'E'),
    turns: fc.integer({ min: 3, max: 7 }),
    tail: fc.integer({ min: 1, max: 5 }),
    head: fc.integer({ min: 0, max: 2 }),
    early: fc.integer({ min: 0, max: 3 }),
    late: fc.integer({ min: 0, max: 2 }),
    restamp: fc.boolean(),
    words: fc.constantFrom('ok', 'boat', 'go on'),
  });
  it('finds the rows that were stranded by construction, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
        const expected: { carrier: number; rows: number[] }[] = [];
        const findings = await scanStore((store) => {
          let clock = startSeconds + 0.37;
          const turn = (words: string): number[] => [
            store.message(id, { role: 'user', content: words, ts: (clock += 7.13) }),
            store.message(id, { role: 'assistant', content: words, ts: (clock += 3.01) }),
          ];
          for (const { rule, turns, tail, head, early, late, restamp, words } of rounds) {
            for (let i = 0; i < turns; i++) turn(`${words} ${i % 3}`);
            const held = store.activeIds(id);
            const before = Array.from({ length: early }, (_, i) => turn(`early ${i}`)).flat();
            const watermark = store.activeIds(id).at(-1)!;
            const after = Array.from({ length: late }, (_, i) => turn(`late ${i}`)).flat();
            const stranded = rule === 'A' ? [...before, ...after] : rule === 'B' || rule === 'C' ? before : [];
            const { carrier } = store.compact(id, { rule, held, tail, head: Math.min(head, held.length - tail), watermark, restamp, ts: (clock += 20) });
            if (stranded.length > 0) expected.push({ carrier, rows: stranded });
          }
          turn('the end');
        });
        expect(findings.map(({ checkId, evidence }) => ({ checkId, carrier: evidence['carrier'], rows: evidence['rows'] }))).toEqual(expected.map(({ carrier, rows }) => ({ checkId: 'compaction/stranded-rows', carrier, rows })));
      }),
      { numRuns: 50 },
    );
  }, 120_000);
});

export type { StoredRow };
