import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tmpdir } from 'node:os';
import { collectSessions } from '../../src/checks/collect-sessions.ts';
import { scan, type ScanOptions } from '../../src/checks/scan.ts';
import { textCollector, withoutExcerpts } from '../../src/commands/excerpts.ts';
import { renderResult, resultFormats } from '../../src/commands/emit.ts';
import { htmlOf } from '../../src/commands/report.ts';
import type { ScanResult } from '../../src/model/finding.ts';
import { renderStories } from '../../src/report/story.ts';
import { runCli, type CliRun } from '../helpers/cli.ts';
import { projectRoot, sampleData } from '../helpers/paths.ts';
import { plantPrivateWord } from '../helpers/private-words.ts';

const word = 'Zq7PrivateWord';
const clock = ['--now', '2026-12-01T12:00:00Z', '--zone', 'UTC'];
const work = mkdtempSync(join(tmpdir(), 'sessionfsck-privacy-'));
const folder = join(work, 'stores');
const samples = readdirSync(sampleData).filter((name) => existsSync(join(sampleData, name, 'store')));
const stores = (): string[] => readdirSync(folder).map((name) => join(folder, name));
const env = { XDG_STATE_HOME: join(work, 'state'), TMPDIR: work };
const scanOptions: ScanOptions = { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z'), deep: true };
const untouchedStores: string[] = [];
let scanned: Promise<ScanResult>;
const run = (...args: string[]): CliRun => runCli([...args, ...clock], { env });

/** Where the word stands in a text, a few characters around it; empty when nowhere. */
function leaks(text: string): string[] {
  return [...text.matchAll(new RegExp(`.{0,160}${word}.{0,20}`, 'g'))].map((match) => match[0]).slice(0, 10);
}

beforeAll(() => {
  for (const name of samples) {
    cpSync(join(sampleData, name, 'store'), join(folder, name), { recursive: true, preserveTimestamps: true });
    if (plantPrivateWord(join(folder, name), word) === 0) untouchedStores.push(name);
  }
  // Secrets beside what cannot be parsed: a parser likes to quote the line.
  for (const name of ['hermes-resets', 'config-invalid']) cpSync(join(folder, name), join(folder, `${name}-broken`), { recursive: true, preserveTimestamps: true });
  appendFileSync(join(folder, 'hermes-resets-broken/config.yaml'), `token: "${word}" ${word}: [${word}\n`);
  appendFileSync(join(folder, 'config-invalid-broken/openclaw.json'), `${word}: "${word}`);
  scanned = scan(stores(), scanOptions);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** All runs see all planted stores of all four products at once. */
describe('without --show-text no output holds what people, models or configurations said', () => {
  it('the word is in every store but the one that cannot be opened, and they still have the faults of the samples', async () => {
    expect(untouchedStores).toEqual(['opencode-truncated']);
    const idsOf = (result: ScanResult): string[] => [...new Set(result.findings.map((finding) => finding.checkId))];
    const planted = idsOf(await scanned);
    const original = idsOf(await scan(samples.map((name) => join(sampleData, name, 'store')), scanOptions));
    expect(original.filter((check) => !planted.includes(check))).toEqual([]);
    expect(planted.length).toBeGreaterThan(40);
  });

  it.each(resultFormats)('scan --format %s', async (format) => {
    const result = await scanned;
    const text = await renderResult(result, format, { format, minSeverity: 'info', failOn: 'warning', color: false, verbose: true }, stores());
    expect(text.length).toBeGreaterThan(50);
    expect(leaks(text)).toEqual([]);
  });

  it.each([
    ['stores'], ['stores', '--json'], ['watermarks'], ['watermarks', '--json'], ['resets'], ['resets', '--json'], ['wraps'], ['wraps', '--json'],
    ['plan'], ['plan', '--json'], ['report', '-o', '-'], ['report', '-o', '-', '--format', 'markdown'], ['bundle', '-o', '-'],
    ['audit', '--baseline', join(work, 'baseline.json'), '--update-baseline'],
  ])('%j', (...args) => {
    const [command = '', ...options] = args;
    const result = run(command, ...stores(), '--deep', '--verbose', ...options);
    expect(result.stdout.length + result.stderr.length).toBeGreaterThan(50);
    expect(leaks(result.stdout + result.stderr)).toEqual([]);
  });

  it.each([['bundle', '-o', '-'], ['audit']])('%j with --show-text, which is not for it', (...args) => {
    const [command = '', ...options] = args;
    const result = run(command, ...stores(), '--show-text', ...options);
    expect(result.stdout.length + result.stderr.length).toBeGreaterThan(50);
    expect(leaks(result.stdout + result.stderr)).toEqual([]);
  });

  it('plan, apply, undo and journals print none, and the plan file holds none', () => {
    const plan = join(work, 'plan.json');
    const outputs = [run('plan', ...stores(), '-o', plan, '--verbose'), run('plan', ...stores(), '-o', plan, '--force', '--json')];
    outputs.push(run('apply', plan, '--allow', 'judgement', '--dry-run', '--verbose'), run('apply', plan, '--allow', 'judgement', '--verbose'));
    const journal = /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[0-9a-f]{4}/.exec(outputs.map((output) => output.stdout + output.stderr).join('\n'))?.[0] ?? '';
    outputs.push(run('journals', '--verbose'), run('journals', '--json'));
    outputs.push(run('undo', journal, '--verbose'));
    expect(outputs.flatMap(({ stdout, stderr }) => leaks(stdout + stderr))).toEqual([]);
    expect(journal).not.toBe('');
    expect(leaks(readFileSync(plan, 'utf8'))).toEqual([]);
  });

  it('show of a session of every store that has a finding; only --show-text adds the titles', async () => {
    const report = await scanned;
    const wanted = new Map(report.findings.flatMap(({ session, store }) => (session === null ? [] : [[store, session]])));
    expect(wanted.size).toBeGreaterThan(8);
    const titled = new Set<string>();
    for (const [store, session] of wanted) {
      const path = report.stores.find((facts) => facts.id === store)?.path ?? '';
      const told = await collectSessions(session, [path], scanOptions);
      expect(told.sessions.length).toBeGreaterThan(0);
      const text = renderStories(told.sessions, told.errors, { color: false, verbose: true, quiet: false, width: 80, paths: [path] });
      const asked = await collectSessions(session, [path], { ...scanOptions, showText: true });
      for (const story of asked.sessions) if (story.facts.some(({ name, value }) => name === 'title' && String(value).includes(word))) titled.add(story.product);
      expect(leaks(`${text}\n${JSON.stringify(told)}`)).toEqual([]);
    }
    // OpenClaw keeps no titles.
    expect([...titled].sort()).toEqual(['hermes', 'mimocode', 'opencode']);
  });

  it('the baseline holds none; recover is the one that writes texts', () => {
    expect(readFileSync(join(work, 'baseline.json'), 'utf8')).not.toContain(word);
    const recovered = join(work, 'recovered');
    const { stdout, stderr } = run('recover', ...stores(), '-o', recovered);
    expect(leaks(stdout + stderr)).toEqual([]);
    const files = readdirSync(recovered, { recursive: true, encoding: 'utf8' }).map((name) => join(recovered, name)).filter((path) => statSync(path).isFile());
    expect(files.some((path) => readFileSync(path, 'utf8').includes(word))).toBe(true);
  });
});

describe('with --show-text the texts stand in their own place, and nowhere else', () => {
  const options = { format: '', minSeverity: 'info', failOn: 'warning', color: false, verbose: true } as const;
  let asked: Promise<ScanResult>;
  beforeAll(() => {
    const texts = textCollector();
    asked = scan(stores(), { ...scanOptions, onScanned: texts.see }).then((result) => texts.attach(result));
  });

  it('in the texts of findings, for every product; the rest of the report holds none', async () => {
    const result = await asked;
    const holding = result.findings.filter((finding) => JSON.stringify(finding.texts ?? {}).includes(word));
    expect([...new Set(holding.map((finding) => finding.store.split(':')[0]))].sort()).toEqual(['hermes', 'mimocode', 'openclaw', 'opencode']);
    expect(new Set(holding.map((finding) => finding.checkId)).size).toBeGreaterThan(20);
    expect(leaks(JSON.stringify({ ...result, findings: withoutExcerpts(result.findings) }))).toEqual([]);
    // An undo of a database gives its rows back, not its pages: the stores' sizes may differ from those of the first scan.
    const told = ({ findings, errors, summary, checksRun, checksSkipped }: ScanResult): string => JSON.stringify({ findings: withoutExcerpts(findings), errors, summary, checksRun, checksSkipped });
    expect(told(result)).toBe(told(await scanned));
    const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
    formats.default(ajv);
    const validate = ajv.compile(JSON.parse(readFileSync(join(projectRoot, 'docs/report.schema.json'), 'utf8')));
    validate(result);
    expect(validate.errors).toBeNull();
  });

  it.each(resultFormats)('%s', async (format) => {
    const text = await renderResult(await asked, format, options, stores());
    expect(leaks(text).length > 0).toBe(['text', 'json', 'jsonl', 'markdown'].includes(format));
  });

  it('report and merge: the page says that it holds texts; a joined report drops them for one who does not ask', async () => {
    const page = await htmlOf(await asked, options, stores(), new Map());
    expect(leaks(page).length).toBeGreaterThan(0);
    expect(page).toContain('This report shows private titles and texts');
    const file = join(work, 'asked.json');
    writeFileSync(file, JSON.stringify(await asked));
    expect(leaks(run('merge', file, '--json').stdout)).toEqual([]);
    expect(leaks(run('merge', file, '--json', '--show-text').stdout).length).toBeGreaterThan(0);
  });

  it('the command line hands it on', () => {
    const store = join(folder, 'openclaw-night');
    expect(leaks(run('scan', store).stdout)).toEqual([]);
    expect(leaks(run('scan', store, '--show-text').stdout).length).toBeGreaterThan(0);
    expect(leaks(run('report', store, '--show-text', '-o', '-').stdout).length).toBeGreaterThan(0);
    expect(leaks(run('show', '-1001764402291', store, '--show-text').stdout).length).toBeGreaterThan(0);
  });
});
