import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configPlaces, loadConfig, parseConfig } from '../../src/commands/config.ts';
import type { ScanResult } from '../../src/model/finding.ts';
import { UsageError } from '../../src/model/errors.ts';
import { runCli } from '../helpers/cli.ts';
import { sampleData, temporaryFolder } from '../helpers/paths.ts';

const damaged = join(sampleData, 'openclaw-migrated/store');
const check = 'migration/unimported-rows';

function problemsOf(config: unknown): string[] {
  try {
    parseConfig(typeof config === 'string' ? config : JSON.stringify(config), '/c');
    return [];
  } catch (error) {
    return error instanceof UsageError && error.hint !== null ? error.message.split('\n') : ['an error without a hint'];
  }
}

describe('the configuration file', () => {
  it('takes every key that it knows', () => {
    expect(
      parseConfig(
        JSON.stringify({
          $comment: 'why', zone: 'UTC', zones: { '/srv/a': 'Europe/Berlin' }, readers: { opencode: 'v1.18.14' }, severities: { order: 'info', 'db/corrupt': 'off' },
          ignore: [{ check: 'reset', store: '/srv/a', reason: 'moved by hand', until: '2027-01-31' }], check: ['db'], skip: [], failOn: 'error', minSeverity: 'warning', deep: true, snapshotDir: '/var/tmp',
        }),
        '/c',
      ),
    ).toEqual({
      path: '/c', zone: 'UTC', readers: [{ product: 'opencode', version: '1.18.14', source: 'option' }], check: ['db'], skip: [], failOn: 'error', minSeverity: 'warning', deep: true, snapshotDir: '/var/tmp',
      policy: { source: '/c', lists: { check: ['db'], skip: [] }, severities: { order: 'info', 'db/corrupt': 'off' }, zones: { '/srv/a': 'Europe/Berlin', '/': 'UTC' }, ignores: [{ check: 'reset', store: '/srv/a', reason: 'moved by hand', until: Date.parse('2027-01-31') }] },
    });
  });

  it.each([
    ['not JSON', '{', ['/c is not JSON']],
    ['an empty file', '', ['/c is not JSON']],
    ['a trailing comma', '{"zone":"UTC",}', ['/c is not JSON']],
    ['a comment', '// zone\n{}', ['/c is not JSON']],
    ['null', 'null', ['/c: null is not an object']],
    ['the name of an option', { 'fail-on': 'error' }, ['there is no setting fail-on; did you mean failOn?']],
    ['an option that is no setting', { format: 'json' }, ['there is no setting format; there are zone, zones']],
    ['a key that every object has', '{"__proto__":{"deep":true}}', ['there is no setting __proto__']],
    ['zones as a list', { zones: [] }, ['zones: [] is not an object']],
    ['readers as a list', { readers: ['opencode@1.18.14'] }, ['readers: ["opencode@1.18.14"] is not an object']],
    ['severities as a text', { severities: 'off' }, ['severities: "off" is not an object']],
    ['ignore as an object', { ignore: {} }, ['ignore: {} is not a list']],
    ['an ignore that is a text', { ignore: ['db'] }, ['ignore[0]: "db" is not an object']],
    ['a wrong key of an ignore', { ignore: [{ check: 'db', reason: 'x', untill: '2027-01-31' }] }, ['there is no setting ignore[0].untill; did you mean until?']],
    ['a wrong date', { ignore: [{ check: 'db', reason: 'x', until: '31.01.2027' }] }, ['ignore[0].until: "31.01.2027" is not a date']],
    ['a store that is not absolute', { ignore: [{ store: '~/x', reason: 'x' }] }, ['ignore[0].store: "~/x" is not an absolute path']],
    ['a list of numbers', { check: [1] }, ['check: [1] is not a list of checks']],
    ['a wrong severity to fail on', { failOn: 'fatal' }, ['failOn: "fatal" is not one of error, warning, info, never']],
    ['a relative folder', { snapshotDir: 'tmp' }, ['snapshotDir: "tmp" is not an absolute path']],
    ['no object', '[]', ['/c: [] is not an object']],
    ['an unknown key', { failon: 'error' }, ['there is no setting failon; did you mean failOn?']],
    ['a wrong zone', { zone: 'Mars/Base' }, ['zone: "Mars/Base" is not a time zone']],
    ['wrong zones', { zones: { a: 'UTC', '/b': 1 } }, ['zones.a: "a" is not an absolute path', 'zones./b: 1 is not a time zone']],
    ['wrong readers', { readers: { foo: '1.0', hermes: 2 } }, ['readers.foo: "foo" is not a product', 'readers.hermes: 2 is not a version']],
    ['a wrong severity', { severities: { 'a/b': 'fatal' } }, ['severities.a/b: "fatal" is not one of error, warning, info, off']],
    ['an ignore without reason', { ignore: [{ check: 'db' }] }, ['ignore[0].reason: nothing is not a reason']],
    ['an ignore of everything', { ignore: [{ reason: 'x' }] }, ['ignore[0]: {"reason":"x"} is not bound to anything']],
    ['several at once', { deep: 'yes', skip: 'db', minSeverity: 3 }, ['skip: "db" is not a list', 'minSeverity: 3 is not one of', 'deep: "yes" is not true or false']],
  ])('names %s', (_name, config, wanted) => {
    const problems = problemsOf(config);
    expect(problems).toHaveLength(wanted.length);
    for (const [index, part] of wanted.entries()) expect(problems[index]).toContain(part);
  });

  it('is looked for in the XDG folders and not where one stands', () => {
    expect(configPlaces({ XDG_CONFIG_HOME: '/x', XDG_CONFIG_DIRS: '/y:/z' }, '/home/me')).toEqual(['/x', '/y', '/z'].map((folder) => `${folder}/sessionfsck/sessionfsck.config.json`));
    expect(configPlaces({ XDG_CONFIG_HOME: 'relative' }, '/home/me')).toEqual(['/home/me/.config/sessionfsck/sessionfsck.config.json', '/etc/xdg/sessionfsck/sessionfsck.config.json']);
    expect(loadConfig(null, ['/nonexistent/a'])).toBeNull();
  });

  it('turns a finding into another severity, off, or an ignored one that is still counted; --no-config leaves it out', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'sessionfsck'));
    const run = (config: object, ...args: string[]): { code: number | null; severities: string[]; ignored: number } => {
      writeFileSync(join(home, 'sessionfsck/sessionfsck.config.json'), JSON.stringify(config));
      const { code, stdout } = runCli(['scan', damaged, '--json', ...(args.includes('--check') ? [] : ['--check', check]), ...args], { env: { XDG_CONFIG_HOME: home } });
      const report = JSON.parse(stdout) as { findings: { severity: string }[]; ignored?: unknown[] };
      return { code, severities: report.findings.map((finding) => finding.severity), ignored: report.ignored?.length ?? 0 };
    };
    expect(run({})).toEqual({ code: 1, severities: ['error'], ignored: 0 });
    expect(run({ severities: { [check]: 'info' } })).toEqual({ code: 0, severities: ['info'], ignored: 0 });
    expect(run({ severities: { migration: 'off' } })).toEqual({ code: 0, severities: [], ignored: 0 });
    expect(run({ ignore: [{ check, store: damaged, reason: 'known' }] })).toEqual({ code: 0, severities: [], ignored: 1 });
    expect(run({ ignore: [{ check, reason: 'until last year', until: '2025-01-01' }] })).toEqual({ code: 1, severities: ['error'], ignored: 0 });
    expect(run({ ignore: [{ check, store: '/elsewhere', reason: 'known' }] })).toEqual({ code: 1, severities: ['error'], ignored: 0 });
    expect(run({ failOn: 'never' })).toEqual({ code: 0, severities: ['error'], ignored: 0 });
    expect(run({ failOn: 'never' }, '--fail-on', 'error')).toEqual({ code: 1, severities: ['error'], ignored: 0 });
    expect(run({ severities: { migration: 'off' } }, '--no-config')).toEqual({ code: 1, severities: ['error'], ignored: 0 });
  });

  it('refuses a check that there is not, before anything is scanned', () => {
    const path = join(temporaryFolder(), 'c.json');
    writeFileSync(path, JSON.stringify({ severities: { 'db/no-such': 'info' } }));
    const run = runCli(['scan', damaged, '--config', path]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('severities.db/no-such: no check is called db/no-such');
  });

  it.each([
    [{ check: ['dbx'] }, 'check[0]: no check is called dbx'],
    [{ skip: ['db', 'order/'] }, 'skip[1]: no check is called order/'],
    [{ ignore: [{ check: 'no/such', reason: 'x' }] }, 'ignore[0].check: no check is called no/such'],
  ])('names the file and the place of a check that there is not: %j', (config, message) => {
    const path = join(temporaryFolder(), 'c.json');
    writeFileSync(path, JSON.stringify(config));
    expect(runCli(['scan', damaged, '--config', path])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`${path}: ${message}`) as string });
  });

  it('may begin with a byte order mark; a folder in its place is called one', () => {
    expect(parseConfig('\uFEFF{"zone":"UTC"}', '/c').zone).toBe('UTC');
    const folder = temporaryFolder();
    expect(runCli(['scan', damaged, '--config', folder]).stderr).toContain(`${folder} is no configuration file: it is a folder`);
  });

  it('gives way to the command line, option by option', () => {
    const path = join(temporaryFolder(), 'c.json');
    writeFileSync(path, JSON.stringify({ failOn: 'never', minSeverity: 'error', skip: ['migration'], readers: { openclaw: '2026.9.5' } }));
    const report = (...args: string[]): ScanResult & { code: number | null } => {
      const { code, stdout } = runCli(['scan', damaged, '--zone', 'UTC', '--json', '--config', path, ...args]);
      return { ...(JSON.parse(stdout) as ScanResult), code };
    };
    const quiet = report();
    expect(quiet.code).toBe(0);
    expect(quiet.findings.filter((finding) => finding.severity !== 'error' || finding.checkId.startsWith('migration/'))).toEqual([]);
    expect(quiet.stores[0]?.reader).toBe('openclaw@2026.9.5');
    // The values are those that apply without any file, and still win over it.
    const loud = report('--fail-on', 'warning', '--min-severity', 'info', '--skip', 'order', '--reader', 'openclaw@2026.9.7');
    expect(loud.code).toBe(1);
    expect(loud.findings.some((finding) => finding.severity !== 'error')).toBe(true);
    expect(loud.findings.some((finding) => finding.checkId === check)).toBe(true);
    expect(loud.stores[0]?.reader).toBe('openclaw@2026.9.7');
  });
});
