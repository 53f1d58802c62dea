import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { hermesStore, type HermesStore, type StoreShape } from './hermes.ts';
import { temporaryFolder } from './paths.ts';

const driver = createRequire(import.meta.url).resolve('better-sqlite3');

/** A home whose database has been checkpointed, in WAL mode, without anything in its log. */
export function walHome(build: (store: HermesStore) => void, shape: StoreShape = {}): string {
  const home = join(temporaryFolder(), 'home');
  const store = hermesStore(home, shape);
  build(store);
  store.recount();
  store.db.pragma('journal_mode = WAL');
  store.close();
  return home;
}

/** Runs statements in a process of its own that is killed before it can checkpoint: they stay in `state.db-wal`. */
export function writeAndDie(home: string, sql: readonly string[], statements = ''): void {
  const script = `const D = require(${JSON.stringify(driver)}); const db = new D(${JSON.stringify(join(home, 'state.db'))});
    db.pragma('journal_mode = WAL'); db.pragma('wal_autocheckpoint = 0'); db.pragma('foreign_keys = OFF');
    for (const one of ${JSON.stringify(sql)}) db.exec(one);
    ${statements}
    process.kill(process.pid, 'SIGKILL');`;
  const run = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect({ signal: run.signal, stderr: run.stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
  expect(existsSync(join(home, 'state.db-wal'))).toBe(true);
}

export const message = (session: string, content: string, timestamp: number, uid: string | null = null, role = 'user'): string =>
  `INSERT INTO messages (session_id, role, content, timestamp, message_uid) VALUES ('${session}', '${role}', '${content}', ${timestamp}, ${uid === null ? 'NULL' : `'${uid}'`})`;

const recorded = (path: string): { file: string; bytes: number; sha256: string } => {
  const bytes = readFileSync(path);
  return { file: basename(path), bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
};

/**
 * Takes the log away from the database into a capture, as Hermes does when the log of a writer was replaced under it: the log,
 * the main image (or its first 100 bytes), a manifest.
 */
export function retireWal(home: string, options: { image?: 'copied' | 'header' | 'none'; name?: string; manifest?: boolean } = {}): string {
  const { image = 'copied', name = 'state.db.retired-wal-20260901-072448-4242', manifest = true } = options;
  const capture = join(home, name);
  mkdirSync(capture);
  renameSync(join(home, 'state.db-wal'), join(capture, 'state.db-wal'));
  rmSync(join(home, 'state.db-shm'), { force: true });
  if (image === 'copied') cpSync(join(home, 'state.db'), join(capture, 'state.db'));
  if (image === 'header') writeFileSync(join(capture, 'state.db.header'), readFileSync(join(home, 'state.db')).subarray(0, 100));
  if (manifest) {
    const main = image === 'copied' ? { mode: 'copied', ...recorded(join(capture, 'state.db')) } : { mode: 'header_only', bytes: 100 };
    writeFileSync(join(capture, 'manifest.json'), JSON.stringify({ version: 1, trigger: 'halt', pid: 4242, wal: recorded(join(capture, 'state.db-wal')), main }));
  }
  return capture;
}
