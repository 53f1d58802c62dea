import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../src/checks/index.ts';
import { projectRoot } from './helpers/paths.ts';

type Package = { man: string[]; bin: Record<string, string>; types: string };

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as Package;
// npm takes uuids for secrets and prints them as stars.
const masked = (path: string): string => path.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '***');
const packed = (): string[] => {
  const run = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8', cwd: projectRoot, maxBuffer: 2 ** 26 });
  return (JSON.parse(run.stdout) as [{ files: { path: string }[] }])[0].files.map((file) => masked(file.path));
};
const below = (folder: string): string[] =>
  readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)));

describe('the published package', () => {
  it('has the program, its pages, completions, man page, units and samples, and nothing else', () => {
    const files = packed();
    const wanted = [
      'README.md', 'CHANGELOG.md', 'LICENSE', 'package.json', 'dist/index.js', manifest.types.replace('./', ''), ...manifest.man.map((path) => path.replace('./', '')), ...Object.values(manifest.bin),
      ...allChecks.map((check) => `docs/checks/${check.meta.id}.md`), ...below('docs'), ...below('packaging'), ...below('sample-data'),
    ].map(masked);
    expect(wanted.filter((path) => !files.includes(path))).toEqual([]);
    expect(files.filter((path) => !wanted.includes(path) && !path.startsWith('dist/'))).toEqual([]);
    expect(files.filter((path) => /\.(test|spec)\.|\.map$|\.tgz$|node_modules/.test(path))).toEqual([]);
  });

  // npm 10 and 11 link man pages of a list, and take no notice of a single text; npm 12 links none.
  it('names its man page in a list, and each file that it names is there', () => {
    expect(manifest.man).toEqual(['./docs/sessionfsck.1']);
    for (const path of [...manifest.man, ...Object.values(manifest.bin)]) expect(existsSync(join(projectRoot, path)) ? '' : path).toBe('');
  });
});
