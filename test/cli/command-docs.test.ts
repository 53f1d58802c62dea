import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli.ts';
import { projectRoot, temporaryFolder } from '../helpers/paths.ts';

const program = createProgram();
const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

describe('docs/cli.md, the man page and the completions', () => {
  it('are what the command tree gives (npm run command-docs writes them)', () => {
    const run = spawnSync(process.execPath, [join(projectRoot, 'scripts/command-docs.mjs'), '--check'], { encoding: 'utf8' });
    expect(`${run.stdout}${run.stderr}`).toBe('');
    expect(run.status).toBe(0);
  });

  it('have every command with every option, and each of them is described', () => {
    const page = read('docs/cli.md');
    const man = read('docs/sessionfsck.1').replaceAll('\\-', '-');
    const missing: string[] = [];
    for (const command of program.commands) {
      if (!page.includes(`\n## ${command.name()}\n`) || !man.includes(`sessionfsck ${command.name()}`)) missing.push(command.name());
      if (command.description() === '') missing.push(`${command.name()}: no description`);
      for (const option of [...program.options, ...command.options]) {
        const flags = option.flags.replaceAll('|', '\\|');
        if (!page.includes(`\`${flags}\``) || !man.includes(option.flags)) missing.push(`${command.name()} ${option.flags}`);
        if (option.description === '') missing.push(`${command.name()} ${option.flags}: no description`);
      }
    }
    expect(missing).toEqual([]);
  });

  it('name each exit code whole, and once', () => {
    const page = /## Exit codes\n([^]*?)\n## /.exec(read('docs/cli.md'))?.[1] ?? '';
    expect([...page.matchAll(/^- \*\*([\d, ]+)\*\* /gm)].map((match) => match[1])).toEqual(['0', '1', '2', '3', '130, 143, 129']);
    expect(/\.SH EXIT STATUS\n([^]*?)\n\.SH /.exec(read('docs/sessionfsck.1'))?.[1]?.match(/^\.B .*$/gm)).toEqual(['.B 0', '.B 1', '.B 2', '.B 3', '.B 130, 143, 129']);
  });

  it('name the exit codes in every --help', () => {
    const silent = program.commands.filter((command) => {
      let text = '';
      command.configureOutput({ writeOut: (chunk) => (text += chunk) });
      command.outputHelp();
      return !text.includes('Exit codes:');
    });
    expect(silent.map((command) => command.name())).toEqual([]);
  });
});

describe('completions', () => {
  const bin = (): string => {
    const folder = join(temporaryFolder(), 'bin');
    mkdirSync(folder);
    symlinkSync(join(projectRoot, 'bin/sessionfsck.js'), join(folder, 'sessionfsck'));
    return folder;
  };
  const env = (): Record<string, string | undefined> => ({ ...process.env, PATH: `${bin()}:${process.env.PATH}` });

  it.skipIf(!existsSync('/bin/bash'))('bash completes commands, options, values and checks (skipped without bash)', () => {
    const complete = (...words: string[]): string[] => {
      const script = `source ${join(projectRoot, 'docs/completions/sessionfsck.bash')}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _sessionfsck; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return spawnSync('/bin/bash', ['--norc', '-c', script], { encoding: 'utf8', env: env(), cwd: '/' }).stdout.split('\n').filter(Boolean);
    };
    expect(complete('sessionfsck', 'sc')).toEqual(['scan']);
    expect(complete('sessionfsck', 'audit', '--base')).toEqual(['--baseline']);
    expect(complete('sessionfsck', 'scan', '--fail-on', 'w')).toEqual(['warning']);
    expect(complete('sessionfsck', 'scan', '--format', 'sa')).toEqual(['sarif']);
    expect(complete('sessionfsck', 'explain', 'db/cor')).toEqual(['db/corrupt']);
    expect(complete('sessionfsck', 'scan', '/us')).toEqual(['/usr']);
    expect(complete('sessionfsck', 'scan', '-o', '/etc/pass')).toContain('/etc/passwd');
  });

  it.skipIf(!existsSync('/usr/bin/fish'))('fish completes commands, options and values (skipped without fish)', () => {
    const complete = (line: string): string[] =>
      spawnSync('/usr/bin/fish', ['--no-config', '-c', `source ${join(projectRoot, 'docs/completions/sessionfsck.fish')}; complete -C '${line}'`], { encoding: 'utf8', env: { ...env(), HOME: temporaryFolder() } })
        .stdout.split('\n').filter(Boolean).map((text) => text.split('\t')[0] ?? '');
    expect(complete('sessionfsck sca')).toEqual(['scan']);
    expect(complete('sessionfsck audit --basel')).toEqual(['--baseline']);
    expect(complete('sessionfsck scan --fail-on war')).toEqual(['warning']);
  });

  it.skipIf(!existsSync('/usr/bin/zsh'))('zsh loads its file, and it calls no option that is not there (skipped without zsh)', () => {
    const file = join(projectRoot, 'docs/completions/_sessionfsck');
    const run = spawnSync('/usr/bin/zsh', ['-f', '-c', `autoload -Uz compinit; compinit -D; source ${file}; whence -w _sessionfsck; print $_comps[sessionfsck]`], { encoding: 'utf8', env: { ...process.env, HOME: temporaryFolder() } });
    expect(run.stdout).toBe('_sessionfsck: function\n_sessionfsck\n');
    expect(run.stderr).toBe('');
  });

  it.skipIf(!existsSync('/usr/bin/man'))('the man page is shown without a warning (skipped without man)', () => {
    const run = spawnSync('/usr/bin/man', ['--warnings', '-E', 'UTF-8', '-l', join(projectRoot, 'docs/sessionfsck.1')], { encoding: 'utf8', env: { ...process.env, MANWIDTH: '80', MANPAGER: 'cat', LC_ALL: 'C.UTF-8' } });
    expect(run.stderr).toBe('');
    expect(run.stdout).toContain('EXIT STATUS');
  });
});
