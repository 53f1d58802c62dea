import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { projectRoot, sampleData, temporaryFolder } from '../helpers/paths.ts';

const sample = join(sampleData, 'openclaw-migrated/store');

/** Every text that a person may get instead of an answer: what was typed, what the message must name, and what helps. */
type Case = { what: string; args: (folder: string) => string[]; names: (folder: string) => string[]; helps: RegExp; code?: number };

const write = (path: string, text: string): string => {
  writeFileSync(path, text);
  return path;
};

const cases: Case[] = [
  { what: 'no such command', args: () => ['scna'], names: () => ['scna'], helps: /scan|--help/ },
  { what: 'no such option', args: () => ['scan', '--jsn'], names: () => ['--jsn'], helps: /--json|--help/ },
  { what: 'a format that the command has not', args: () => ['scan', sample, '--format', 'xml'], names: () => ['xml'], helps: /sarif/ },
  { what: 'a format of another command', args: () => ['resets', sample, '--format', 'sarif'], names: () => ['sarif'], helps: /it has text, json/ },
  { what: 'no such zone', args: () => ['scan', sample, '--zone', 'Berlin'], names: () => ['Berlin', '--zone'], helps: /Europe\/Berlin/ },
  { what: 'no time', args: () => ['scan', sample, '--now', 'noon'], names: () => ['noon', '--now'], helps: /2026-11-30T/ },
  { what: 'no reader', args: () => ['scan', sample, '--reader', 'opencode'], names: () => ['opencode', '--reader'], helps: /opencode@1/ },
  { what: 'no shard', args: () => ['scan', sample, '--shard', '3/2'], names: () => ['3/2', '--shard'], helps: /2\/8/ },
  { what: 'no duration', args: () => ['scan', sample, '--max-duration', 'long'], names: () => ['long', '--max-duration'], helps: /90s/ },
  { what: 'no severity', args: () => ['scan', sample, '--fail-on', 'bad'], names: () => ['bad', '--fail-on'], helps: /error, warning, info, never/ },
  { what: 'no such check', args: () => ['scan', sample, '--check', 'order/wedge'], names: () => ['order/wedge'], helps: /sessionfsck explain/ },
  { what: 'no such check to explain', args: () => ['explain', 'order/corrupt'], names: () => ['order/corrupt'], helps: /did you mean db\/corrupt/ },
  { what: 'a path that is not there', args: (folder) => ['scan', join(folder, 'gone')], names: (folder) => [join(folder, 'gone')], helps: /does not exist[\s\S]*sessionfsck stores/ },
  { what: 'a path without a store', args: (folder) => ['scan', folder], names: (folder) => [folder], helps: /state folder, a\s+database or a\s+transcript/ },
  { what: 'a folder for copies that is a file', args: (folder) => ['scan', sample, '--snapshot-dir', write(join(folder, 'f'), '')], names: (folder) => [join(folder, 'f'), 'not a folder'], helps: /--snapshot-dir DIR/ },
  { what: 'too little time', args: () => ['scan', sample, '--max-duration', '0.0000001s'], names: () => [sample], helps: /--max-duration.*--shard/s },
  { what: 'no configuration file', args: (folder) => ['scan', sample, '--config', join(folder, 'c.json')], names: (folder) => [join(folder, 'c.json')], helps: /--no-config/ },
  { what: 'a wrong configuration', args: (folder) => ['scan', sample, '--config', write(join(folder, 'c.json'), '{"zon":"UTC","deep":2}')], names: (folder) => [join(folder, 'c.json'), 'zon', 'deep'], helps: /did you mean zone.*docs\/configuration\.md/s },
  { what: 'an output that cannot be written', args: (folder) => ['scan', sample, '-o', join(folder, 'no/x')], names: (folder) => [join(folder, 'no/x')], helps: /there is no folder .*-o FILE/s },
  { what: 'a report without output', args: () => ['report', sample], names: () => ['--output'], helps: /-o, --output <FILE>/ },
  { what: 'no baseline', args: (folder) => ['audit', sample, '--baseline', join(folder, 'b')], names: (folder) => [join(folder, 'b')], helps: /--update-baseline/ },
  { what: 'a broken baseline', args: (folder) => ['audit', sample, '--baseline', write(join(folder, 'b'), '{')], names: (folder) => [join(folder, 'b')], helps: /--update-baseline/ },
  { what: 'a wrong entry of a baseline', args: (folder) => ['audit', sample, '--baseline', write(join(folder, 'b'), '{"schemaVersion":1,"kind":"sessionfsck-baseline","findings":[{"fingerprint":1}]}')], names: (folder) => [join(folder, 'b'), 'findings[0]', 'fingerprint'], helps: /--update-baseline/ },
  { what: 'an acceptance without reason', args: (folder) => ['audit', sample, '--baseline', join(folder, 'b'), '--acknowledge', 'x'], names: () => ['reason'], helps: /--reason TEXT/ },
  { what: 'another audit that runs', args: (folder) => ['audit', sample, '--lock', write(join(folder, 'l'), JSON.stringify({ pid: process.pid, startTicks: null, since: '2026-12-01' }))], names: (folder) => [join(folder, 'l'), String(process.pid), '2026-12-01'], helps: /wait for it.*--max-duration/s, code: 3 },
  { what: 'nothing to merge', args: () => ['merge'], names: () => ['report'], helps: /sessionfsck merge a\.json b\.json/ },
  { what: 'no report to merge', args: (folder) => ['merge', write(join(folder, 'r.json'), '[]')], names: (folder) => [join(folder, 'r.json')], helps: /sessionfsck scan --json -o FILE/ },
  { what: 'a report that is not there', args: (folder) => ['merge', join(folder, 'r.json')], names: (folder) => [join(folder, 'r.json')], helps: /does not exist\s+make it with sessionfsck scan --json/ },
  { what: 'no host', args: () => ['merge', '--host', 'web1'], names: () => ['web1', '--host'], helps: /web1=web1\.json/ },
  { what: 'no session of that name', args: () => ['show', 'no-such-session', sample], names: () => ['no-such-session'], helps: /sessionfsck|stores|PATH/ },
  { what: 'no plan', args: (folder) => ['apply', join(folder, 'plan.json')], names: (folder) => [join(folder, 'plan.json')], helps: /does not exist\s+make one with sessionfsck plan/ },
  { what: 'a check with a letter wrong', args: () => ['scan', sample, '--check', 'order/wegded-session'], names: () => ['order/wegded-session'], helps: /did you mean order\/wedged-session\?/ },
  { what: 'an area with a letter wrong', args: () => ['scan', sample, '--skip', 'ordr'], names: () => ['ordr'], helps: /did you mean order\?/ },
  { what: 'a fix with a letter wrong', args: () => ['explain', 'rekey-prewrap-id'], names: () => ['rekey-prewrap-id'], helps: /did you mean rekey-prewrap-ids\?/ },
  { what: 'no check is left', args: () => ['scan', sample, '--check', 'order', '--skip', 'order'], names: () => ['--check', '--skip'], helps: /sessionfsck explain/ },
  { what: 'two formats', args: () => ['scan', sample, '--json', '--format', 'sarif', '-o', '/dev/null'], names: () => ['--json', 'sarif'], helps: /leave one of them out/ },
  { what: 'two readers of one product', args: () => ['scan', sample, '--reader', 'opencode@1.2.3', '--reader', 'opencode@1.2.4'], names: () => ['--reader', 'opencode'], helps: /one a product/ },
  { what: 'a path that ends early', args: (folder) => ['scan', join(folder, 'a/b/c')], names: (folder) => [join(folder, 'a/b/c')], helps: /does not exist; there is nothing\s+below/ },
  { what: 'a file that is no store', args: (folder) => ['scan', write(join(folder, 'f'), 'hello')], names: (folder) => [join(folder, 'f'), '5 bytes'], helps: /state folder/ },
  { what: 'a link that leads nowhere', args: (folder) => (symlinkSync('gone', join(folder, 'l')), ['scan', join(folder, 'l')]), names: (folder) => [join(folder, 'l'), 'leads nowhere'], helps: /sessionfsck stores/ },
  { what: 'a damaged database to show', args: (folder) => ['show', 'x', write(join(folder, 'opencode.db'), '')], names: (folder) => [join(folder, 'opencode.db'), 'damaged', '0 bytes'], helps: /sessionfsck scan/ },
  { what: 'a damaged database whose resets are asked for', args: (folder) => ['resets', write(join(folder, 'state.db'), '')], names: (folder) => [join(folder, 'state.db'), 'damaged', '0'], helps: /sessionfsck scan/ },
  { what: 'a damaged database to recover from', args: (folder) => ['recover', write(join(folder, 'state.db'), ''), '-o', join(folder, 'out')], names: () => ['state.db', 'damaged'], helps: /Next: /, code: 1 },
  { what: 'an output below a file', args: (folder) => ['scan', sample, '-o', join(write(join(folder, 'f'), ''), 'x')], names: (folder) => [join(folder, 'f'), 'is not a folder'], helps: /-o FILE/ },
  { what: 'a plan in no folder', args: (folder) => ['plan', sample, '-o', join(folder, 'no/p.json')], names: (folder) => [join(folder, 'no/p.json')], helps: /there is no folder .*-o FILE/s },
  { what: 'a plan that is there', args: (folder) => ['plan', sample, '-o', write(join(folder, 'p'), 'x')], names: (folder) => [join(folder, 'p')], helps: /-o FILE.*--force/s },
  { what: 'nothing that could be planned', args: (folder) => ['plan', join(folder, 'gone'), '-o', join(folder, 'p')], names: (folder) => [join(folder, 'gone')], helps: /unread: .* does not exist/ },
  { what: 'a report of what could not be read', args: (folder) => ['report', join(folder, 'gone'), '-o', join(folder, 'r.html')], names: (folder) => [join(folder, 'gone'), join(folder, 'r.html')], helps: /unread: .* does not exist/ },
  { what: 'no JSON in a plan, whose text is not quoted', args: (folder) => ['apply', write(join(folder, 'p'), 'Zq7\nsecret')], names: (folder) => [join(folder, 'p')], helps: /is not JSON: line \d+, column \d+: Unexpected token 'Z'\s+sessionfsck plan/ },
  { what: 'a folder of journals that is a file', args: (folder) => ['journals', '--journal-dir', write(join(folder, 'j'), '')], names: (folder) => [join(folder, 'j')], helps: /--journal-dir DIR/ },
  { what: 'an argument that is missing', args: () => ['show'], names: () => ['SESSION'], helps: /sessionfsck show --help/ },
  { what: 'no such journal', args: (folder) => ['undo', '2026-01-01T00-00-00Z-abcd', '--journal-dir', folder], names: (folder) => ['2026-01-01T00-00-00Z-abcd', folder], helps: /sessionfsck journals/ },
];

