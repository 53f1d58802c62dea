import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RefusedError, UnreadableError } from '../../src/model/errors.ts';
import { takeRunLock } from '../../src/io/run-lock.ts';
import { processStartTicks } from '../../src/io/processes.ts';
import { temporaryFolder } from '../helpers/paths.ts';

describe('the lock of a run', () => {
  it('refuses a second run while the first lives, and names it', () => {
    const path = join(temporaryFolder(), 'a/b/audit.lock');
    const release = takeRunLock(path, 'now');
    expect(() => takeRunLock(path, 'later')).toThrow(RefusedError);
    expect(() => takeRunLock(path, 'later')).toThrow(`process ${process.pid} holds ${path} since now`);
    release();
    expect(existsSync(path)).toBe(false);
    takeRunLock(path, 'again')();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it.each([
    ['a process that is gone', { pid: 2 ** 31 - 2, startTicks: 1, since: 'x' }],
    ['a number that another process has now', { pid: process.pid, startTicks: (processStartTicks(process.pid) ?? 2) - 1, since: 'x' }],
    ['no JSON', null],
  ])('takes over the lock of %s', (_name, owner) => {
    const path = join(temporaryFolder(), 'audit.lock');
    writeFileSync(path, owner === null ? '' : JSON.stringify(owner));
    const release = takeRunLock(path, 'now');
    expect(() => takeRunLock(path, 'later')).toThrow(RefusedError);
    release();
    expect(existsSync(path)).toBe(false);
  });

  it('says where it cannot be written and what helps', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(() => takeRunLock(join(folder, 'file/audit.lock'), 'now')).toThrow(UnreadableError);
  });
});
