import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlan } from '../../src/commands/planning.ts';
import { compareByTime, compareIds } from '../../src/ids/index.ts';
import { loadSqlite, type SqliteDatabase } from '../../src/io/sqlite.ts';
import { buildStore, day, hour, minute, v1, wrap, type StoreBuilder } from '../helpers/opencode-store.ts';
import { hasRealStores, realStores, temporaryFolder } from '../helpers/paths.ts';
import { expectRepairCycle } from '../helpers/repair.ts';
import { untouched } from '../helpers/untouched.ts';

const now = Date.parse('2026-12-01T12:00:00Z');

type Row = { id: string; time: number; parent: string | null };

function rowsOf(db: SqliteDatabase, session: string): Row[] {
  return db.prepare<[string], Row>("SELECT id, time_created AS time, json_extract(data, '$.parentID') AS parent FROM message WHERE session_id = ?").all(session);
}

function inOrder(rows: readonly Row[]): boolean {
  const ids = [...rows].sort(compareByTime).map((row) => row.id);
  return ids.every((id, index) => index === 0 || compareIds(ids[index - 1] ?? '', id) < 0);
}

function inside<T>(path: string, work: (db: SqliteDatabase) => T): T {
  const db = new (loadSqlite())(path, { readonly: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** A built store in a folder of its own. */
function built(product: 'opencode' | 'mimocode', fill: (store: StoreBuilder) => void): string {
  const folder = temporaryFolder();
  const store = buildStore(join(folder, `${product}.db`), product);
  fill(store);
  store.close();
  return folder;
}

async function planned(folder: string, version?: string): Promise<Awaited<ReturnType<typeof makePlan>>['plan']> {
  const readers = version === undefined ? [] : [{ product: 'opencode' as const, version, source: 'option' as const }];
  const { plan } = await untouched(folder, () => makePlan([folder], { zone: 'UTC', now, readers }, []));
  return plan;
}

/** Ten messages before the wrap, a prompt after it. */
const straddle = (store: StoreBuilder): string => {
  const session = store.session(wrap - day);
  store.talk(session, wrap - day, 5, { logged: true });
  store.user(session, wrap + hour);
  return session;
};

describe.skipIf(!hasRealStores)('rekey-prewrap-ids on labelled stores (skipped where they do not lie beside the project)', () => {
  it('puts the wedged sessions in order; parts and parents stay linked, nothing is lost', async () => {
    const sessions = { ses_014749500ffemmpxRP7D4KFTMJ: 13, ses_0056f85d8ffeBClu4b1CdhvrSF: 10, ses_03952da6effe1tmlqhX4Y8xnQu: 8 };
    const steps = await expectRepairCycle(join(realStores, 'opencode-wedged/store'), {
      check: 'order/next-prompt-silent',
      allow: 'judgement',
      repaired: (folder) =>
        inside(join(folder, 'opencode.db'), (db) => {
          for (const session of Object.keys(sessions).slice(1)) {
            const rows = rowsOf(db, session);
            expect(rows).toHaveLength(sessions[session as keyof typeof sessions]);
            expect(inOrder(rows)).toBe(true);
            const ids = new Set(rows.map((row) => row.id));
            expect(rows.filter((row) => row.parent !== null && !ids.has(row.parent))).toEqual([]);
          }
          expect(db.prepare('SELECT count(*) FROM part WHERE message_id NOT IN (SELECT id FROM message)').pluck().get()).toBe(0);
        }),
    });
    expect(steps.map((step) => step.target).sort()).toEqual(Object.keys(sessions).slice(1).sort());
    const [wedged] = await expectRepairCycle(join(realStores, 'opencode-wedged/store'), { check: 'order/wedged-session', allow: 'judgement' });
    expect(wedged?.findings.map((finding) => finding.checkId).sort()).toEqual(['order/id-wrap-inversion', 'order/wedged-session']);
  });

  it('takes the undo point along', async () => {
    await expectRepairCycle(join(realStores, 'opencode-armed-revert/store'), {
      check: 'order/id-wrap-inversion',
      allow: 'judgement',
      repaired: (folder) =>
        inside(join(folder, 'opencode.db'), (db) => {
          const revert = db.prepare("SELECT json_extract(revert, '$.messageID') FROM session WHERE id = 'ses_01a08f729ffeWTJzTV0JExjSPA'").pluck().get();
          expect(rowsOf(db, 'ses_01a08f729ffeWTJzTV0JExjSPA').filter((row) => compareIds(row.id, String(revert)) >= 0)).toHaveLength(4);
        }),
    });
  });
});

describe('rekey-prewrap-ids', () => {
  it('follows every reference of MiMo-Code', async () => {
    const at = (index: number): string => v1(wrap - day + index * minute);
    const session = v1(wrap - day, 1, 'ses');
    const folder = built('mimocode', (store) => {
      straddle(store);
      store.db.exec('ALTER TABLE turn_receipt ADD COLUMN idempotency_key TEXT');
      store.db.exec('CREATE TABLE actor_registry(session_id TEXT, actor_id TEXT, context_watermark TEXT)');
      store.db.prepare('UPDATE session SET context_watermark = ?, last_checkpoint_message_id = ?').run(at(0), at(1));
      store.db.prepare("INSERT INTO external_import VALUES ('cc', 'k', ?, ?)").run(session, JSON.stringify([at(0), 'msg_other', at(2)]));
      store.db.prepare('INSERT INTO turn_receipt(id, session_id, agent_id, state, intent, message_id, time_created, time_updated, idempotency_key) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?)').run(`import-history:["cc","k","${at(0)}"]`, session, 'main', 'settled', JSON.stringify({ kind: 'prompt', messageID: at(0) }), at(0), `import-history:["cc","k","${at(0)}"]`);
      store.db.prepare('INSERT INTO actor_registry VALUES (?, ?, ?)').run(session, 'explore-1', at(3));
      store.part(at(1), session, wrap - day, { type: 'compaction', tail_start_id: at(0) });
      store.part(at(1), session, wrap - day, { type: 'checkpoint', coveredUpTo: at(2) });
    });
    const fresh = (index: number): string => `msg_${(2 * index + 1).toString(16).padStart(12, '0')}${at(index).slice(-14)}`;
    await expectRepairCycle(folder, {
      check: 'order/wedged-session',
      allow: 'judgement',
      repaired: (root) =>
        inside(join(root, 'mimocode.db'), (db) => {
          const one = (sql: string): unknown => db.prepare(sql).pluck().get();
          expect(inOrder(rowsOf(db, session))).toBe(true);
          expect([one('SELECT context_watermark FROM session'), one('SELECT last_checkpoint_message_id FROM session'), one('SELECT context_watermark FROM actor_registry')]).toEqual([fresh(0), fresh(1), fresh(3)]);
          expect(one('SELECT message_ids FROM external_import')).toBe(JSON.stringify([fresh(0), 'msg_other', fresh(2)]));
          expect(one('SELECT id FROM turn_receipt')).toBe(`import-history:["cc","k","${fresh(0)}"]`);
          expect(one('SELECT idempotency_key FROM turn_receipt')).toBe(`import-history:["cc","k","${fresh(0)}"]`);
          expect([one("SELECT json_extract(intent, '$.messageID') FROM turn_receipt"), one('SELECT message_id FROM turn_receipt')]).toEqual([fresh(0), fresh(0)]);
          expect(one("SELECT json_extract(data, '$.tail_start_id') FROM part WHERE json_extract(data, '$.type') = 'compaction'")).toBe(fresh(0));
          expect(one("SELECT json_extract(data, '$.coveredUpTo') FROM part WHERE json_extract(data, '$.type') = 'checkpoint'")).toBe(fresh(2));
          expect(one('SELECT count(*) FROM history_fts WHERE message_id NOT IN (SELECT id FROM message)')).toBe(0);
        }),
    });
  });

  it('mints part ids anew where one message has parts on both sides', async () => {
    let last = '';
    const folder = built('opencode', (store) => {
      const session = straddle(store);
      last = store.assistant(session, wrap - 5000, v1(wrap - day));
      for (const time of [wrap - 2000, wrap + 2000]) store.db.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run(v1(time, 1, 'prt'), last, session, time, time, JSON.stringify({ type: 'text', text: time < wrap ? 'second' : 'third' }));
    });
    await expectRepairCycle(folder, {
      check: 'order/wedged-session',
      allow: 'judgement',
      repaired: (root) =>
        inside(join(root, 'opencode.db'), (db) => {
          const texts = db.prepare("SELECT json_extract(p.data, '$.text') FROM part p JOIN message m ON m.id = p.message_id WHERE m.id LIKE ? ORDER BY p.id").pluck().all(`%${last.slice(-14)}`);
          expect(texts).toEqual(['words', 'second', 'third']);
        }),
    });
  });

  it('is not planned for a reader that orders by time, and the plan says why', async () => {
    const folder = built('opencode', straddle);
    const plan = await planned(folder, '1.18.31');
    expect(plan.steps).toEqual([]);
    expect(plan.left.map((left) => [left.checkId, left.reason.includes('orders by time')])).toEqual([
      ['order/id-wrap-inversion', true],
      ['order/wedged-session', true],
    ]);
  });

  it.each([
    ['an unknown column holds its ids', (store: StoreBuilder, session: string) => store.db.exec(`CREATE TABLE bookmark(session_id TEXT, target TEXT); INSERT INTO bookmark SELECT session_id, id FROM message WHERE session_id = '${session}'`), 'bookmark.target'],
    ['an unknown field of its rows does', (store: StoreBuilder) => store.db.exec("UPDATE message SET data = json_set(data, '$.replyTo', id)"), 'message.data.replyTo'],
    ['it belongs to a workspace', (store: StoreBuilder) => store.db.exec("ALTER TABLE session ADD COLUMN workspace_id TEXT; UPDATE session SET workspace_id = 'wrk_1'"), 'workspace'],
    ['another host owns its event log', (store: StoreBuilder) => store.db.exec("UPDATE event_sequence SET owner_id = 'host-2'"), 'another host'],
    ['an id before the wrap is opaque', (store: StoreBuilder, session: string) => store.user(session, wrap - hour, { id: 'msg_imported' }), 'msg_imported'],
    ['the schema is newer', (store: StoreBuilder) => store.db.exec("INSERT INTO migration VALUES ('20991231000000_unheard_of', 0)"), 'newer'],
  ])('is refused when %s', async (_name, change, word) => {
    const folder = built('opencode', (store) => void change(store, straddle(store)));
    const plan = await planned(folder);
    expect(plan.steps).toEqual([]);
    expect(plan.left.find((left) => left.checkId === 'order/id-wrap-inversion')?.reason).toContain(word);
    expect(plan.left.every((left) => left.alternatives.length > 0)).toBe(true);
  });

  it('leaves texts that mention an id as they are, and counts them', async () => {
    const folder = built('opencode', (store) => {
      const session = straddle(store);
      store.user(session, wrap + 2 * hour, { text: `see ${v1(wrap - day)} again` });
    });
    const [step] = await expectRepairCycle(folder, { check: 'order/wedged-session', allow: 'judgement' });
    expect(step?.consequences.filter((text) => text.includes('inside 1 text'))).toHaveLength(1);
  });

  it('a store-wide finding is settled as far as it can be, session by session', async () => {
    const folder = built('opencode', (store) => {
      store.talk(store.session(wrap - 3 * day), wrap - 3 * day, 2);
      const odd = store.session(wrap - 2 * day);
      store.talk(odd, wrap - 2 * day, 2);
      store.user(odd, wrap - 2 * day - hour, { id: 'msg_0imported' });
    });
    const plan = await planned(folder);
    expect(plan.steps.map((step) => [step.target, step.findings])).toEqual([[v1(wrap - 3 * day, 1, 'ses'), []]]);
    expect(plan.left.map((left) => [left.checkId, left.reason.includes('msg_0imported')])).toContainEqual(['order/next-prompt-silent', true]);
  });

  it('leaves a session alone in which a newer row of another program would still sort last, so that the others are settled', async () => {
    const folder = built('opencode', (store) => {
      store.talk(store.session(wrap - 3 * day), wrap - 3 * day, 2);
      const odd = store.session(wrap - 2 * day);
      store.talk(odd, wrap - 2 * day, 1);
      store.assistant(odd, wrap + hour, store.user(odd, wrap + hour - minute, { id: 'msg_Simported' }), { id: 'msg_Timported' });
    });
    const plan = await planned(folder);
    expect(plan.steps.map((step) => [step.target, step.findings])).toEqual([[v1(wrap - 3 * day, 1, 'ses'), []]]);
    expect(plan.left.map((left) => [left.checkId, left.reason.includes('imported keeps its id')])).toContainEqual(['order/next-prompt-silent', true]);
  });
});
