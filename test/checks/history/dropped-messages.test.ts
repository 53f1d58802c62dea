import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../helpers/opencode-cases.ts';
import { buildStore, day, hour, minute, v1, v2, wrap, type StoreBuilder } from '../../helpers/opencode-store.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const id = 'history/dropped-messages';
const base = wrap + 20 * day;

function remove(store: StoreBuilder, ...ids: string[]): void {
  for (const message of ids) {
    store.db.prepare('DELETE FROM part WHERE message_id = ?').run(message);
    store.db.prepare('DELETE FROM message WHERE id = ?').run(message);
  }
}

/** Four rows of an hour ago, written by an import at `at`. Returns the ids of the session. */
function importedRows(store: StoreBuilder, session: string, at: number): string[] {
  for (let i = 0; i < 4; i++) {
    const message = store.user(session, base - hour + i * minute, { id: v1(at, i + 1) });
    store.part(message, session, base - hour + i * minute, { type: 'text', text: 'told before' }, 'user_text');
  }
  return store.db.prepare<[string], string>('SELECT id FROM message WHERE session_id = ? ORDER BY id').pluck().all(session);
}

describe(`${id}, search index`, () => {
  it('counts messages, index rows and what is left; certain when the gap ends at a wrap', async () => {
    const findings = await findingsOf(id, 'mimocode', (store) => {
      const session = store.session(wrap - day);
      const ids = store.talk(session, wrap - day, 3);
      store.part(ids[1] ?? '', session, wrap - day + 4001, { type: 'tool', state: { status: 'completed' } }, 'tool_input');
      store.talk(session, wrap + hour, 2);
      remove(store, ...ids);
    });
    expect(findings).toMatchObject([
      { severity: 'error', confidence: 'certain', evidence: { droppedMessages: 6, messagesLeft: 4, ftsRows: 7, firstTime: '2026-08-13T11:19:55.136Z', lastTime: '2026-08-13T11:21:59.136Z' } },
    ]);
  });

  it('is a suspicion when an undo could explain it, and likely when the beginning is gone', async () => {
    const gone = (from: number, to: number) => (store: StoreBuilder) => {
      const session = store.session(base);
      remove(store, ...store.talk(session, base, 6).slice(from, to));
    };
    expect(await findingsOf(id, 'mimocode', gone(4, 8))).toMatchObject([{ severity: 'warning', confidence: 'suspect', evidence: { droppedMessages: 4 } }]);
    expect(await findingsOf(id, 'mimocode', gone(0, 4))).toMatchObject([{ severity: 'error', confidence: 'likely' }]);
  });

  it('counts what was said in an imported session after the import', async () => {
    const findings = await findingsOf(id, 'mimocode', (store) => {
      const session = store.session(base);
      store.db.prepare('INSERT INTO external_import VALUES (?, ?, ?, ?)').run('cc', 'k', session, JSON.stringify(importedRows(store, session, base)));
      remove(store, ...store.talk(session, base + hour, 2));
    });
    expect(findings).toMatchObject([{ evidence: { droppedMessages: 4, messagesLeft: 4 } }]);
  });

  const innocent: [string, (store: StoreBuilder) => void][] = [
    ['a whole index', (store) => store.talk(store.session(base), base, 3)],
    [
      'a session that its user deleted',
      (store) => {
        const session = store.session(base);
        remove(store, ...store.talk(session, base, 2));
        store.db.prepare('DELETE FROM session WHERE id = ?').run(session);
      },
    ],
    [
      'an import that was done again: the rows of the first time, with ids of that time, were replaced',
      (store) => {
        const session = store.session(base);
        importedRows(store, session, base + day);
        store.db.prepare('INSERT INTO external_import VALUES (?, ?, ?, ?)').run('cc', 'k', session, JSON.stringify(importedRows(store, session, base + 2 * day).slice(4)));
        store.db.exec(`DELETE FROM part WHERE message_id IN (SELECT id FROM message WHERE id < '${v1(base + 2 * day, 0)}'); DELETE FROM message WHERE id < '${v1(base + 2 * day, 0)}'`);
      },
    ],
    [
      're-keyed rows, whose index rows kept the old ids',
      (store) => {
        const session = store.session(wrap - day);
        for (const [index, old] of store.talk(session, wrap - day, 2).entries()) store.db.prepare('UPDATE message SET id = ? WHERE id = ?').run(`msg_00000000000${index + 1}${old.slice(-14)}`, old);
      },
    ],
    [
      'rows converted to v2 ids',
      (store) => {
        const session = store.session(base);
        for (const old of store.talk(session, base, 2)) store.db.prepare('UPDATE message SET id = ? WHERE id = ?').run(v2(base).slice(0, 21) + old.slice(-9), old);
      },
    ],
  ];
  it.each(innocent)('says nothing about %s', async (_name, fill) => {
    expect(await findingsOf(id, 'mimocode', fill)).toEqual([]);
  });
});

