import { chmodSync, copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { ScanResult } from '../../../src/model/finding.ts';
import { buildStore, day, hour, minute, v1, wrap, type StoreBuilder } from '../../helpers/opencode-store.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

function write(path: string, fill: (store: StoreBuilder) => void, product: 'opencode' | 'mimocode' = 'opencode'): void {
  const store = buildStore(path, product);
  fill(store);
  store.close();
}

const brief = (result: ScanResult): string[] => result.findings.map((finding) => `${finding.checkId} ${finding.severity}`);

/** A store whose rows partly lie in the WAL only; with or without the -shm that a live process has. */
function live(folder: string): { path: string; db: Database.Database } {
  const path = join(folder, 'opencode.db');
  write(path, (store) => store.talk(store.session(wrap + day), wrap + day, 2));
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 0');
  db.prepare('INSERT INTO message SELECT ?, session_id, ?, ?, data FROM message LIMIT 1').run(v1(wrap + 2 * day), wrap + 2 * day, wrap + 2 * day);
  return { path, db };
}

describe('databases that are hard to read', () => {
  it('counts rows that only the WAL holds, with its process alive', async () => {
    const folder = temporaryFolder();
    const { db } = live(folder);
    const result = await scanUntouched(folder);
    db.close();
    expect(result.stores).toMatchObject([{ recordsRead: 5, unchanged: true, readAs: 'snapshot' }]);
    expect(result.findings).toEqual([]);
  });

  it('counts them when the process is gone and the -shm too', async () => {
    const folder = temporaryFolder();
    const { path, db } = live(temporaryFolder());
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, join(folder, `opencode.db${suffix}`));
    db.close();
    const result = await scanUntouched(folder);
    expect(result.stores).toMatchObject([{ recordsRead: 5 }]);
    expect(brief(result)).toEqual([]);
  });

  it('reads a database that is locked exclusively', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'opencode.db');
    write(path, (store) => store.talk(store.session(wrap + day), wrap + day, 2));
    const holder = new Database(path);
    holder.exec('BEGIN EXCLUSIVE');
    const result = await scanUntouched(folder);
    holder.exec('ROLLBACK');
    holder.close();
    expect(result).toMatchObject({ errors: [], stores: [{ recordsRead: 4 }] });
  });

  it.each([
    ['no bytes', (path: string) => truncateSync(path, 0)],
    ['zeros', (path: string) => writeFileSync(path, Buffer.alloc(20_000))],
    ['something encrypted', (path: string) => writeFileSync(path, Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7919 + 31) % 251)))],
    ['half of it', (path: string) => truncateSync(path, 12_288)],
    ['pages overwritten behind the header', (path: string) => writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, 100), Buffer.alloc(readFileSync(path).length - 100, 0xa5)]))],
  ])('is one db/corrupt for %s, and the other checks are skipped', async (_name, damage) => {
    const folder = temporaryFolder();
    const path = join(folder, 'opencode.db');
    write(path, (store) => store.talk(store.session(wrap - day), wrap - day, 20));
    damage(path);
    const result = await scanUntouched(folder);
    expect({ findings: brief(result), errors: result.errors }).toEqual({ findings: ['db/corrupt error'], errors: [] });
    expect(result.checksSkipped.length).toBeGreaterThan(5);
  });

  it('asks integrity_check with --deep', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'opencode.db');
    write(path, (store) => store.talk(store.session(wrap + day), wrap + day, 2));
    const db = new Database(path);
    db.unsafeMode(true);
    db.pragma('writable_schema = ON');
    db.exec("DELETE FROM sqlite_master WHERE name = 'part_session_idx'");
    db.close();
    expect(brief(await scanUntouched(folder, { check: ['db/corrupt'] }))).toEqual([]);
    expect(brief(await scanUntouched(folder, { check: ['db/corrupt'], deep: true }))).toEqual(['db/corrupt error']);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('is unreadable, not damaged, when permission is missing (skipped for root)', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'opencode.db');
    write(path, (store) => store.session(wrap));
    chmodSync(path, 0);
    const result = await scanUntouched(folder);
    chmodSync(path, 0o600);
    expect(result.findings).toEqual([]);
    expect(result.errors).toHaveLength(1);
  });

  it('reads a database without any table, and one with session alone', async () => {
    const folder = temporaryFolder();
    const db = new Database(join(folder, 'opencode.db'));
    db.exec('CREATE TABLE session(id TEXT PRIMARY KEY); CREATE TABLE project(id TEXT); INSERT INTO session VALUES (NULL), (x\'00ff\'), (7)');
    db.close();
    expect(await scanUntouched(folder)).toMatchObject({ errors: [], findings: [{ checkId: 'db/unknown-schema' }], stores: [{ sessions: 3 }], checksSkipped: expect.arrayContaining([expect.objectContaining({ checkId: 'order/wedged-session' })]) });
    rmSync(join(folder, 'opencode.db'));
    const empty = new Database(join(folder, 'opencode.db'));
    empty.exec('CREATE TABLE t(a); DROP TABLE t');
    empty.close();
    expect(await scanUntouched(folder)).toMatchObject({ errors: [], stores: [{ sessions: 0, recordsRead: 0 }] });
  });
});

