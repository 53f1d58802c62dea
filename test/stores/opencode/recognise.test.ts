import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { discover } from '../../../src/stores/discover.ts';
import { defaultPaths } from '../../../src/stores/opencode/places.ts';
import { mimocodeFamily, opencodeFamily } from '../../../src/stores/opencode/product.ts';
import { buildStore } from '../../helpers/opencode-store.ts';
import { temporaryFolder } from '../../helpers/paths.ts';
import { untouched } from '../../helpers/untouched.ts';

function database(path: string, product: 'opencode' | 'mimocode' = 'opencode'): void {
  mkdirSync(join(path, '..'), { recursive: true });
  buildStore(path, product).close();
}

function sql(path: string, statements: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  const db = new Database(path);
  db.exec(statements);
  db.close();
}

const goSchema = 'CREATE TABLE sessions(id TEXT); CREATE TABLE messages(id TEXT); CREATE TABLE files(id TEXT); CREATE TABLE goose_db_version(id INTEGER)';

async function found(root: string, ...words: string[]): Promise<{ stores: string[]; errors: string[] }> {
  return untouched(root, () => {
    const { stores, errors } = discover([join(root, ...words)]);
    return { stores: stores.map((store) => `${store.product} ${store.layout} ${store.path.slice(root.length + 1)}`), errors: errors.map((error) => error.message) };
  });
}

describe('recognising', () => {
  it('takes every channel of a data folder, each database as one store', async () => {
    const root = temporaryFolder();
    for (const name of ['opencode.db', 'opencode-dev.db', 'opencode-my_branch.x.db']) database(join(root, name));
    database(join(root, 'mimocode.db'), 'mimocode');
    sql(join(root, 'cache.db'), 'CREATE TABLE t(a)');
    expect(await found(root)).toEqual({ stores: ['mimocode sqlite mimocode.db', 'opencode sqlite opencode-dev.db', 'opencode sqlite opencode-my_branch.x.db', 'opencode sqlite opencode.db'], errors: [] });
  });

  it('goes by the tables, whatever the name', async () => {
    const root = temporaryFolder();
    database(join(root, 'backup of monday.sqlite'), 'mimocode');
    database(join(root, 'x/renamed.db'));
    expect(await found(root, 'backup of monday.sqlite')).toEqual({ stores: ['mimocode sqlite backup of monday.sqlite'], errors: [] });
    expect(await found(root, 'x')).toEqual({ stores: ['opencode sqlite x/renamed.db'], errors: [] });
  });

  it('finds the data folder from a home, from its parent, and from an inner folder', async () => {
    const root = temporaryFolder();
    database(join(root, '.local/share/opencode/opencode.db'));
    database(join(root, 'mimo/data/mimocode.db'), 'mimocode');
    mkdirSync(join(root, '.local/share/opencode/storage/session_diff'), { recursive: true });
    const wanted = { stores: ['opencode sqlite .local/share/opencode/opencode.db'], errors: [] };
    for (const words of [[''], ['.local/share'], ['.local/share/opencode'], ['.local/share/opencode/storage/session_diff'], ['.local/share/opencode/opencode.db']]) expect(await found(root, ...words)).toEqual(wanted);
    expect(await found(root, 'mimo')).toEqual({ stores: ['mimocode sqlite mimo/data/mimocode.db'], errors: [] });
  });

  it('keeps damaged files that have the name, so that the damage is reported', async () => {
    const root = temporaryFolder();
    for (const [name, bytes] of [['opencode.db', Buffer.alloc(0)], ['opencode-dev.db', Buffer.alloc(9000)], ['mimocode.db', Buffer.alloc(9000, 'x')]] as const) writeFileSync(join(root, name), bytes);
    expect((await found(root)).stores).toEqual(['mimocode sqlite mimocode.db', 'opencode sqlite opencode-dev.db', 'opencode sqlite opencode.db']);
  });

  it('says of the older Go program and of unrelated databases that they are not ours', async () => {
    const root = temporaryFolder();
    sql(join(root, 'old/opencode.db'), goSchema);
    sql(join(root, 'other/opencode.db'), 'CREATE TABLE t(a)');
    sql(join(root, 'any.db'), 'CREATE TABLE t(a)');
    for (const words of [['old/opencode.db'], ['old']]) {
      const result = await found(root, ...words);
      expect(result.stores).toEqual([]);
      expect(result.errors).toEqual([expect.stringContaining('older Go program')]);
    }
    expect(await found(root, 'other/opencode.db')).toEqual({ stores: [], errors: [expect.stringContaining("another program's")] });
    expect((await found(root, 'any.db')).errors).toEqual([expect.stringContaining('is a file of 8192 bytes')]);
  });

  it('takes the JSON layout alone for a store, and beside a database for none', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'a/storage/session/p1'), { recursive: true });
    mkdirSync(join(root, 'a/storage/message/ses_1'), { recursive: true });
    writeFileSync(join(root, 'a/storage/session/p1/ses_1.json'), '{"version":"1.1.0"}');
    writeFileSync(join(root, 'a/storage/message/ses_1/msg_1.json'), '{"role":"user"}');
    expect(await found(root, 'a')).toEqual({ stores: ['opencode json a/storage'], errors: [] });
    database(join(root, 'a/opencode.db'));
    expect(await found(root, 'a')).toEqual({ stores: ['opencode sqlite a/opencode.db'], errors: [] });
    mkdirSync(join(root, 'b/storage/session_diff'), { recursive: true });
    expect((await found(root, 'b')).stores).toEqual([]);
  });
});

describe('default places', () => {
  const home = '/home/u';
  it.each([
    ['opencode', opencodeFamily, {}, ['/home/u/.local/share/opencode', '/home/u/Library/Application Support/opencode']],
    ['opencode with XDG and APPDATA', opencodeFamily, { XDG_DATA_HOME: '/x', APPDATA: '/appdata' }, ['/x/opencode', '/home/u/.local/share/opencode', '/appdata/opencode', '/home/u/Library/Application Support/opencode']],
    ['a database relative to the data folder', opencodeFamily, { OPENCODE_DB: 'o.db', XDG_DATA_HOME: '/x' }, ['/x/opencode/o.db', '/x/opencode', '/home/u/.local/share/opencode', '/home/u/Library/Application Support/opencode']],
    ['a database in memory', opencodeFamily, { OPENCODE_DB: ':memory:' }, ['/home/u/.local/share/opencode', '/home/u/Library/Application Support/opencode']],
    ['MIMOCODE_HOME', mimocodeFamily, { MIMOCODE_HOME: '/m', MIMOCODE_DB: '/d/any.db' }, ['/d/any.db', '/m/data', '/home/u/.local/share/mimocode', '/home/u/Library/Application Support/mimocode']],
    ['a MIMOCODE_HOME that is not absolute', mimocodeFamily, { MIMOCODE_HOME: 'm' }, ['/home/u/.local/share/mimocode', '/home/u/Library/Application Support/mimocode']],
  ] as const)('%s', (_name, family, env, wanted) => {
    expect(defaultPaths(family, { env, home })).toEqual(wanted);
  });
});
