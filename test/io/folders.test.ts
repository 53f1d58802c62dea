import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolders } from '../../src/io/folders.ts';
import { errorCode } from '../../src/model/errors.ts';
import { temporaryFolder } from '../helpers/paths.ts';

function codeOf(work: () => void): string {
  try {
    work();
    return 'made';
  } catch (error) {
    return errorCode(error);
  }
}

describe('makeFolders', () => {
  it('makes all that is missing, with the mode', () => {
    const root = temporaryFolder();
    makeFolders(join(root, 'a/b/c'), 0o700);
    expect(statSync(join(root, 'a/b')).mode & 0o777).toBe(0o700);
    expect(codeOf(() => makeFolders(join(root, 'a/b/c')))).toBe('made');
  });

  const cases: [string, (root: string) => string, string][] = [
    ['below a file', (root) => (writeFileSync(join(root, 'f'), ''), join(root, 'f/x/y')), 'ENOTDIR'],
    ['where a file is', (root) => (writeFileSync(join(root, 'f'), ''), join(root, 'f')), 'ENOTDIR'],
    ['where a link leads nowhere', (root) => (symlinkSync('gone', join(root, 'l')), join(root, 'l')), 'EEXIST'],
    ['through a link to a folder', (root) => (mkdirSync(join(root, 'd')), symlinkSync('d', join(root, 'l')), join(root, 'l/x')), 'made'],
  ];
  it.each(cases)('%s', (_name, prepare, code) => {
    const path = prepare(temporaryFolder());
    expect(codeOf(() => makeFolders(path))).toBe(code);
  });

  it('ends where the file system makes no folders', { skip: !existsSync('/proc/self') }, () => {
    expect(codeOf(() => makeFolders('/proc/sessionfsck/x/y'))).toBe('EACCES');
  });
});
