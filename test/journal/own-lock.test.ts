import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sha256Of } from '../../src/io/splice.ts';
import { temporaryFolder } from '../helpers/paths.ts';

const built = fileURLToPath(new URL('../../dist/journal/own-lock.js', import.meta.url));
const store = '/a/store';

/** Runs that wait for one moment, take the lock and keep it until their input ends; `held` or `refused` each. */
async function race(state: string, runs: number): Promise<string[]> {
  const start = Date.now() + 1500;
  const script = `
    const { lockStore } = await import(${JSON.stringify(built)});
    while (Date.now() < ${start});
    let free = null;
    try { free = lockStore(${JSON.stringify(store)}); process.stdout.write('held'); }
    catch (error) { process.stdout.write(error.exitCode === 3 ? 'refused' : String(error)); }
    process.stdin.resume().on('end', () => free?.());
  `;
  const children = Array.from({ length: runs }, () => spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, XDG_STATE_HOME: state } }));
  const said = await Promise.all(children.map((child) => new Promise<string>((resolve) => child.stdout.once('data', (data: Buffer) => resolve(data.toString())))));
  const ended = Promise.all(children.map((child) => new Promise((resolve) => child.once('close', resolve))));
  for (const child of children) child.stdin.end();
  await ended;
  return said.sort();
}

describe('runs that want one store at the same moment', () => {
  it.each([
    ['a free store', null],
    ['a lock that a dead process left', JSON.stringify({ pid: 2 ** 30, starttime: 1, store })],
    ['a lock that was cut off', '{"pid"'],
  ])('%s: one holds it, the others are refused, and no file stays', { timeout: 60_000 }, async (_name, left) => {
    const state = temporaryFolder();
    const locks = join(state, 'sessionfsck', 'locks');
    if (left !== null) {
      mkdirSync(locks, { recursive: true, mode: 0o700 });
      writeFileSync(join(locks, `${sha256Of(store).slice(0, 24)}.lock`), left);
    }
    expect(await race(state, 4)).toEqual(['held', 'refused', 'refused', 'refused']);
    expect(readdirSync(locks)).toEqual([]);
  });
});
