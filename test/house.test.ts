import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../src/checks/index.ts';
import { projectRoot, sampleData } from './helpers/paths.ts';

const src = join(projectRoot, 'src');

/** Floors from the top down; a file may import from its own floor's folder and from lower floors. */
const floors = [['cli'], ['index'], ['commands'], ['checks', 'fixes', 'report', 'journal'], ['readers', 'ids'], ['stores'], ['io'], ['model']];
/** Rooms of one floor that may be entered from another room of the same floor. */
const neighbours: Record<string, string[]> = { readers: ['ids'] };

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : path.endsWith('.ts') ? [path] : [];
  });
}

function roomOf(path: string): string {
  return relative(src, path).split(sep)[0]!.replace(/\.ts$/, '');
}

function floorOf(room: string): number {
  return floors.findIndex((rooms) => rooms.includes(room));
}

function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => resolve(dirname(path), match[1]!));
}

describe('the house', () => {
  it('has a floor for every file', () => {
    expect(sources(src).filter((path) => floorOf(roomOf(path)) === -1)).toEqual([]);
  });

  it('is only entered downward', () => {
    const climbs = sources(src).flatMap((path) =>
      importsOf(path)
        .filter((target) => {
          const [from, to] = [roomOf(path), roomOf(target)];
          return from !== to && floorOf(from) >= floorOf(to) && !neighbours[from]?.includes(to);
        })
        .map((target) => `${relative(src, path)} imports ${relative(src, target)}`),
    );
    expect(climbs).toEqual([]);
  });

  it('keeps reading, printing and SQL out of checks, readers and renderers', () => {
    const forbidden = /from '(node:fs|node:child_process|better-sqlite3|chalk|cli-table3)[^']*'|console\.|process\.std/;
    const offenders = sources(src).filter((path) => ['checks', 'readers', 'ids', 'fixes'].includes(roomOf(path)) && forbidden.test(readFileSync(path, 'utf8')));
    const readingRenderers = sources(src).filter((path) => roomOf(path) === 'report' && /from 'node:(fs|child_process)|better-sqlite3/.test(readFileSync(path, 'utf8')));
    expect([...offenders, ...readingRenderers].map((path) => relative(src, path))).toEqual([]);
  });
});

describe('every check', () => {
  const onDisk = readdirSync(join(src, 'checks'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
    .flatMap((area) => readdirSync(join(src, 'checks', area.name)).map((file) => `${area.name}/${file.replace(/\.ts$/, '')}`))
    .sort();

  it('is in the index (scripts/index-checks.mjs writes it)', () => {
    expect(allChecks.map((check) => check.meta.id)).toEqual(onDisk);
  });

  const sampled = new Set(
    readdirSync(sampleData, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap((entry) => {
        const expected: { findings: { checkId: string }[] } = JSON.parse(readFileSync(join(sampleData, entry.name, 'expect.json'), 'utf8'));
        return expected.findings.map((finding) => finding.checkId);
      }),
  );

  /** A sample would weigh 64 MiB; the check's own test makes such a file. */
  const unsampled = new Set(['db/oversized-wal']);

  it.each(allChecks.map((check) => [check.meta.id, check] as const))('%s has source, test, doc page and sample case', (id, check) => {
    expect({
      source: existsSync(join(src, 'checks', `${id}.ts`)),
      test: existsSync(join(projectRoot, 'test/checks', `${id}.test.ts`)),
      doc: existsSync(join(projectRoot, 'docs/checks', `${id}.md`)) && /\n## What to do\n\n[^#\n]{20}/.test(readFileSync(join(projectRoot, 'docs/checks', `${id}.md`), 'utf8')),
      sample: sampled.has(id) || unsampled.has(id),
      handlers: check.meta.products.every((product) => check[product] !== undefined),
    }).toEqual({ source: true, test: true, doc: true, sample: true, handlers: true });
  });
});
