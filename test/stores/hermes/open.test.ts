import { chmodSync, copyFileSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discover } from '../../../src/stores/discover.ts';
import type { SessionDigest } from '../../../src/stores/hermes/types.ts';
import { openHermes } from '../../../src/stores/hermes/open.ts';
import { hermesStore, startSeconds as ts } from '../../helpers/hermes.ts';
import { hermesHome } from '../../helpers/hermes-repair.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const talk = (store: ReturnType<typeof hermesStore>): void => {
  store.session({ id: 'a' });
  store.talk('a', 'boat', 3, ts);
};
const open = (folder: string) => {
  const [ref] = discover([folder]).stores;
  return openHermes(ref!, { snapshotDir: null, inPlace: false, deep: false, now: ts * 1000 });
};

describe('where a Hermes store is', () => {
  it('is found by its home, its database, its WAL, its sessions folder and its files, and by its profiles', () => {
    const home = hermesHome(talk);
    mkdirSync(join(home, 'sessions'));
    writeFileSync(join(home, 'sessions', 'sessions.json'), '{}');
    writeFileSync(join(home, 'state.db-wal'), '');
    const profile = join(home, 'profiles', 'work');
    hermesStore(profile).close();
    const found = (path: string): string[] => discover([path]).stores.map((ref) => ref.label);
    expect(found(home)).toEqual(['profiles/work/state.db', 'state.db']);
    expect(found(join(home, 'profiles'))).toEqual(['profiles/work/state.db']);
    for (const name of ['state.db', 'state.db-wal', 'sessions', 'sessions/sessions.json']) expect(found(join(home, name))).toContain('state.db');
    copyFileSync(join(home, 'state.db'), join(home, 'backup-of-monday.sqlite'));
    expect(found(join(home, 'backup-of-monday.sqlite'))).toEqual(['backup-of-monday.sqlite']);
  });

  it('is found by the variable, else below the home folder', () => {
    const home = hermesHome(talk);
    expect(discover([], { env: { HERMES_HOME: home }, home: temporaryFolder() }).stores.map((ref) => ref.product)).toEqual(['hermes']);
    const user = temporaryFolder();
    renameSync(home, join(user, '.hermes'));
    expect(discover([], { env: {}, home: user }).stores.map((ref) => ref.path)).toEqual([join(user, '.hermes', 'state.db')]);
  });
});

describe('a hostile Hermes store', () => {
  const cases: [string, (folder: string) => void, { checks?: string[]; error?: RegExp }][] = [
    ['no byte in the database', (folder) => truncateSync(join(folder, 'state.db'), 0), { checks: ['db/corrupt'] }],
    ['a header of zeros', (folder) => writeFileSync(join(folder, 'state.db'), Buffer.alloc(8192)), { checks: ['db/corrupt'] }],
    ['not a database', (folder) => writeFileSync(join(folder, 'state.db'), 'x'.repeat(8192)), { checks: ['db/corrupt'] }],
    ['a WAL without its database', (folder) => renameSync(join(folder, 'state.db'), join(folder, 'state.db-wal')), { error: /-wal/ }],
    ['another program\'s tables', (folder) => {
      const other = join(temporaryFolder(), 'other');
      const store = hermesStore(other);
      store.db.exec('DROP TABLE messages; DROP TABLE sessions');
      store.close();
      copyFileSync(join(other, 'state.db'), join(folder, 'state.db'));
    }, { error: /without the tables/ }],
    ['a sessions.json that is a folder', (folder) => mkdirSync(join(folder, 'sessions', 'sessions.json'), { recursive: true }), { checks: [] }],
    ['a link as sibling that leads out', (folder) => symlinkSync('/etc', join(folder, 'state.db.retired-wal-20260805-090000-1')), { checks: [] }],
  ];
  it.each(cases)('%s', async (_name, harm, { checks, error }) => {
    const folder = hermesHome(talk);
    harm(folder);
    const result = await scanUntouched(folder);
    expect(result.errors.map((one) => one.message).join('\n')).toMatch(error ?? /^$/);
    expect(result.findings.map((finding) => finding.checkId)).toEqual(checks ?? []);
  });

  it('a schema that SQLite refuses', async () => {
    const folder = hermesHome((store) => {
      talk(store);
      store.db.unsafeMode(true);
      store.db.exec("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE sessions (' WHERE name = 'state_meta'");
    });
    const result = await scanUntouched(folder);
    expect(result.findings.map((finding) => [finding.checkId, finding.evidence['kind']])).toEqual([['db/corrupt', 'schema']]);
  });

  it.skipIf(process.getuid?.() === 0)('a database that may not be read (skipped for root, who may read all)', async () => {
    const folder = hermesHome(talk);
    chmodSync(join(folder, 'state.db'), 0);
    const { errors } = await scanUntouched(folder);
    expect(errors[0]?.message).toContain('may not be read');
  });
});

describe('what a Hermes store answers', () => {
  const shapes = [
    ['schema 6', { version: 6, without: ['active', 'compacted', '_compressed_summary', 'message_uid', 'absorbed_message_uids', 'platform_message_id', 'display_metadata', 'codex_reasoning_items'] }],
    ['schema 13', { version: 13, without: ['compacted', '_compressed_summary', 'message_uid', 'absorbed_message_uids'] }],
    ['schema 21', { version: 21, without: ['message_uid', 'absorbed_message_uids'] }],
    ['schema 31', { version: 31 }],
  ] as const;
  it.each(shapes)('%s: rows in id order, whatever columns there are', async (_name, shape) => {
    const folder = hermesHome((store) => {
      store.session({ id: 'a' });
      store.session({ id: 'b' });
      for (let i = 0; i < 50; i++) store.message(i % 3 === 0 ? 'a' : 'b', { content: `row ${i}`, ts: ts - i });
    }, { shape });
    const snapshot = await open(folder);
    const ids: [string, number[]][] = [];
    for (const { session, messages } of snapshot.digests() as Iterable<SessionDigest>) ids.push([session.id, Array.from(messages.ids.subarray(0, messages.count))]);
    expect(ids).toEqual([['a', Array.from({ length: 17 }, (_, i) => i * 3 + 1)], ['b', Array.from({ length: 33 }, (_, i) => Math.floor(i / 2) * 3 + (i % 2) + 2)]]);
    snapshot.close();
  });

  it('the activity of a session is the same whether its rows were read or only asked for', async () => {
    const build = (store: ReturnType<typeof hermesStore>): void => {
      talk(store);
      store.message('a', { role: 'session_meta', ts: ts + 9000 });
      store.message('a', { ts: 5e246 });
      store.message('a', { ts: 'yesterday' });
      store.message('a', { ts: ts + 700.5, active: 0 });
    };
    const folder = hermesHome(build);
    const asked = await open(folder);
    const read = await open(folder);
    const digests = read.digests()[Symbol.iterator]();
    expect(digests.next().done).toBe(false);
    expect(asked.activity('a')).toEqual(read.activity('a'));
    expect(asked.activity('a')).toMatchObject({ messages: 8, lastMessageAt: Math.round((ts + 127.11) * 1000), lastUserAt: Math.round((ts + 123.9) * 1000) });
    expect(asked.activity('gone')).toMatchObject({ messages: 0, lastMessageAt: null });
    asked.close();
    read.close();
  });

  it('a store without an index on the session is read all the same', async () => {
    const folder = hermesHome((store) => {
      talk(store);
      store.db.exec('DROP INDEX idx_messages_session');
    });
    const result = await scanUntouched(folder);
    expect([result.errors, result.findings, result.stores[0]?.recordsRead]).toEqual([[], [], 6]);
  });
});
