import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { projectRoot, sampleData } from '../helpers/paths.ts';

const cli = join(projectRoot, 'bin/sessionfsck.js');
const night = join(sampleData, 'openclaw-night/store');
const wrapped = join(sampleData, 'opencode-wrap/store');
const hasScript = spawnSync('script', ['--version']).status === 0;
const clock = ['--zone', 'UTC', '--now', '2026-12-01T12:00:00Z'];

/** What a terminal of so many columns gets, stdout and stderr together. */
function onTerminal(columns: number, args: readonly string[], env: Record<string, string> = {}): string {
  const command = `stty cols ${columns}; exec ${[process.execPath, cli, ...args, ...clock].map((word) => `'${word}'`).join(' ')}`;
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', env: { ...process.env, NO_COLOR: '', FORCE_COLOR: '', TERM: 'xterm', ...env } });
  return stdout.replaceAll('\r', '');
}

const escapes = /\u001b\[[0-9;?]*[A-Za-z]/g;
/** Commands to copy, file names and paths stay in one piece, however long. */
const oneWord = (line: string): boolean => /sessionfsck |\S{60,}|\.jsonl/.test(line);

const commands: string[][] = [['scan', night], ['scan', wrapped], ['scan', night, '--show-text'], ['resets', night], ['wraps', wrapped], ['stores', night], ['watermarks', night], ['show', '-1001764402291', night, '--show-text'], ['plan', night], ['explain']];

describe('on a terminal', { skip: !hasScript }, () => {
  it.each(commands)('%s %s: 80 columns are enough, also on a wide terminal', (...args) => {
    for (const columns of [80, 200]) {
      const lines = onTerminal(columns, args.filter((word) => word !== undefined)).replace(escapes, '').split('\n');
      expect(lines.length).toBeGreaterThan(1);
      expect(lines.filter((line) => line.length > 80 && !oneWord(line))).toEqual([]);
    }
  });

  it('prose is broken earlier on a narrow one', () => {
    const long = (columns: number): number => onTerminal(columns, ['scan', wrapped]).replace(escapes, '').split('\n').filter((line) => line.length > 60).length;
    expect(long(50)).toBeLessThan(long(80));
  });

  it('colour only adds: without it every word is there', () => {
    const coloured = onTerminal(80, ['scan', wrapped]);
    expect(coloured).toMatch(escapes);
    expect(onTerminal(80, ['scan', wrapped], { NO_COLOR: '1' })).not.toMatch(escapes);
    expect(coloured.replace(escapes, '')).toBe(onTerminal(80, ['scan', wrapped], { NO_COLOR: '1' }));
    expect(coloured.replace(escapes, '')).toMatch(/^ {2}ERROR /m);
  });
});

describe('elsewhere', () => {
  it('no colour and no progress', () => {
    const run = runCli(['scan', wrapped, ...clock]);
    expect([run.stderr, escapes.test(run.stdout)]).toEqual(['', false]);
  });

  it('quiet prints nothing of a healthy store, verbose says how it was read', () => {
    expect(runCli(['scan', wrapped, '--check', 'db/corrupt', '--quiet', ...clock]).stdout).toBe('');
    expect(runCli(['scan', wrapped, '--check', 'db/corrupt', '--verbose', ...clock]).stdout).toContain('read as snapshot');
  });

  it('SIGUSR1 is answered with one line, and opens no debugger', () => {
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', `const { main } = await import(${JSON.stringify(join(projectRoot, 'dist/cli.js'))}); await main(['node', 'sessionfsck', 'explain', 'order']); process.kill(process.pid, 'SIGUSR1'); setTimeout(() => {}, 300);`], { encoding: 'utf8' });
    expect(run.stderr).toMatch(/^sessionfsck explain: running for \d+ s\n$/);
  });
});