describe('error messages', () => {
  const seen: string[] = [];
  it.each(cases)('$what: names it, its place, and what helps', ({ what, args, names, helps, code }) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'state'));
    const run = runCli(args(folder), { env: { XDG_STATE_HOME: join(folder, 'state') } });
    const text = `${run.stderr}${run.stdout}`;
    seen.push(`${what}\n${text.trimEnd().replaceAll(folder, '…').replaceAll(sample, 'STORE').replace(/^/gm, '    ')}`);
    expect(run.code).toBe(code ?? 2);
    expect(text).not.toMatch(/^\s+at .*:\d+:\d+|internal error|\[object |undefined|NaN/m);
    expect(names(folder).filter((name) => !text.includes(name))).toEqual([]);
    expect(text).toMatch(helps);
    expect(text.trim().split('\n').length).toBeLessThan(20);
  });
  // The whole set, to be read as one: npx vitest run test/cli/errors.test.ts
  afterAll(() => console.log(seen.join('\n')));
});

describe('a document on stdout for who asked for JSON', () => {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(join(projectRoot, 'docs/report.schema.json'), 'utf8')));

  it.each([
    [['scan', sample, '--check', 'no/such', '--json'], 2],
    [['scan', sample, '--zone', 'Nowhere', '--format', 'json'], 2],
    [['scan', '/no/such/path', '--json'], 2],
    [['audit', sample, '--acknowledge', 'x', '--json'], 2],
    [['merge', '--json'], 2],
  ])('%j: a valid report', (args, code) => {
    const run = runCli(args);
    expect(run.code).toBe(code);
    const report: unknown = JSON.parse(run.stdout);
    validate(report);
    expect(validate.errors).toBeNull();
    expect(report).toMatchObject({ ok: false, errors: [{ message: expect.any(String) }] });
  });

  it.each([[['resets', '--jsn', '--json']], [['undo', 'x', '--json']], [['apply', '/no/plan', '--json']], [['explain', 'x', '--json']]])('%j: the error alone', (args) => {
    const run = runCli(args);
    expect([run.code, JSON.parse(run.stdout)]).toEqual([2, { schemaVersion: 1, ok: false, errors: [{ store: null, message: expect.any(String), path: '' }] }]);
  });

  it('nothing where it goes to a file, or where it was not asked for', () => {
    expect(runCli(['scan', sample, '--json', '-o', '/no/such/x']).stdout).toBe('');
    expect(runCli(['scan', sample, '--check', 'no/such']).stdout).toBe('');
  });
});

