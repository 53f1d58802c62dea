import { closeSync, openSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { day, v1, wrap, buildStore, type StoreBuilder } from '../../helpers/opencode-store.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const id = 'db/unfinished-turn';
const open = { data: { finish: undefined, time: { created: wrap } } };

function cutOff(store: StoreBuilder): void {
  const session = store.session(wrap);
  const prompt = store.user(session, wrap);
  const reply = store.assistant(session, wrap + 5, prompt, open);
  store.part(reply, session, wrap + 6, { type: 'tool', tool: 'bash', callID: 'c1', state: { status: 'running', input: {} } });
  store.talk(session, wrap + day, 2);
}

describe(id, () => {
  it('finds a reply without an end and its running tool, also in the middle of a session', async () => {
    expect(await findingsOf(id, 'opencode', cutOff)).toMatchObject([
      { severity: 'info', session: v1(wrap, 1, 'ses'), evidence: { rows: [v1(wrap + 5)], replies: 1, toolCalls: 1, newestTime: '2026-08-14T11:19:55.141Z' }, fix: { id: 'abort-unanswered-call' } },
    ]);
  });

  const innocent: [string, 'opencode' | 'mimocode', number, (store: StoreBuilder) => void][] = [
    ['a turn of less than an hour ago', 'opencode', wrap + 1_800_000, (store) => store.assistant(store.session(wrap), wrap, null, open)],
    ['finished replies and tools', 'opencode', wrap + day, (store) => store.talk(store.session(wrap), wrap, 2)],
    ['a reply that ended with an error', 'opencode', wrap + day, (store) => store.assistant(store.session(wrap), wrap, null, { data: { finish: undefined, time: { created: wrap }, error: { name: 'MessageAbortedError' } } })],
    [
      'pending tools of an imported session',
      'mimocode',
      wrap + day,
      (store) => {
        const session = store.session(wrap);
        const reply = store.assistant(session, wrap, null);
        store.part(reply, session, wrap, { type: 'tool', callID: 'c', state: { status: 'pending' } }, 'tool_input', false);
        store.db.prepare("INSERT INTO external_import VALUES ('cc', 'k', ?, '[]')").run(session);
      },
    ],
  ];
  it.each(innocent)('says nothing about %s', async (_name, product, now, fill) => {
    expect(await findingsOf(id, product, fill, { now })).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('says nothing while another process has the database open (only /proc tells)', async () => {
    const path = join(temporaryFolder(), 'opencode.db');
    const store = buildStore(path);
    cutOff(store);
    store.close();
    const fd = openSync(path, 'r');
    const holder = spawn('sleep', ['60'], { stdio: [fd, 'ignore', 'ignore'] });
    closeSync(fd);
    onTestFinished(() => void holder.kill());
    expect((await scanUntouched(path, { check: [id] })).findings).toEqual([]);
  });
});
