import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativeModuleError } from '../../src/io/native-module.ts';
import { projectRoot, sampleData } from '../helpers/paths.ts';

/** The installed program with another better-sqlite3, or none; what it says of a database and of transcripts. */
const folder = mkdtempSync(join(tmpdir(), 'sessionfsck-test-'));
const installed = join(folder, 'lib/node_modules/sessionfsck');
const dependency = join(installed, 'node_modules/better-sqlite3');

function run(store: string): { code: number | null; text: string } {
  const done = spawnSync(process.execPath, [join(installed, 'bin/sessionfsck.js'), 'scan', join(sampleData, store, 'store'), '--zone', 'UTC', '--no-config'], { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  return { code: done.status, text: `${done.stdout}${done.stderr}`.replaceAll(/\s+/g, ' ') };
}

describe('without the native module', () => {
  beforeAll(() => {
    for (const name of ['bin', 'dist', 'package.json']) cpSync(join(projectRoot, name), join(installed, name), { recursive: true });
    mkdirSync(join(installed, 'node_modules'));
    const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
    for (const name of Object.keys(dependencies)) symlinkSync(join(projectRoot, 'node_modules', name), join(installed, 'node_modules', name));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('says that npm left it out, and still reads transcripts', () => {
    const said = run('opencode-wrap');
    expect(said.code).toBe(2);
    expect(said.text).toContain('better-sqlite3 is not installed: npm leaves it out');
    expect(said.text).toContain('--allow-scripts=better-sqlite3');
    const transcripts = run('openclaw-night');
    expect(transcripts.code).toBe(1);
    expect(transcripts.text).toContain('watermark/orphaned');
  });

  it('says that it was not built', () => {
    mkdirSync(dependency);
    writeFileSync(join(dependency, 'index.js'), "module.exports = class { constructor() { throw new Error('Could not locate the bindings file. Tried:\\n → /x/build/better_sqlite3.node'); } };");
    const said = run('opencode-wrap');
    expect(said.code).toBe(2);
    expect(said.text).toContain('was not built: its install script did not run');
    expect(said.text).toContain(`cd ${installed} && npm rebuild better-sqlite3`);
  });

  it('says for which Node it was built', () => {
    writeFileSync(join(dependency, 'index.js'), "module.exports = class { constructor() { throw new Error(\"The module '/x.node'\\nwas compiled against a different Node.js version using\\nNODE_MODULE_VERSION 1. This version of Node.js requires\\nNODE_MODULE_VERSION 2. Please\"); } };");
    const said = run('opencode-wrap');
    expect(said.code).toBe(2);
    expect(said.text).toContain(`was built for another Node (module version 1; Node ${process.version} has 2)`);
    expect(said.text).toContain('npm rebuild better-sqlite3');
  });

  it('does not look like a scan that found something when it is not installed whole', () => {
    rmSync(join(installed, 'node_modules/commander'));
    const said = run('openclaw-night');
    expect(said.code).toBe(2);
    expect(said.text).toContain('sessionfsck cannot start');
    expect(said.text).toContain('install it again');
  });

  it('quotes a folder for the shell, and keeps any other reason', () => {
    const error = nativeModuleError(new Error('x: cannot open\nshared object'), "/a b/it's");
    expect(error.message).toContain('cannot be loaded: x: cannot open shared object');
    expect(error.hint).toContain(`cd '/a b/it'\\''s' && npm rebuild better-sqlite3`);
  });
});