describe('odd surroundings', () => {
  it('an empty HOME is not the current folder', () => {
    const { stdout } = runCli(['stores'], { env: { HOME: '', XDG_DATA_HOME: '', OPENCLAW_HOME: '' } });
    expect(stdout.split('\n').filter((line) => /^ +\./.test(line))).toEqual([]);
  });

  it.each([['en', 'Nowhere/Land'], ['tr_TR.UTF-8', 'UTC+3'], ['C', ':/etc/localtime'], ['', '']])('LANG=%s TZ=%s: the same findings', (LANG, TZ) => {
    const run = runCli(['scan', sample, '--json', '--zone', 'UTC', '--now', '2026-12-01T12:00:00Z'], { env: { LANG, LC_ALL: LANG, TZ } });
    expect(JSON.parse(run.stdout)).toEqual(JSON.parse(runCli(['scan', sample, '--json', '--zone', 'UTC', '--now', '2026-12-01T12:00:00Z']).stdout));
  });

  it('a plan of what could not be read is not written', () => {
    const folder = temporaryFolder();
    expect(runCli(['plan', join(folder, 'gone'), '-o', join(folder, 'p')]).code).toBe(2);
    expect(existsSync(join(folder, 'p'))).toBe(false);
  });

  it('stdout that is full is an error of one line; a reader that went away is none', { skip: !existsSync('/dev/full') }, () => {
    const cli = join(projectRoot, 'bin/sessionfsck.js');
    const full = spawnSync('sh', ['-c', '"$0" "$1" scan "$2" >/dev/full', process.execPath, cli, sample], { encoding: 'utf8' });
    expect([full.status, full.stderr.split('\n')[0]]).toEqual([2, expect.stringMatching(/^error: stdout could not be written: ENOSPC/)]);
    const gone = spawnSync('bash', ['-c', '"$0" "$1" scan "$2" --json | true; echo ${PIPESTATUS[0]}', process.execPath, cli, sample], { encoding: 'utf8' });
    expect([gone.stdout.trim(), gone.stderr]).toEqual(['1', '']);
  });
});
