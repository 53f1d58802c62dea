import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlan, rescanAs } from '../../src/commands/planning.ts';
import { applyPlan } from '../../src/journal/apply.ts';
import type { HermesStore } from '../helpers/hermes.ts';
import { hermesHome } from '../helpers/hermes-repair.ts';
import { hasRealStores, realStores, temporaryFolder } from '../helpers/paths.ts';
import { expectRepairCycle } from '../helpers/repair.ts';

const key = (chat: number): string => `agent:main:telegram:dm:${chat}`;
const mirror = (root: string): string => join(root, 'sessions', 'sessions.json');

function home(text: string | Buffer, build: (store: HermesStore) => void, more: { [name: string]: string } = {}): string {
  return hermesHome((store, folder) => {
    store.session({ id: 'a' });
    store.session({ id: 'b' });
    build(store);
    mkdirSync(join(folder, 'sessions'));
    writeFileSync(mirror(folder), text, { mode: 0o640 });
    for (const [name, content] of Object.entries(more)) writeFileSync(join(folder, 'sessions', name), content);
  });
}

function routeOf(store: HermesStore, scope: string, chat: number, session: string): void {
  store.db.prepare('INSERT INTO gateway_routing VALUES (?, ?, ?, 1)').run(scope, key(chat), JSON.stringify({ session_id: session }));
}

const repair = { check: 'index/corrupt', allow: 'judgement' } as const;

describe('rebuild-index (Hermes)', () => {
  it.skipIf(!hasRealStores)('writes the mirror of the labelled store as the gateway lays it out', async () => {
    const [step] = await expectRepairCycle(join(realStores, 'hermes-empty-index/store'), {
      ...repair,
      repaired: (root) => {
        const text = readFileSync(mirror(root), 'utf8');
        expect(Object.keys(JSON.parse(text))).toEqual([key(3131)]);
        expect(text.startsWith(`{\n  "${key(3131)}": {\n    "session_key": "${key(3131)}",\n    "session_id": "20260805_100000_5af8a0",\n    "created_at": "2026-08-05T10:00:00",`)).toBe(true);
        expect(text.endsWith('\n    "resume_pending": false\n  }\n}')).toBe(true);
        expect(existsSync(`${mirror(root)}.quarantined`)).toBe(false);
      },
    });
    expect(step).toMatchObject({ fix: 'rebuild-index', class: 'judgement' });
    expect(step?.alternatives.join()).toContain('start the gateway');
  });

  it('keeps the damaged bytes beside it, with the number tokens and the mode as they were', async () => {
    const damaged = Buffer.from([0x7b, 0x22, 0xff, 0x00]);
    await expectRepairCycle(
      home(damaged, (store) => {
        store.route(key(1), '{"session_id": "a", "cost": 1.0, "big": 12345678901234567890, "display_name": "é"}');
        store.route(key(2), { session_id: 'b' });
      }, { 'sessions.json.quarantined': 'older' }),
      {
        ...repair,
        repaired: (root) => {
          expect(readFileSync(mirror(root), 'utf8')).toBe(`{\n  "${key(1)}": {\n    "session_id": "a",\n    "cost": 1.0,\n    "big": 12345678901234567890,\n    "display_name": "\\u00e9"\n  },\n  "${key(2)}": {\n    "session_key": "${key(2)}",\n    "session_id": "b"\n  }\n}`);
          expect(statSync(mirror(root)).mode & 0o777).toBe(0o640);
          expect(readFileSync(`${mirror(root)}.quarantined-2`)).toEqual(damaged);
          expect(statSync(`${mirror(root)}.quarantined-2`).mode & 0o777).toBe(0o600);
          expect(readFileSync(`${mirror(root)}.quarantined`, 'utf8')).toBe('older');
        },
      },
    );
  });

  it('leaves out a row that is no JSON object, and says so', async () => {
    const [step] = await expectRepairCycle(home('', (store) => {
      store.route(key(1), { session_id: 'a' });
      store.route(key(2), '{"cut');
    }), { ...repair, repaired: (root) => expect(Object.keys(JSON.parse(readFileSync(mirror(root), 'utf8')))).toEqual([key(1)]) });
    expect(step?.consequences.join(' ')).toContain('1 row of the table holds no JSON object');
  });

  it('takes the routes of its own folder where several gateways share the table', async () => {
    const root = home('', () => {});
    const { default: Database } = await import('better-sqlite3');
    const db = new Database(join(root, 'state.db'));
    const put = db.prepare('INSERT INTO gateway_routing VALUES (?, ?, ?, 1)');
    put.run('/elsewhere/sessions', key(1), '{"session_id": "b"}');
    put.run(join(root, 'sessions'), key(1), '{"session_id": "a"}');
    db.close();
    const { plan } = await makePlan([root], { zone: 'UTC' }, []);
    expect(plan.steps.filter((step) => step.fix === 'rebuild-index').map((step) => step.actions)).toMatchObject([[{ kind: 'mirror-rows', where: { scope: join(root, 'sessions') }, keys: [key(1)], bytes: `{\n  "${key(1)}": {\n    "session_id": "a"\n  }\n}`.length }]]);
  });

  it('keeps names of chats and people out of the plan, and refuses rows that changed since', async () => {
    const root = home('{', (store) => store.route(key(1), { session_id: 'a', display_name: 'private name' }));
    const state = temporaryFolder();
    process.env.XDG_STATE_HOME = state;
    const { plan } = await makePlan([root], { zone: 'UTC' }, []);
    expect(plan.steps.map((step) => step.fix)).toContain('rebuild-index');
    expect(JSON.stringify(plan)).not.toContain('private name');
    for (const step of plan.steps) for (const action of step.actions) if (action.kind === 'mirror-rows') action.contentSha256 = '0'.repeat(64);
    const options = { journals: join(state, 'journals'), allowJudgement: true, steps: null, dryRun: false, waitMs: 0 };
    await expect(applyPlan(plan, JSON.stringify(plan), options, rescanAs(plan.scan, undefined))).rejects.toThrow('no longer what the plan saw');
    expect(readFileSync(mirror(root), 'utf8')).toBe('{');
  });

  it.each([
    ['routes of several gateways, none of this folder', (store: HermesStore) => { routeOf(store, '/one/sessions', 1, 'a'); routeOf(store, '/two/sessions', 2, 'b'); }],
    ['rows that are no JSON object', (store: HermesStore) => store.route(key(1), '[]')],
    ['no route at all', () => {}],
  ])('no step: %s', async (_name, build) => {
    const { plan } = await makePlan([home('{', build)], { zone: 'UTC' }, []);
    expect(plan.steps.filter((step) => step.fix === 'rebuild-index')).toEqual([]);
    const left = plan.left.filter((one) => one.checkId === 'index/corrupt');
    expect(left).toHaveLength(1);
    expect(left[0]?.alternatives.join()).toContain('start the gateway');
  });
});
