import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Standing } from '../../src/model/baseline.ts';
import type { Finding, ScanResult } from '../../src/model/finding.ts';
import { allChecks } from '../../src/checks/index.ts';
import { renderJson, renderJsonl } from '../../src/report/json.ts';
import { markdownText, renderMarkdown } from '../../src/report/markdown.ts';
import { nagiosExit, nagiosState, renderNagios } from '../../src/report/nagios.ts';
import { renderPrometheus } from '../../src/report/prometheus.ts';
import { renderSarif } from '../../src/report/sarif.ts';
import { renderText } from '../../src/report/text.ts';
import { scan } from '../../src/checks/scan.ts';
import { renderHtml } from '../../src/report/html/page.ts';
import { hasRealStores, projectRoot, realStores } from '../helpers/paths.ts';
import { everyKind, finding, healthyStore, hermesStore, hostile, hostileResult, opencodeStore, result } from '../helpers/results.ts';

const require = createRequire(import.meta.url);
const metas = allChecks.map((check) => check.meta);
const cases = [['every kind', everyKind()], ['hostile', hostileResult()], ['healthy', result([healthyStore], [])], ['no store', result([], [])]] as const;
const text = { color: false, verbose: false, quiet: false, width: 80, paths: ['~/.openclaw'] };
const audited = (findings: Finding[]): ScanResult => result([healthyStore], findings, { baseline: { known: { error: 0, warning: 1, info: 0 }, accepted: { error: 1, warning: 0, info: 1 } } });
/** All new but the first finding, which is known, and the second, which is accepted. */
const standingsOf = (one: ScanResult): Map<string, Standing> =>
  new Map(one.findings.map(({ fingerprint }, index) => [fingerprint, index === 0 ? { kind: 'known' } : index === 1 ? { kind: 'accepted', reason: 'kept', until: '2027-01-31T00:00:00.000Z' } : { kind: 'new' }]));
const unread = { errors: [{ store: null, message: '/x may not be read', path: '/x' }] };

describe('json and jsonl', () => {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(join(projectRoot, 'docs/report.schema.json'), 'utf8')));
  it.each(cases)('%s is a valid report', (_name, one) => {
    validate(JSON.parse(renderJson(one)));
    expect(validate.errors).toBeNull();
  });
  it('says what a baseline keeps out of sight in a valid way', () => {
    validate(JSON.parse(renderJson(audited([]))));
    expect(validate.errors).toBeNull();
    const rows = renderJsonl(audited([])).trimEnd().split('\n').map((line) => JSON.parse(line) as ScanResult);
    expect(rows[0]?.baseline).toEqual({ known: { error: 0, warning: 1, info: 0 }, accepted: { error: 1, warning: 0, info: 1 } });
  });
  it('names hosts, shards and ignored findings in a valid way', () => {
    const one = everyKind();
    validate(JSON.parse(renderJson({ ...one, shard: '2/8', findings: one.findings.map((each) => ({ ...each, host: 'alpha' })), ignored: [{ fingerprint: 'ab', checkId: 'db/corrupt', store: 's', reason: 'known' }] })));
    expect(validate.errors).toBeNull();
  });
  it.each(cases)('%s: a line each, told apart by kind', (_name, one) => {
    const rows = renderJsonl(one).trimEnd().split('\n').map((line) => JSON.parse(line) as { kind: string });
    expect(rows.map((row) => row.kind)).toEqual([...one.findings.map(() => 'finding'), ...one.errors.map(() => 'error'), 'summary']);
  });
});

