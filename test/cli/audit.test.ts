import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScanResult } from '../../src/model/finding.ts';
import { runCli, type CliRun } from '../helpers/cli.ts';
import { projectRoot, sampleData, temporaryFolder } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

const sample = join(sampleData, 'openclaw-migrated/store');
const fixed = ['--zone', 'UTC', '--now', '2026-12-01T12:00:00Z'];

function place(): { folder: string; baseline: string; audit: (...args: string[]) => CliRun } {
  const folder = temporaryFolder();
  const baseline = join(folder, 'baseline.json');
  return { folder, baseline, audit: (...args) => runCli(['audit', sample, ...fixed, ...args], { env: { XDG_STATE_HOME: join(folder, 'state') } }) };
}

describe('audit', () => {
  it('speaks of what is new, then is silent', () => {
    const { baseline, audit } = place();
    const first = audit('--baseline', baseline, '--update-baseline');
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain('migration/unimported-rows');
    expect(statSync(baseline).mode & 0o777).toBe(0o600);
    const written = readFileSync(baseline);
    expect(audit('--baseline', baseline)).toEqual({ code: 0, stdout: '', stderr: '' });
    for (const format of ['jsonl', 'markdown']) expect(audit('--baseline', baseline, '--format', format)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(audit('--baseline', baseline, '--update-baseline').stdout).toBe('');
    expect(readFileSync(baseline)).toEqual(written);
  });

  it('reports only what the baseline does not know, and accepts one with a reason until a date', () => {
    const { baseline, audit } = place();
    audit('--baseline', baseline, '--update-baseline', '--skip', 'migration');
    const run = audit('--baseline', baseline, '--format', 'jsonl');
    const rows = run.stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as { kind: string; checkId?: string; fingerprint?: string });
    expect(run.code).toBe(1);
    expect(rows.filter((row) => row.kind === 'finding').map((row) => row.checkId)).toEqual(['migration/unimported-rows']);
    const print = rows[0]?.fingerprint ?? '';
    expect(audit('--baseline', baseline, '--acknowledge', print).stderr).toContain('--reason TEXT');
    expect(audit('--baseline', baseline, '--acknowledge', print, '--reason', 'kept on purpose', '--until', '2026-12-24').code).toBe(0);
    expect(audit('--baseline', baseline)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(audit('--baseline', baseline, '--now', '2026-12-24T00:00:01Z').stdout).toContain('migration/unimported-rows');
    expect(audit('--baseline', baseline, '--acknowledge', 'ffffffffffffffff', '--reason', 'x').stderr).toContain('no finding here has the fingerprint ffffffffffffffff');
  });

  it('covers everything over the nights of a rotation', () => {
    const { baseline, audit } = place();
    for (let day = 1; day <= 3; day++) expect(audit('--baseline', baseline, '--update-baseline', '--rotate', '3', '--now', `2026-12-0${day}T03:00:00Z`).code).toBe(0);
    expect(audit('--baseline', baseline)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('is refused while another one runs, with exit code 3', () => {
    const { folder, audit } = place();
    const lock = join(folder, 'lock');
    writeFileSync(lock, JSON.stringify({ pid: process.pid, startTicks: null, since: '2026-12-01' }));
    const run = audit('--lock', lock);
    expect(run.code).toBe(3);
    expect(run.stderr).toContain(`process ${process.pid} holds ${lock} since 2026-12-01`);
  });

  it.each([
    [['--update-baseline'], 'name it with --baseline FILE'],
    [['--baseline', '/nonexistent/b.json'], 'make it with --update-baseline'],
    [['--reason', 'x'], '--acknowledge FINGERPRINT'],
    [['--rotate', '3', '--shard', '1/3'], 'leave one of them out'],
    [['--rotate', '0'], 'a number of nights looks like 7'],
    [['--baseline', 'b.json', '--acknowledge', 'x', '--reason', 'y', '--until', '2026-12-01'], 'name a day to come'],
  ])('refuses %j and says what helps', (args, advice) => {
    const run = place().audit(...args);
    expect(run.code).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(advice);
  });

  it('writes a metrics file whole, and counts what is new in it', () => {
    const { folder, baseline, audit } = place();
    const file = join(folder, 'sessionfsck.prom');
    expect(audit('--format', 'prometheus', '-o', file).code).toBe(1);
    expect(readFileSync(file, 'utf8')).toMatch(/^sessionfsck_new_findings\{.*severity="error"\} 2$/m);
    audit('--baseline', baseline, '--update-baseline');
    expect(audit('--baseline', baseline, '--format', 'prometheus', '-o', file).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(/^sessionfsck_new_findings\{.*severity="error"\} 0$/m);
    expect(readdirSync(folder).sort()).toEqual(['baseline.json', 'sessionfsck.prom', 'state']);
  });

  it('writes the metrics beside its text, from one scan, for a collector that is another user', () => {
    const { folder, baseline, audit } = place();
    const file = join(folder, 'sessionfsck.prom');
    const old = process.umask(0o077);
    try {
      expect(audit('--baseline', baseline, '--update-baseline', '--skip', 'migration', '--metrics', file).code).toBe(0);
    } finally {
      process.umask(old);
    }
    expect(statSync(file).mode & 0o777).toBe(0o644);
    expect(readFileSync(file, 'utf8')).toMatch(/^sessionfsck_new_findings\{.*severity="error"\} 0$/m);
    const run = audit('--baseline', baseline, '--metrics', file);
    expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining('migration/unimported-rows') as string });
    expect(readFileSync(file, 'utf8')).toMatch(/^sessionfsck_new_findings\{.*severity="error"\} 1$/m);
    const before = readFileSync(file);
    // A run that is refused or fails leaves the metrics of the last one, whose time then grows old.
    writeFileSync(baseline, '{');
    expect(audit('--baseline', baseline, '--metrics', file).code).toBe(2);
    expect(readFileSync(file)).toEqual(before);
    const nowhere = audit('--metrics', join(folder, 'no/x.prom'));
    expect(nowhere).toMatchObject({ code: 2, stdout: expect.stringContaining('migration/unimported-rows') as string });
    expect(nowhere.stderr).toMatch(/there is no folder .*\n.*--metrics FILE/);
  });

  it('says known and accepted apart from nothing, in each format that is not silent', () => {
    const { baseline, audit } = place();
    audit('--baseline', baseline, '--update-baseline');
    const entries = (JSON.parse(readFileSync(baseline, 'utf8')) as { findings: { fingerprint: string }[] }).findings;
    expect(entries.length).toBeGreaterThan(1);
    expect(audit('--baseline', baseline, '--acknowledge', entries[0]?.fingerprint ?? '', '--reason', 'old import').code).toBe(0);
    const nagios = audit('--baseline', baseline, '--format', 'nagios');
    expect(nagios).toMatchObject({ code: 0, stdout: expect.stringContaining(`OK: nothing new in 1 store, ${entries.length - 1} known, 1 accepted |`) as string });
    const json = JSON.parse(audit('--baseline', baseline, '--json').stdout) as ScanResult;
    expect(json.findings).toEqual([]);
    expect([json.baseline?.known, json.baseline?.accepted].map((one) => (one ? one.error + one.warning + one.info : null))).toEqual([entries.length - 1, 1]);
    const sarif = JSON.parse(audit('--baseline', baseline, '--format', 'sarif').stdout) as { runs: [{ results: { baselineState: string; suppressions?: { justification: string }[] }[] }] };
    expect(sarif.runs[0].results.map((one) => one.baselineState)).toEqual(entries.map(() => 'unchanged'));
    expect(sarif.runs[0].results.flatMap((one) => one.suppressions ?? []).map((one) => one.justification)).toEqual(['old import']);
    expect(audit('--format', 'nagios').stdout).not.toContain('known');
  });

  it('says why a known finding is told again', () => {
    const { baseline, audit } = place();
    audit('--baseline', baseline, '--update-baseline');
    const text = readFileSync(baseline, 'utf8');
    const entry = (JSON.parse(text) as { findings: { fingerprint: string }[] }).findings[0];
    audit('--baseline', baseline, '--acknowledge', entry?.fingerprint ?? '', '--reason', 'old import', '--until', '2026-12-24');
    expect(audit('--baseline', baseline, '--now', '2026-12-24T00:00:01Z').stdout).toMatch(/It was accepted until\s+2026-12-24T00:00:00\.000Z:\s+old\s+import/);
    writeFileSync(baseline, text.replaceAll('"severity": "error"', '"severity": "info"'));
    expect(audit('--baseline', baseline).stdout).toMatch(/The baseline knows it as info; it became\s+worse/);
  });

  it.each([
    ['of a later version', '{"schemaVersion":2,"kind":"sessionfsck-baseline","findings":[]}', /schemaVersion 2.*later/],
    ['that is a report', '{"schemaVersion":1,"findings":[]}', /is no baseline: its kind is missing/],
    ['that is empty', '', /is no baseline/],
    ['that is cut', '{"schemaVersion":1,"kind":"sessionfsck-baseline","findings":[{"fing', /is no baseline/],
    ['with a wrong date', '{"schemaVersion":1,"kind":"sessionfsck-baseline","findings":[{"fingerprint":"a","checkId":"b/c","store":"s","session":null,"severity":"info","firstSeen":"x","until":"soon"}]}', /findings\[0\]: until is no date/],
  ])('refuses a baseline %s, and leaves it as it is', (_name, text, message) => {
    const { baseline, audit } = place();
    writeFileSync(baseline, text);
    for (const more of [[], ['--update-baseline']]) {
      const run = audit('--baseline', baseline, ...more);
      expect(run).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toMatch(message);
    }
    expect(readFileSync(baseline, 'utf8')).toBe(text);
  });

  it.skipIf(process.getuid?.() !== 0 || !existsSync('/usr/bin/setpriv'))('does not forget a store that it may not read (skipped where this user is not root, whom nothing stops)', () => {
    const folder = temporaryFolder();
    const [kept, closed] = ['kept', 'closed'].map((name) => join(folder, name));
    for (const store of [kept, closed]) cpSync(sample, store ?? '', { recursive: true });
    const baseline = join(folder, 'baseline.json');
    spawnSync('chown', ['-R', '65534:65534', folder]);
    spawnSync('chmod', ['755', folder]);
    const audit = (...more: string[]): { status: number | null; stderr: string } =>
      spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, join(projectRoot, 'bin/sessionfsck.js'), 'audit', kept ?? '', closed ?? '', ...fixed, '--no-config', '--baseline', baseline, ...more], { encoding: 'utf8', env: { ...process.env, TMPDIR: folder, XDG_STATE_HOME: join(folder, 'state') } });
    expect(audit('--update-baseline')).toMatchObject({ status: 0 });
    const before = readFileSync(baseline);
    for (const name of readdirSync(closed ?? '', { recursive: true, encoding: 'utf8' })) if (statSync(join(closed ?? '', name)).isFile()) chmodSync(join(closed ?? '', name), 0);
    chmodSync(closed ?? '', 0);
    const run = audit('--update-baseline');
    expect(run.status).toBe(2);
    expect(run.stderr).not.toMatch(/internal error/);
    expect(readFileSync(baseline)).toEqual(before);
    chmodSync(closed ?? '', 0o755);
    expect(audit('--update-baseline').status).toBe(2);
    expect(readFileSync(baseline)).toEqual(before);
  });

  it('stays silent on a healthy store for many runs while a writer appends to it', async () => {
    const folder = temporaryFolder();
    const sessions = join(folder, 'agents/main/sessions');
    mkdirSync(sessions, { recursive: true });
    const id = '7c1e0f06-52a1-4d0e-9b1c-3f5a6d7e8f90';
    const transcript = join(sessions, `${id}.jsonl`);
    const at = (second: number): string => new Date(Date.parse('2026-11-30T12:00:00Z') + second * 1000).toISOString();
    writeFileSync(transcript, `${JSON.stringify({ type: 'session', version: 3, id, timestamp: at(0), cwd: '/srv' })}\n`);
    writeFileSync(join(sessions, 'sessions.json'), JSON.stringify({ 'agent:main:main': { sessionId: id, updatedAt: Date.parse(at(0)), sessionFile: transcript } }));
    let row = 0;
    const append = (): void => {
      row++;
      const line = JSON.stringify({ type: 'message', id: `e${String(row).padStart(7, '0')}`, parentId: row === 1 ? null : `e${String(row - 1).padStart(7, '0')}`, timestamp: at(row), message: { role: row % 2 === 1 ? 'user' : 'assistant', content: [{ type: 'text', text: 'x'.repeat(2000) }], timestamp: Date.parse(at(row)), ...(row % 2 === 1 ? {} : { stopReason: 'stop', provider: 'p', model: 'm', api: 'a' }) } });
      // In two writes: a reader may see half a line.
      appendFileSync(transcript, line.slice(0, 700));
      appendFileSync(transcript, `${line.slice(700)}\n`);
    };
    const timer = setInterval(append, 2);
    try {
      for (let run = 0; run < 6; run++) {
        const child = spawn(process.execPath, [join(projectRoot, 'bin/sessionfsck.js'), 'audit', folder, '--zone', 'UTC', '--no-config'], { env: { ...process.env, XDG_STATE_HOME: join(folder, 'state') } });
        let said = '';
        child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
        child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
        const code = await new Promise((resolve) => child.on('exit', resolve));
        expect({ run, code, said }).toEqual({ run, code: 0, said: '' });
      }
    } finally {
      clearInterval(timer);
    }
    expect(row).toBeGreaterThan(50);
  }, 120_000);

  it('leaves no private copy behind, however it is ended', async () => {
    const folder = temporaryFolder();
    const store = join(folder, 'store');
    cpSync(sample, store, { recursive: true, preserveTimestamps: true });
    const temporary = join(folder, 'tmp');
    mkdirSync(temporary);
    const env = { ...process.env, TMPDIR: temporary, XDG_STATE_HOME: join(folder, 'state') };
    const left = (): string[] => readdirSync(temporary).filter((name) => name.startsWith('sessionfsck-'));
    await untouched(store, async () => {
      for (let i = 0; i < 8; i++) {
        const child = spawn(process.execPath, [join(projectRoot, 'bin/sessionfsck.js'), 'audit', store, ...fixed, '--no-config'], { env, stdio: 'ignore' });
        const exit = new Promise((resolve) => child.on('exit', resolve));
        await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 400));
        child.kill(i % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
        await exit;
      }
      // A folder as a run that was killed while it copied leaves it: its process is gone.
      mkdirSync(join(temporary, `sessionfsck-${2 ** 22 + 12_345}-AbCdEf`));
      expect(runCli(['audit', store, ...fixed], { env: { TMPDIR: temporary, XDG_STATE_HOME: join(folder, 'state') } }).code).toBe(1);
    });
    expect(left()).toEqual([]);
    expect(existsSync(join(folder, 'state/sessionfsck'))).toBe(true);
    expect(readdirSync(join(folder, 'state/sessionfsck')).filter((name) => name.endsWith('.lock'))).toEqual([]);
  }, 120_000);
});