/** Sets an undo point, logs it, removes rows as the cleanup does, and clears it. */
function undo(store: StoreBuilder, session: string, point: string, removed: string[]): void {
  store.event(session, 'session.updated.1', { info: { id: session, revert: { messageID: point } } });
  for (const messageID of removed) store.event(session, 'message.removed.1', { sessionID: session, messageID });
  remove(store, ...removed);
  store.event(session, 'session.updated.1', { info: { id: session } });
}

describe(`${id}, event log`, () => {
  it('finds the rows that a cleanup by id removed from before the undo point', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => {
      const session = store.session(wrap - day);
      const before = store.talk(session, wrap - day, 3, { logged: true });
      const after = store.talk(session, wrap + hour, 3, { logged: true });
      undo(store, session, after[2] ?? '', [...before, ...after.slice(2)]);
    });
    expect(findings).toMatchObject([{ severity: 'error', confidence: 'certain', evidence: { droppedMessages: 6, messagesLeft: 2, events: 6, ftsRows: 0, firstTime: '2026-08-13T11:19:55.136Z' } }]);
  });

  it('finds rows that vanished without any removal', async () => {
    const findings = await findingsOf(id, 'opencode', (store) => {
      const session = store.session(base);
      remove(store, store.talk(session, base, 3, { logged: true })[2] ?? '');
    });
    expect(findings).toMatchObject([{ confidence: 'certain', evidence: { droppedMessages: 1, messages: [v1(base + minute)] } }]);
  });

  const innocent: [string, (store: StoreBuilder) => void][] = [
    ['a whole log', (store) => store.talk(store.session(base), base, 3, { logged: true })],
    [
      'an undo that removed what lies after its point',
      (store) => {
        const session = store.session(base);
        const ids = store.talk(session, base, 3, { logged: true });
        undo(store, session, ids[2] ?? '', ids.slice(2));
        store.talk(session, base + hour, 1, { logged: true });
      },
    ],
    [
      'a message that its user removed',
      (store) => {
        const session = store.session(base);
        const [, second = ''] = store.talk(session, base, 3, { logged: true });
        store.event(session, 'message.removed.1', { sessionID: session, messageID: second });
        remove(store, second);
      },
    ],
    ['events whose data is not JSON', (store) => {
      const session = store.session(base);
      store.talk(session, base, 1, { logged: true });
      store.db.prepare("UPDATE event SET data = '{' || data").run();
    }],
  ];
  it.each(innocent)('says nothing about %s', async (_name, fill) => {
    expect(await findingsOf(id, 'opencode', fill)).toEqual([]);
  });
});

describe(`${id}, JSON files of before 1.2.0`, () => {
  async function withFiles(fill: (store: StoreBuilder, file: (path: string, value: unknown) => void) => void) {
    const folder = temporaryFolder();
    const store = buildStore(join(folder, 'opencode.db'));
    fill(store, (path, value) => {
      const full = join(folder, 'storage', path);
      mkdirSync(join(full, '..'), { recursive: true });
      writeFileSync(full, JSON.stringify(value));
    });
    store.close();
    return (await scanUntouched(folder, { check: [id] })).findings;
  }

  it('finds a message of a session that exists', async () => {
    const findings = await withFiles((store, file) => {
      const session = store.session(base);
      const [first = ''] = store.talk(session, base + hour, 1);
      file(`project/p1.json`, {});
      file(`session/p1/${session}.json`, {});
      file(`message/${session}/${first}.json`, { time: { created: base + hour } });
      file(`message/${session}/${v1(base)}.json`, { time: { created: base } });
    });
    expect(findings).toMatchObject([{ confidence: 'likely', evidence: { droppedMessages: 1, files: 1, firstTime: '2026-09-03T11:19:55.136Z' } }]);
  });

  it('finds a session that the importer skipped because its project file is missing, and leaves a deleted one alone', async () => {
    const findings = await withFiles((_store, file) => {
      file(`session/p9/ses_skipped.json`, {});
      file(`message/ses_skipped/${v1(base)}.json`, { time: { created: base } });
      file(`project/p1.json`, {});
      file(`session/p1/ses_deleted.json`, {});
      file(`message/ses_deleted/${v1(base + 1)}.json`, { time: { created: base } });
    });
    expect(findings).toMatchObject([{ session: 'ses_skipped', evidence: { droppedMessages: 1, messagesLeft: 0 } }]);
  });
});
