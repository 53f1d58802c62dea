import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlan } from '../../../src/commands/planning.ts';
import { loadSqlite } from '../../../src/io/sqlite.ts';
import { buildStore, day, wrap, type StoreBuilder } from '../../helpers/opencode-store.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { expectRepairCycle } from '../../helpers/repair.ts';

const begun = wrap + day;
const open = { data: { finish: undefined, time: { created: begun + 5 } } };

function built(product: 'opencode' | 'mimocode', fill: (store: StoreBuilder, reply: string, session: string) => void): string {
  const folder = temporaryFolder();
  const store = buildStore(join(folder, `${product}.db`), product);
  const session = store.session(begun);
  const reply = store.assistant(session, begun + 5, store.user(session, begun), open);
  fill(store, reply, session);
  store.close();
  return folder;
}

const states: [string, { [key: string]: unknown }, { [key: string]: unknown }][] = [
  ['running', { status: 'running', input: { command: 'ls' }, metadata: { output: 'a' }, time: { start: begun + 6 } }, { status: 'error', input: { command: 'ls' }, metadata: { output: 'a', interrupted: true }, time: { start: begun + 6, end: begun + 7 }, error: 'Tool execution aborted' }],
  ['running without metadata', { status: 'running', input: {}, time: { start: begun + 6 } }, { status: 'error', input: {}, metadata: { interrupted: true }, time: { start: begun + 6, end: begun + 7 }, error: 'Tool execution aborted' }],
  ['pending', { status: 'pending', input: {}, raw: '' }, { status: 'error', input: {}, raw: '', metadata: { interrupted: true }, time: { start: begun + 7, end: begun + 7 }, error: 'Tool execution aborted' }],
];

describe('abort-unanswered-call in opencode and MiMo-Code', () => {
  it.each(states)('gives a %s tool the shape that the product writes, and its reply an end', async (_name, before, after) => {
    for (const product of ['opencode', 'mimocode'] as const) {
      const folder = built(product, (store, reply, session) => store.part(reply, session, begun + 7, { type: 'tool', tool: 'bash', callID: 'c1', state: before }));
      const steps = await expectRepairCycle(folder, {
        check: 'db/unfinished-turn',
        allow: 'judgement',
        repaired: (root) => {
          const db = new (loadSqlite())(join(root, `${product}.db`), { readonly: true });
          expect(JSON.parse(String(db.prepare("SELECT json_extract(data, '$.state') FROM part WHERE json_extract(data, '$.type') = 'tool'").pluck().get()))).toEqual(after);
          const reply: unknown = JSON.parse(String(db.prepare("SELECT data FROM message WHERE json_extract(data, '$.role') = 'assistant'").pluck().get()));
          expect(reply).toMatchObject({ time: { created: begun + 5, completed: begun + 5 }, error: { name: 'MessageAbortedError' } });
          db.close();
        },
      });
      expect(steps).toHaveLength(1);
    }
  });

  it('leaves a part alone whose shape no build writes', async () => {
    const folder = built('opencode', (store, reply, session) => store.part(reply, session, begun + 7, { type: 'tool', callID: 'c1', state: { status: 'running', input: {}, time: { start: 1, end: 2 } } }));
    const { plan } = await makePlan([folder], { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z'), check: ['db'] }, []);
    expect([plan.steps, plan.left.map((left) => left.reason.includes('prt_'))]).toEqual([[], [true]]);
  });
});
