import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
    expect(readFileSync(file, 'utf8')).toContain('sessionfsck_new_findings{severity="error"} 2\n');
    audit('--baseline', baseline, '--update-baseline');
    expect(audit('--baseline', baseline, '--format', 'prometheus', '-o', file).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('sessionfsck_new_findings{severity="error"} 0\n');
    expect(readdirSync(folder).sort()).toEqual(['baseline.json', 'sessionfsck.prom', 'state']);
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
