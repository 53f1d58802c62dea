import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildStore, wrap } from '../../helpers/opencode-store.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { scanUntouched } from '../../helpers/untouched.ts';

const id = 'db/oversized-wal';

async function withWal(bytes: number): Promise<unknown[]> {
  const path = join(temporaryFolder(), 'opencode.db');
  const store = buildStore(path);
  store.talk(store.session(wrap), wrap, 1);
  store.close();
  // Without a WAL's magic SQLite passes over the content; only the size matters here.
  writeFileSync(`${path}-wal`, '');
  truncateSync(`${path}-wal`, bytes);
  return (await scanUntouched(path, { check: [id] })).findings;
}

describe(id, () => {
  it('finds a log over 64 MiB and over twice the database', async () => {
    expect(await withWal(65 * 1024 * 1024)).toMatchObject([{ severity: 'info', session: null, evidence: { walBytes: 65 * 1024 * 1024 } }]);
  });

  it('says nothing about a smaller one', async () => {
    expect(await withWal(63 * 1024 * 1024)).toEqual([]);
  });
});