describe('rows that are hard to read', () => {
  it.each(['opencode', 'mimocode'] as const)('takes ids of any string, times that no calendar holds, and data that is not JSON (%s)', async (product) => {
    const folder = temporaryFolder();
    write(join(folder, `${product}.db`), (store) => {
      const session = store.session(-1, { id: 'ses_\u0000\u001b[2J\n"%s', revert: '{"messageID":42}' });
      const times = [0, -1, -(2 ** 53), 2 ** 53, Date.UTC(9999, 11, 31), 8.64e15 + 1, wrap - 1, wrap];
      const ids = ['msg_\n', 'msg_', '', 'msg_\u{1F600}', 'msg_￿', 'msg_ffffffffffffffffffffffffff', `msg_${'z'.repeat(5000)}`, 'msg_\u0000'];
      for (const [index, id] of ids.entries()) store.user(session, times[index] ?? 0, { id, raw: ['{', '', '[]', 'null', '"x"', '{"role":7}', '{"role":"assistant","finish":{},"parentID":[]}', '\u0000'][index] });
    }, product);
    const result = await scanUntouched(folder, { deep: true });
    expect(result.errors).toEqual([]);
    expect(JSON.stringify(result.findings)).not.toContain('Invalid Date');
    expect(brief(result)).toContain('db/invalid-json error');
  });

  it('survives columns of other types: blobs, numbers and NULL where ids and times belong', async () => {
    const folder = temporaryFolder();
    write(join(folder, 'opencode.db'), (store) => {
      store.session(wrap, { id: 'ses_1' });
      store.db.exec("INSERT INTO message VALUES (x'ff00', 'ses_1', 'yesterday', 0, x'00'), (5, 'ses_1', 1.5, 0, '7'), (NULL, 'ses_1', x'01', 0, '{}')");
      store.db.exec("INSERT INTO part VALUES (NULL, x'ff00', 'ses_1', 0, 0, '{}'), ('prt_1', 'msg_none', x'00', 'x', 'y', 'z')");
    });
    const result = await scanUntouched(folder);
    expect(result.errors).toEqual([]);
  });

  it('reads a session of 100 000 messages on both sides of a wrap', { timeout: 120_000 }, async () => {
    const folder = temporaryFolder();
    write(join(folder, 'opencode.db'), (store) => {
      const session = store.session(wrap - 40 * day);
      const insert = store.db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)');
      for (let i = 0; i < 100_000; i++) {
        const time = wrap - 34 * day + i * 30_000;
        insert.run(v1(time, i % 4), session, time, time, i % 2 === 0 ? '{"role":"user"}' : `{"role":"assistant","finish":"stop","time":{"completed":${time}}}`);
      }
      store.user(session, wrap + 2 * day + hour + minute);
    });
    const result = await scanUntouched(folder, { check: ['order'] });
    expect(result.findings).toEqual(expect.arrayContaining([expect.objectContaining({ checkId: 'order/id-wrap-inversion', evidence: expect.objectContaining({ messages: 100_001 }) })]));
  });
});

it('counts the files of the JSON layout and names what is not JSON', async () => {
  const { mkdirSync } = await import('node:fs');
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'storage/session/p1'), { recursive: true });
  mkdirSync(join(folder, 'storage/message/ses_1'), { recursive: true });
  writeFileSync(join(folder, 'storage/session/p1/ses_1.json'), '{"version":"1.1.0"}');
  writeFileSync(join(folder, 'storage/message/ses_1/msg_1.json'), '{"role":"user"}');
  writeFileSync(join(folder, 'storage/message/ses_1/msg_2.json'), '{"role":');
  const result = await scanUntouched(folder);
  expect(result.stores).toMatchObject([{ layout: 'json', reader: 'opencode@1.1.0', sessions: 1, recordsRead: 2, recordsRejected: 1 }]);
  expect(result.findings).toMatchObject([{ checkId: 'db/invalid-json', session: 'ses_1', evidence: { rows: ['msg_2.json'] } }]);
});
