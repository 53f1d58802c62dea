import { describe, expect, it } from 'vitest';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { snapshotDatabase } from '../../../src/io/sqlite-snapshot.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { untouched } from '../../helpers/untouched.ts';

function healthy(path: string): void {
  const db = new Database(path);
  db.exec('PRAGMA page_size = 4096; CREATE TABLE t(a TEXT); ');
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  for (let i = 0; i < 100; i++) insert.run('x'.repeat(500));
  db.close();
}

describe('damage of a database file', () => {
  const cases: [string, (path: string) => void, string | null][] = [
    ['healthy', () => {}, null],
    ['zero bytes', (path) => truncateSync(path, 0), 'zeroed'],
    ['a header of zeros', (path) => writeFileSync(path, Buffer.alloc(8192)), 'zeroed'],
    ['another format', (path) => writeFileSync(path, Buffer.alloc(8192, 'x')), 'header'],
    ['cut short', (path) => truncateSync(path, 8192), 'short'],
    ['shorter than a header', (path) => truncateSync(path, 50), 'short'],
  ];
  it.each(cases)('%s', async (_name, damage, kind) => {
    const folder = temporaryFolder();
    const path = join(folder, 'x.db');
    healthy(path);
    damage(path);
    await untouched(folder, async () => {
      const snapshot = await snapshotDatabase(path, { snapshotDir: null, inPlace: false });
      expect(snapshot.facts.damage?.kind ?? null).toBe(kind);
      expect(snapshot.db === null).toBe(kind !== null);
      snapshot.close();
    });
  });
});
