import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../src/checks/scan.ts';
import type { ScanResult } from '../../src/model/finding.ts';
import { inShard } from '../../src/model/shard.ts';
import { mergeReports } from '../../src/report/merge.ts';
import { runCli } from '../helpers/cli.ts';
import { projectRoot, temporaryFolder } from '../helpers/paths.ts';
import { everyKind, healthyStore, result } from '../helpers/results.ts';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
formats.default(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(join(projectRoot, 'docs/report.schema.json'), 'utf8')));

const part = (whole: ScanResult, index: number, total: number): ScanResult => {
  const findings = whole.findings.filter((finding) => inShard(finding.session ?? finding.store, { index, total }));
  return { ...result(whole.stores, findings, { checksRun: whole.checksRun }), shard: `${index}/${total}` };
};

function merge(files: Record<string, unknown>, ...args: string[]): { code: number | null; report: ScanResult; stderr: string } {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  const run = runCli(['merge', ...args, '--json'], { cwd: folder });
  return { code: run.code, stderr: run.stderr, report: run.stdout === '' ? result([], []) : (JSON.parse(run.stdout) as ScanResult) };
}

describe('merge', () => {
  it('makes of all shards what one run would have given', () => {
    const whole = everyKind();
    const merged = mergeReports([3, 1, 2].map((index) => ({ host: null, report: part(whole, index, 3) })));
    expect({ ...merged, findings: merged.findings.map((finding) => finding.fingerprint).sort() }).toEqual({
      ...whole, ok: undefined, findings: whole.findings.map((finding) => finding.fingerprint).sort(), stores: [...whole.stores].sort((a, b) => (a.id < b.id ? -1 : 1)),
    });
    expect(exitCodeOf(merged)).toBe(exitCodeOf(whole));
  });

  it('counts a finding once that two reports of one host have', () => {
    const whole = everyKind();
    expect(mergeReports([{ host: 'a', report: whole }, { host: 'a', report: whole }]).findings).toHaveLength(whole.findings.length);
    expect(mergeReports([{ host: 'a', report: whole }, { host: 'b', report: whole }]).findings).toHaveLength(2 * whole.findings.length);
  });

  it('names hosts after their files or --host, in a valid report with the exit code of one run', () => {
    const { code, report } = merge({ 'web1.json': everyKind(), 'x.json': result([healthyStore], []) }, 'web1.json', '--host', 'web2=x.json');
    expect(code).toBe(1);
    expect([...new Set(report.stores.map((store) => store.host))].sort()).toEqual(['web1', 'web2']);
    expect(report.findings.every((finding) => finding.host === 'web1' && finding.store.startsWith('web1:'))).toBe(true);
    validate(report);
    expect(validate.errors).toBeNull();
  });

  it('joins shards of one host without naming it', () => {
    const whole = everyKind();
    const { code, report } = merge({ 'a.json': part(whole, 1, 2), 'b.json': part(whole, 2, 2) }, 'a.json', 'b.json');
    expect(code).toBe(1);
    expect(report.shard).toBeUndefined();
    expect(Object.keys(report)).toEqual(Object.keys(whole));
    expect(report.findings).toHaveLength(whole.findings.length);
    expect(report.findings.some((finding) => finding.host !== undefined)).toBe(false);
    validate(report);
    expect(validate.errors).toBeNull();
  });

  it('does not call it clean when a shard is missing', () => {
    const { code, report } = merge({ 'a.json': part(result([healthyStore], []), 1, 3) }, 'a.json');
    expect(code).toBe(2);
    expect(report.errors[0]?.message).toContain('the reports of shard 2/3, 3/3 are not among these');
  });

  it('keeps what could not be read, as exit code 2', () => {
    const unread = result([], [], { errors: [{ store: null, message: '/x may not be read', path: '/x' }], ok: false });
    expect(merge({ 'a.json': unread, 'b.json': everyKind() }, 'a.json', 'b.json').code).toBe(2);
  });

  it.each([
    ['no JSON', '{', 'a.json is no report'],
    ['another version', { schemaVersion: 2 }, 'schemaVersion is 2, not 1'],
    ['a broken finding', { ...result([], []), findings: [{}] }, 'findings[0] is no finding'],
  ])('refuses %s and says how to make a report', (_name, content, message) => {
    const run = merge({ 'a.json': content }, 'a.json');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
    expect(run.stderr).toContain('sessionfsck scan --json -o FILE');
  });

  it('joins what can be read of a hundred reports, and names the one that cannot', () => {
    const files: Record<string, unknown> = {};
    for (let index = 0; index < 100; index++) files[`web${index}.json`] = index === 42 ? '{"schemaVersion":1,"tool"' : index === 43 ? { ...everyKind(), schemaVersion: 2 } : index === 7 ? everyKind() : result([healthyStore], []);
    const { code, report, stderr } = merge(files, ...Object.keys(files), 'web100.json');
    expect(code).toBe(2);
    expect(stderr).toBe('');
    expect(report.stores).toHaveLength(97 + everyKind().stores.length);
    expect(report.findings).toHaveLength(everyKind().findings.length);
    expect(report.errors.map((error) => error.host)).toEqual(['web42', 'web43', 'web100']);
    expect(report.errors.map((error) => error.message.split('.json ')[1]?.slice(0, 12))).toEqual(['is no report', 'is no report', 'does not exi']);
    validate(report);
    expect(validate.errors).toBeNull();
  });

  it('keeps the same store path on two hosts apart, also when their reports are called the same', () => {
    const folder = temporaryFolder();
    for (const host of ['web1', 'web2']) {
      mkdirSync(join(folder, host));
      writeFileSync(join(folder, host, 'report.json'), JSON.stringify(everyKind()));
    }
    const run = runCli(['merge', 'web1/report.json', 'web2/report.json', 'web1/report.json', '--json'], { cwd: folder });
    const report = JSON.parse(run.stdout) as ScanResult;
    expect([...new Set(report.findings.map((finding) => finding.host))]).toEqual(['web1/report', 'web2/report']);
    expect(report.findings).toHaveLength(2 * everyKind().findings.length);
    expect(new Set(report.stores.map((store) => store.id)).size).toBe(2 * everyKind().stores.length);
  });

  it('refuses parts of two hosts that would pass for one, and takes them with names', () => {
    const [one, two] = [everyKind(), result([healthyStore], [])];
    const files = { 'a1.json': part(one, 1, 2), 'a2.json': part(one, 2, 2), 'b1.json': part(two, 1, 2), 'b2.json': part(two, 2, 2) };
    const refused = merge(files, ...Object.keys(files));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/a1\.json and b1\.json are both part 1\/2 of one host, and differ\n.*--host web1=a1\.json --host web2=b1\.json/);
    const { code, report } = merge(files, '--host', 'a=a1.json', '--host', 'a=a2.json', '--host', 'b=b1.json', '--host', 'b=b2.json');
    expect(code).toBe(1);
    expect(report.errors).toEqual([]);
    expect([...new Set(report.stores.map((store) => store.host))].sort()).toEqual(['a', 'b']);
  });
});
