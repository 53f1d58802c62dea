import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lostBySession } from '../../../src/checks/shared/lost.ts';
import { discover, openStore } from '../../../src/stores/discover.ts';
import type { SurvivingMessage } from '../../../src/stores/opencode/types.ts';
import { buildStore, day, v1, wrap, type StoreBuilder } from '../../helpers/opencode-store.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { untouched } from '../../helpers/untouched.ts';

const base = wrap + 20 * day;

async function survivorsOf(product: 'opencode' | 'mimocode', fill: (store: StoreBuilder, folder: string) => void): Promise<SurvivingMessage[]> {
  const folder = temporaryFolder();
  const store = buildStore(join(folder, `${product}.db`), product);
  fill(store, folder);
  store.close();
  return untouched(folder, async () => {
    const opened = await openStore(discover([folder]).stores[0]!, { snapshotDir: null, inPlace: false, deep: false, now: base });
    if (opened.product !== 'opencode' && opened.product !== 'mimocode') throw new Error(opened.product);
    const found = lostBySession(opened.snapshot).flatMap(({ sessionId, messages }) => [...opened.snapshot.survivors(sessionId, new Set(messages.map((message) => message.messageId)))]);
    opened.snapshot.close();
    return found;
  });
}

function remove(store: StoreBuilder, id: string): void {
  store.db.prepare('DELETE FROM part WHERE message_id = ?').run(id);
  store.db.prepare('DELETE FROM message WHERE id = ?').run(id);
}

describe('what survives of lost messages', () => {
  it('reads bodies from the search index', async () => {
    const found = await survivorsOf('mimocode', (store) => {
      const session = store.session(base);
      const lost = store.user(session, base, { text: 'where is the ferry' });
      store.talk(session, base + 1000, 1);
      remove(store, lost);
    });
    expect(found).toMatchObject([{ source: 'history_fts', messageId: v1(base), role: 'user', time: base, data: null, parts: [{ kind: 'user_text', text: 'where is the ferry' }] }]);
  });

  it('reads the last snapshot of message and parts from the event log', async () => {
    const found = await survivorsOf('opencode', (store) => {
      const session = store.session(base);
      const lost = store.assistant(session, base, 'msg_p', { logged: true });
      for (const text of ['first', 'last']) store.event(session, 'message.part.updated.1', { sessionID: session, part: { id: 'prt_1', messageID: lost, type: 'text', text } });
      store.event(session, 'message.part.updated.1', '{broken');
      store.talk(session, base + 1000, 1, { logged: true });
      remove(store, lost);
    });
    expect(found).toMatchObject([{ source: 'event', role: 'assistant', time: base, data: { role: 'assistant', parentID: 'msg_p' }, place: 'event 0', parts: [{ partId: 'prt_1', kind: 'text', text: 'last', place: 'event 2' }] }]);
  });

  it('reads the JSON files, and no path that an id could lead to', async () => {
    const found = await survivorsOf('opencode', (store, folder) => {
      const session = store.session(base);
      store.talk(session, base + 1000, 1);
      const write = (path: string, value: unknown): void => {
        mkdirSync(join(folder, 'storage', path, '..'), { recursive: true });
        writeFileSync(join(folder, 'storage', path), JSON.stringify(value));
      };
      write(`session/p1/${session}.json`, {});
      write(`message/${session}/${v1(base)}.json`, { role: 'user', time: { created: base } });
      write(`part/${v1(base)}/prt_9.json`, { type: 'text', text: 'from a file' });
    });
    expect(found).toMatchObject([{ source: 'json', role: 'user', time: base, parts: [{ partId: 'prt_9', text: 'from a file' }] }]);
  });
});
