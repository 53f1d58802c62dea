import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli.ts';
import { runCli } from '../helpers/cli.ts';
import { sampleData, temporaryFolder } from '../helpers/paths.ts';

/** `"$UNSET"` in a script: neither the current folder nor no restriction at all. The folder one stands in holds stores. */
const run = (args: readonly string[]): ReturnType<typeof runCli> => runCli(args, { cwd: sampleData, env: { XDG_STATE_HOME: temporaryFolder() } });
const needed: Record<string, string[]> = { plan: ['-o', '/nonexistent/p'], recover: ['-o', '/nonexistent/r'], report: ['-o', '/nonexistent/h'], bundle: ['-o', '/nonexistent/b'] };
const takers = createProgram().commands.filter((command) => command.registeredArguments.length > 0).map((command) => command.name());

describe('an empty word', () => {
  it('concerns nearly every command', () => {
    expect(takers).toEqual(expect.arrayContaining(['scan', 'audit', 'plan', 'apply', 'undo', 'merge', 'id', 'explain']));
  });

  it.each(takers)('is a usage error as the argument of %s', (name) => {
    const said = run([name, ...(needed[name] ?? []), '']);
    expect(said).toMatchObject({ code: 2, stdout: '' });
    expect(said.stderr).toContain(`argument 1 of ${name} is empty`);
  });

  it.each([
    [['scan', '.', ''], 'argument 2 of scan'],
    [['scan', '.', '-o', ''], '--output'],
    [['scan', '.', '--check', ''], '--check'],
    [['scan', '.', '--skip', ','], '--skip'],
    [['--snapshot-dir', '', 'scan', '.'], '--snapshot-dir'],
    [['scan', '.', '--config', ''], '--config'],
    [['audit', '.', '--baseline', ''], '--baseline'],
    [['plan', '.', '-o', ''], '--output'],
  ])('is a usage error in %j', (args, what) => {
    const said = run(args);
    expect(said).toMatchObject({ code: 2, stdout: '' });
    expect(said.stderr).toContain(`${what} is empty`);
  });
});
