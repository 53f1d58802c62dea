import { fork, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { snapshotDatabase } from '../../src/io/sqlite-snapshot.ts';
import { projectRoot, sampleData, temporaryFolder } from '../helpers/paths.ts';

/** Two tables that each transaction changes together: a copy that is no single moment shows different sums. */
const writer = `
const { createRequire } = require('node:module');
const Database = createRequire(process.argv[2])('better-sqlite3');
const db = new Database(process.argv[3]);
db.pragma('journal_mode = WAL');
db.pragma('wal_autocheckpoint = ' + process.argv[4]);
const a = db.prepare('INSERT INTO a VALUES (?)');
const b = db.prepare('UPDATE b SET n = n + 1, filler = ?');
const both = db.transaction(() => { a.run('x'.repeat(3000)); b.run('y'.repeat(Math.floor(Math.random() * 5000))); });
setInterval(() => { for (let i = 0; i < 3; i++) both(); }, 3);
process.send('writing');
`;

describe('a private copy of a database that is being written', () => {
  it.each([
    ['while its WAL only grows', 1_000_000],
    ['with checkpoints now and then', 400],
  ])('%s is one moment of it, at the first attempts', { timeout: 120_000 }, async (_name, checkpoint) => {
    const folder = temporaryFolder();
    const path = join(folder, 'x.db');
    const db = new Database(path);
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE a(x TEXT); CREATE TABLE b(n INTEGER, filler TEXT); INSERT INTO b VALUES (0, NULL)');
    db.close();
    const script = join(folder, 'writer.cjs');
    writeFileSync(script, writer);
    const child = fork(script, [join(projectRoot, 'package.json'), path, String(checkpoint)]);
    await new Promise((resolve) => child.once('message', resolve));
    try {
      const seen: number[] = [];
      for (let i = 0; i < 25; i++) {
        const snapshot = await snapshotDatabase(path, { snapshotDir: null, inPlace: false });
        const rows = snapshot.db?.prepare('SELECT count(*) FROM a').pluck().get();
        const counted = snapshot.db?.prepare('SELECT n FROM b').pluck().get();
        const whole = snapshot.db?.pragma('integrity_check', { simple: true });
        snapshot.close();
        expect({ counted, whole }).toEqual({ counted: rows, whole: 'ok' });
        seen.push(Number(rows));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(seen.at(-1)).toBeGreaterThan(seen[0] ?? Infinity);
      expect(seen.toSorted((x, y) => x - y)).toEqual(seen);
    } finally {
      child.kill();
    }
  });
});

describe('a private copy of a read-only database', () => {
  it.skipIf(process.getuid?.() !== 0 || !existsSync('/usr/bin/setpriv'))('can be opened by a user who may only read the original (needs root to become one; skipped elsewhere)', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const store = join(folder, 'store');
    cpSync(join(sampleData, 'openclaw-migrated/store'), store, { recursive: true });
    const copies = join(folder, 'copies');
    mkdirSync(copies);
    chmodSync(copies, 0o777);
    spawnSync('/bin/chmod', ['-R', 'a+rX,a-w', store]);
    const run = spawnSync('/usr/bin/setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, join(projectRoot, 'bin/sessionfsck.js'), 'scan', store, '--json', '--no-config', '--snapshot-dir', copies], { encoding: 'utf8' });
    expect({ status: run.status, errors: (JSON.parse(run.stdout) as { errors: unknown[] }).errors }).toEqual({ status: 1, errors: [] });
    expect(readdirSync(copies)).toEqual([]);
  });
});