describe('sarif', () => {
  const schema = JSON.parse(readFileSync(require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8')) as { $schema?: string; id?: string };
  delete schema.$schema; // draft 4; nothing in it means something else in draft 7
  delete schema.id;
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  it.each(cases)('%s is valid SARIF 2.1.0', (_name, one) => {
    validate(JSON.parse(renderSarif(one, metas)));
    expect(validate.errors).toBeNull();
  });
  it('would notice an invalid one', () => {
    expect(validate({ version: '2.1.0', runs: [{ tool: { driver: {} }, results: [{ level: 'fatal' }] }] })).toBe(false);
  });
  it('points results at their rules, files and lines', () => {
    type Log = { runs: [{ tool: { driver: { rules: { id: string }[] } }; results: { ruleId: string; ruleIndex: number; level: string; locations: [{ physicalLocation: { artifactLocation: { uri: string }; region?: { startLine: number } } }] }[] }] };
    const { results, tool } = (JSON.parse(renderSarif(everyKind(), metas)) as Log).runs[0];
    expect(results.every((one) => tool.driver.rules[one.ruleIndex]?.id === one.ruleId)).toBe(true);
    expect(results.find((one) => one.ruleId === 'transcript/malformed-line')?.locations[0].physicalLocation).toEqual({ artifactLocation: { uri: 'file:///home/anna/.openclaw/agents/main/sessions/bad.jsonl' }, region: { startLine: 12 } });
    expect(results.find((one) => one.ruleId === 'order/clock-skew-inversion')?.level).toBe('note');
  });
  it('says how each result stands to the baseline of an audit, and why one was accepted', () => {
    const one = everyKind();
    const log = JSON.parse(renderSarif(one, metas, standingsOf(one))) as { runs: [{ results: { baselineState?: string; suppressions?: unknown }[] }] };
    validate(log);
    expect(validate.errors).toBeNull();
    const { results } = log.runs[0];
    expect(results.map((each) => each.baselineState)).toEqual(one.findings.map((_each, index) => (index < 2 ? 'unchanged' : 'new')));
    expect(results.map((each) => each.suppressions).filter((each) => each !== undefined)).toEqual([[{ kind: 'external', status: 'accepted', justification: 'kept (until 2027-01-31T00:00:00.000Z)' }]]);
    expect(renderSarif(one, metas)).not.toContain('baselineState');
  });
  it('keeps a message from becoming a link', () => {
    const { results } = (JSON.parse(renderSarif(hostileResult(), metas)) as { runs: [{ results: { message: { text: string } }[] }] }).runs[0];
    expect(results.length).toBeGreaterThan(0);
    for (const one of results) expect(one.message.text).not.toMatch(/[^\\]\]\(/);
  });
});

describe('prometheus', () => {
  type Family = { name: string; type: string; metrics: { value: string; labels?: Record<string, string> }[] };
  const parse = require('parse-prometheus-text-format') as (text: string) => Family[];
  const now = Date.parse('2026-11-30T03:00:00Z');
  const parsed = (one: Parameters<typeof renderPrometheus>[0]): Map<string, Family['metrics']> => new Map(parse(renderPrometheus(one, { now })).map((family) => [family.name, family.metrics]));
  it('counts findings by store and severity, also those that are none', () => {
    const metrics = parsed(everyKind()).get('sessionfsck_store_findings') ?? [];
    const of = (store: string): unknown => Object.fromEntries(metrics.filter((one) => one.labels?.store === store).map((one) => [one.labels?.severity, one.value]));
    expect(of(opencodeStore.id)).toEqual({ error: '2', warning: '2', info: '1' });
    expect(of(healthyStore.id)).toEqual({ error: '0', warning: '0', info: '0' });
  });
  it('says when it ran and what could not be read', () => {
    const metrics = parsed({ ...everyKind(), ...unread });
    expect(metrics.get('sessionfsck_last_run_timestamp_seconds')?.[0]?.value).toBe(String(now / 1000));
    expect(metrics.get('sessionfsck_read_errors')?.[0]?.value).toBe('1');
  });
  it('says how many findings are new, known and accepted, and each one once', () => {
    const one = everyKind();
    const metrics = new Map(parse(renderPrometheus(one, { now, standings: standingsOf(one) })).map((family) => [family.name, family.metrics]));
    const of = (name: string): number => (metrics.get(`sessionfsck_${name}_findings`) ?? []).reduce((total, sample) => total + Number(sample.value), 0);
    expect([of('new'), of('known'), of('accepted')]).toEqual([one.findings.length - 2, 1, 1]);
    expect(of('store')).toBe(one.findings.length);
    expect(metrics.get('sessionfsck_new_findings')).toHaveLength(3 * one.stores.length);
  });
  it('escapes label values, gives each metric one HELP and TYPE, ends each line', () => {
    const rendered = renderPrometheus(hostileResult(), { now });
    expect(rendered.endsWith('\n')).toBe(true);
    for (const line of rendered.trimEnd().split('\n')) expect(line).toMatch(/^(# (HELP|TYPE) sessionfsck_\w+ .+|sessionfsck_\w+(\{(\w+="([^"\\\n]|\\["\\n])*",?)+\})? -?[\d.e+]+)$/);
    const names = [...rendered.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('nagios', () => {
  it.each([
    ['nothing', result([healthyStore], []), 'warning', 'OK'],
    ['remarks', result([hermesStore], [finding(hermesStore, { checkId: 'db/search-drift', severity: 'info' })]), 'warning', 'OK'],
    ['warnings', result([hermesStore], [finding(hermesStore, { checkId: 'session/counter-drift', severity: 'warning' })]), 'warning', 'WARNING'],
    ['warnings below --fail-on', result([hermesStore], [finding(hermesStore, { checkId: 'session/counter-drift', severity: 'warning' })]), 'error', 'OK'],
    ['errors', everyKind(), 'warning', 'CRITICAL'],
    ['errors, but never to fail', everyKind(), 'never', 'OK'],
    ['unreadable', result([], [], unread), 'warning', 'UNKNOWN'],
    ['unreadable and errors', { ...everyKind(), ...unread }, 'warning', 'CRITICAL'],
  ] as const)('%s: %s', (_name, one, failOn, state) => {
    expect(nagiosState(one, failOn)).toBe(state);
    expect(renderNagios(one, failOn)).toMatch(new RegExp(`^SESSIONFSCK ${state}: [^|]+ \\| errors=\\d`));
    expect(nagiosExit[state]).toBe({ OK: 0, WARNING: 1, CRITICAL: 2, UNKNOWN: 3 }[state]);
  });
  it('tells nothing new from nothing found', () => {
    expect(renderNagios(audited([]), 'warning')).toMatch(/^SESSIONFSCK OK: nothing new in 1 store, 1 known, 2 accepted \| errors=0;;0;0 .*known=1;;;0 accepted=2;;;0/);
    expect(renderNagios(result([healthyStore], []), 'warning')).toMatch(/^SESSIONFSCK OK: nothing found in 1 store \| (?!.*known)/);
    expect(renderNagios(audited([finding(healthyStore, { checkId: 'db/corrupt' })]), 'warning')).toContain('CRITICAL: 1 error new in 1 store, 1 known, 2 accepted |');
  });
  it('has one bar, on the first line', () => {
    const lines = renderNagios(hostileResult(), 'warning').split('\n');
    expect(lines.map((line) => line.split('|').length - 1).filter((bars) => bars > 0)).toEqual([1]);
  });
});

describe('markdown', () => {
  it.each([
    ['- a', '\\- a'],
    ['1. a', '1\\. a'],
    ['12) a', '12\\) a'],
    ['03 Jul 05:00', '03 Jul 05:00'],
    ['=== a', '\\=== a'],
    ['a | b `c` <d> #1', 'a \\| b \\`c\\` &lt;d&gt; \\#1'],
    ['see https://example.org and www.example.org', 'see https:\u2060//example.org and www\u2060.example.org'],
    ['@anna', '@\u2060anna'],
  ])('leaves a text a text: %s', (said, wanted) => {
    expect(markdownText(said)).toBe(wanted);
  });

  it('says how bad it is, where exactly, and what to do where there is no repair', () => {
    const one = finding(hermesStore, { checkId: 'db/invalid-json', session: '20260814_103140', location: { path: hermesStore.path, table: 'messages', row: '16' }, details: ['said'], evidence: { rows: [16], tried: [{ cause: 'daily' }] } });
    const page = renderMarkdown(result([hermesStore], [one]), []);
    for (const line of ['Data is lost or out of reach now, for the version that reads this store.', '| where | `state.db table messages row 16` |', '| session | `20260814_103140` |', '| fix | none; what to do: `sessionfsck explain db/invalid-json` |']) expect(page).toContain(line);
    expect(page).not.toContain('| tried |');
  });

  it('leaves no tag, link, line break or mention of a store alive', () => {
    const rendered = renderMarkdown(hostileResult(), [hostile]);
    const outsideCode = rendered.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
    expect(outsideCode).not.toMatch(/<(script|img)|[^\\]\]\(|^# h/im);
    expect(rendered).not.toMatch(/[\u001b\u202e]/);
  });
  it('begins with the verdict and what to do, and has each finding with its numbers', () => {
    const rendered = renderMarkdown(everyKind(), []);
    expect(rendered.indexOf('## In the next ten minutes')).toBeLessThan(rendered.indexOf('### ERROR'));
    expect(rendered.match(/^### /gm)).toHaveLength(everyKind().findings.length);
    expect(rendered).toContain('| hidden rows | `112` |');
  });
});

describe('text', () => {
  it('begins with what to do, by store, and ends with the plan command first among the commands', () => {
    const lines = renderText(everyKind(), text).split('\n');
    expect(lines[0]).toBe('In the next ten minutes  mimocode  mimocode.db');
    expect(lines.filter((line) => line.startsWith('In the next ten minutes'))).toHaveLength(4);
    expect(lines.find((line) => line.startsWith('Next:'))).toMatch(/^Next: {2}sessionfsck plan ~\/\.openclaw -o plan\.json /);
  });
  it('fits 80 columns wherever words can be broken', () => {
    const breakable = renderText(everyKind(), text).split('\n').filter((line) => line.trim().split(/ +/).every((word) => word.length < 60));
    expect(breakable.filter((line) => line.length > 80)).toEqual([]);
  });
  it('gives a healthy store its one line, and nothing when quiet', () => {
    expect(renderText(result([healthyStore], []), text)).toBe('opencode  opencode.db  4 sessions, 37 rows read: nothing found\n');
    expect(renderText(result([healthyStore], []), { ...text, quiet: true })).toBe('');
  });
  it('lets nothing move the cursor', () => {
    expect(renderText(hostileResult(), { ...text, verbose: true, paths: [hostile] })).not.toMatch(/[\u001b\u202e\r]/);
  });
});

describe.skipIf(!hasRealStores)('every labelled store (skipped where they do not lie beside the project)', () => {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  const validReport = ajv.compile(JSON.parse(readFileSync(join(projectRoot, 'docs/report.schema.json'), 'utf8')));
  const sarifAjv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  formats.default(sarifAjv);
  const { $schema: _draft, id: _id, ...schema } = JSON.parse(readFileSync(require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8')) as { $schema: string; id: string };
  const validSarif = sarifAjv.compile(schema);
  const stores = hasRealStores ? readdirSync(realStores, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name) : [];
  const now = Date.parse('2026-12-01T12:00:00Z');
  it.each(stores)('%s is valid in every format', { timeout: 120_000 }, async (name) => {
    const one = await scan([join(realStores, name, 'store')], { zone: 'UTC', now });
    validReport(JSON.parse(renderJson(one)));
    validSarif(JSON.parse(renderSarif(one, metas)));
    expect([validReport.errors, validSarif.errors]).toEqual([null, null]);
    const page = renderHtml(one, { now, zone: 'UTC', paths: [], checks: metas, pages: new Map(), timelines: new Map() });
    const rendered = [page, renderMarkdown(one, []), renderText(one, text), renderNagios(one, 'warning'), renderPrometheus(one, { now })];
    for (const each of rendered) expect(each).not.toMatch(/\bNaN\b|\bundefined\b|\[object |Infinity/);
    expect(page.match(/<article/g)?.length ?? 0).toBe(one.findings.length);
  });
});
