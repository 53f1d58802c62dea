import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { inspectWal } from '../../src/io/wal.ts';
import { temporaryFolder } from '../helpers/paths.ts';

/** Pages of the database that `walOf` made last. */
let pageCount = 0;

/** The bytes of a WAL of `commits` commits, as SQLite writes it. */
function walOf(commits: number, pageSize = 4096): Buffer {
  const path = join(temporaryFolder(), 'a.db');
  const db = new Database(path);
  db.pragma(`page_size = ${pageSize}`);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE t (a)');
  for (let i = 1; i < commits; i++) db.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(100));
  pageCount = Number(db.pragma('page_count', { simple: true }));
  const bytes = readFileSync(`${path}-wal`);
  db.close();
  return bytes;
}

function inspect(bytes: Buffer): ReturnType<typeof inspectWal> {
  const path = join(temporaryFolder(), 'x-wal');
  writeFileSync(path, bytes);
  return inspectWal(path);
}

describe('inspectWal', () => {
  it.each([[1, 4096], [40, 4096], [3, 512], [5, 65536]])('%i commits in pages of %i bytes: every frame is read', (commits, pageSize) => {
    const bytes = walOf(commits, pageSize);
    const frames = (bytes.length - 32) / (24 + pageSize);
    expect(inspect(bytes)).toMatchObject({ pageSize, frames, committed: frames, pageCount, problem: null, cut: null });
  });

  it('reads up to the frame that is cut or changed', () => {
    const bytes = walOf(10);
    const frames = (bytes.length - 32) / 4120;
    expect(inspect(bytes.subarray(0, bytes.length - 100))).toMatchObject({ frames, committed: frames - 1, problem: null, cut: `it ends inside of frame ${frames}` });
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(32 + 4120 * 5 + 1000) ^ 1, 32 + 4120 * 5 + 1000);
    expect(inspect(changed)).toMatchObject({ committed: 5, cut: 'the checksum of frame 6 does not hold' });
  });

  it('takes frames of an earlier round for what they are', () => {
    const path = join(temporaryFolder(), 'a.db');
    const db = new Database(path);
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)');
    db.pragma('wal_checkpoint(PASSIVE)');
    db.exec('INSERT INTO t VALUES (3)');
    const facts = inspectWal(`${path}-wal`);
    db.close();
    expect(facts.frames).toBeGreaterThan(1);
    expect(facts).toMatchObject({ committed: 1, problem: null, cut: null });
  });

  it.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
    ['no bytes', () => Buffer.alloc(0), /0 bytes/],
    ['half a header', (bytes) => bytes.subarray(0, 20), /20 bytes/],
    ['garbage', (bytes) => Buffer.alloc(bytes.length, 'garbage'), /first bytes/],
    ['zeros', (bytes) => Buffer.alloc(bytes.length), /first bytes/],
    ['a changed header', (bytes) => Buffer.concat([bytes.subarray(0, 12), Buffer.from([9, 9, 9, 9]), bytes.subarray(16)]), /checksum of its header/],
    ['a header only', (bytes) => bytes.subarray(0, 32), /no frame/],
    ['frames under other salts', (bytes) => Buffer.concat([walOf(2).subarray(0, 32), bytes.subarray(32)]), /salts/],
  ])('%s: nothing of it is read, and it says why', (_name, change, wanted) => {
    const facts = inspect(change(walOf(5)));
    expect(facts.committed).toBe(0);
    expect(facts.problem).toMatch(wanted);
  });

  it('tells frames that were never committed', () => {
    const path = join(temporaryFolder(), 'a.db');
    const db = new Database(path);
    db.pragma('journal_mode = WAL');
    db.pragma('cache_size = 2');
    db.exec('CREATE TABLE t (a)');
    const { frames: before } = inspectWal(`${path}-wal`);
    db.exec('BEGIN');
    for (let i = 0; i < 400; i++) db.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(1000));
    const facts = inspectWal(`${path}-wal`);
    db.exec('ROLLBACK');
    db.close();
    expect(facts.frames).toBeGreaterThan(before);
    expect(facts).toMatchObject({ committed: before, problem: null, cut: `its last ${facts.frames - before} frames were never committed` });
  });
});
