import { closeSync, copyFileSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { scan } from '../../src/checks/scan.ts';
import { fileHolders } from '../../src/io/processes.ts';
import { discover } from '../../src/stores/discover.ts';
import { liveHolders } from '../../src/stores/holders.ts';
import { buildStore, hour, wrap } from '../helpers/opencode-store.ts';
import { talk, writeAgentDatabase } from '../helpers/agent-database.ts';
import { temporaryFolder } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

const now = wrap + 48 * hour;

/** A database two of whose four messages are in its WAL alone, as a killed program leaves it. */
function hotDatabase(folder: string): string {
  mkdirSync(folder);
  const building = join(folder, 'building.db');
  const store = buildStore(building);
  store.talk(store.session(wrap + hour), wrap + hour, 1);
  store.close();
  const db = new Database(building);
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 0');
  db.exec(`INSERT INTO message SELECT id || 'x', session_id, time_created + 60000, time_updated, data FROM message`);
  const path = join(folder, 'opencode.db');
  copyFileSync(building, path);
  copyFileSync(`${building}-wal`, `${path}-wal`);
  db.close();
  return path;
}

describe('stores behind links', () => {
  it('a linked database is read with the WAL that lies beside the file itself', async () => {
    const root = temporaryFolder();
    const real = hotDatabase(join(root, 'disk'));
    mkdirSync(join(root, 'data'));
    symlinkSync(real, join(root, 'data/opencode.db'));
    const read = async (path: string): Promise<number[]> => (await untouched(root, () => scan([path], { now }))).stores.map((store) => store.recordsRead);
    const [whole = 0] = await read(real);
    expect(whole).toBeGreaterThanOrEqual(4);
    expect(await read(join(root, 'data'))).toEqual([whole]);
    expect(await read(join(root, 'data/opencode.db'))).toEqual([whole]);
  });

  it('a store that is named twice, once through a link, is one store', () => {
    const root = temporaryFolder();
    const real = hotDatabase(join(root, 'disk'));
    symlinkSync(join(root, 'disk'), join(root, 'link'));
    const { stores } = discover([join(root, 'link'), real, join(root, 'disk')]);
    expect(stores.filter((store) => store.label === 'opencode.db')).toHaveLength(1);
  });

  it.skipIf(process.platform !== 'linux')('who has a file open is seen through a link (skipped where there is no /proc)', async () => {
    const root = temporaryFolder();
    const real = hotDatabase(join(root, 'disk'));
    symlinkSync(join(root, 'disk'), join(root, 'link'));
    const linked = join(root, 'link/opencode.db');
    const [ref] = discover([linked]).stores;
    if (!ref) throw new Error('no store was found');
    expect(await liveHolders(ref, now, null)).toEqual([]);
    const fd = openSync(`${real}-wal`, 'r');
    const child = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
    try {
      expect(fileHolders([`${linked}-wal`])).toEqual([{ pid: child.pid, command: 'sleep', path: `${linked}-wal` }]);
      expect(await liveHolders(ref, now, null)).toEqual([`process ${child.pid} (sleep) has opencode.db-wal open`]);
    } finally {
      closeSync(fd);
      child.kill();
    }
  });

  it('a file beside an agent database stands for that session of the database; a link may have another name', async () => {
    const state = temporaryFolder();
    const database = join(state, 'agents/main/agent/openclaw-agent.sqlite');
    const sessions = ['11111111-2222-4333-8444-555555555555', '22222222-2222-4333-8444-555555555555'];
    writeAgentDatabase(database, sessions.map((sessionId, chat) => ({ sessionId, sessionKey: `agent:main:telegram:direct:${chat}`, createdAt: wrap, events: talk(sessionId, wrap, 2) })));
    mkdirSync(join(state, 'agents/main/sessions'));
    for (const sessionId of sessions) {
      const rows = [...talk(sessionId, wrap, 2), { type: 'message', id: 'ffff0001', parentId: null, timestamp: '2026-09-10T09:00:00.000Z', message: { role: 'user', content: 'late' } }];
      writeFileSync(join(state, `agents/main/sessions/${sessionId}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    }
    const leftover = join(state, `agents/main/sessions/${sessions[1]}.jsonl`);
    symlinkSync(database, join(state, 'link.db'));
    const found = async (paths: string[]): Promise<{ stores: string[]; sessions: (string | null)[] }> => {
      const result = await untouched(state, () => scan(paths, { now, check: ['migration'] }));
      return { stores: result.stores.map((store) => store.path), sessions: result.findings.map((finding) => finding.session) };
    };
    expect(await found([leftover])).toEqual({ stores: [database], sessions: [sessions[1]] });
    expect(await found([leftover, state])).toEqual({ stores: [database], sessions });
    expect(await found([join(state, 'link.db')])).toEqual({ stores: [database], sessions });
  });
});
