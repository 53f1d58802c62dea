import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { sampleData, temporaryFolder } from '../helpers/paths.ts';

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
