import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from './helpers/cli.ts';
import { projectRoot } from './helpers/paths.ts';

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');

describe('README.md', () => {
  it('shows the screen that its command prints', () => {
    const [, command, screen] = /```\n\$ sessionfsck (scan .+)\n([^`]+)```/.exec(readme) ?? [];
    const run = runCli([...command!.split(' '), '--now', '2026-12-01T12:00:00.000Z'], { cwd: projectRoot });
    expect(run.stdout).toBe(screen);
    expect(run.code).toBe(1);
  });

  it('names only commands, scripts and files that exist', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    for (const [, script] of readme.matchAll(/npm run ([\w-]+)/g)) expect(scripts).toHaveProperty(script!);
    const help = runCli(['--help']).stdout;
    for (const [, command] of readme.matchAll(/^sessionfsck (\w+)/gm)) expect(help).toMatch(new RegExp(`^  ${command} `, 'm'));
    for (const [, path] of readme.matchAll(/\]\((?!https?:)([^)]+)\)/g)) expect(() => readFileSync(join(projectRoot, path!), { flag: 'r' })).not.toThrow(/ENOENT/);
  });
});
