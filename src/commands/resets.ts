import { InvalidArgumentError, type Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf } from './options.ts';
import { printData, textOptions } from './output.ts';

type Own = { since?: number; until?: number; session?: string; unexplained?: boolean };

const ownHelp = `
An end that nothing explains, and a chat that lost its session repeatedly within
one policy day, count as warnings; one that only another zone explains as info.
`;

function time(value: string): number {
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('a time looks like 2026-07-03 or 2026-07-03T04:23:04Z.');
  return ms;
}

export function define(program: Command): void {
  program
    .command('resets')
    .argument('[PATH...]', "state folders, databases or transcripts (default: this user's stores)")
    .description('who ended which chat, when, and whether the policy explains it')
    .option('--since <ISO>', 'only ends at or after', time)
    .option('--until <ISO>', 'only ends before', time)
    .option('--session <ID>', 'only this session (id or its beginning) or chat (key or a part of it)')
    .option('--unexplained', 'only what the policy of the given zone does not explain')
    .addHelpText('after', ownHelp + exitCodeHelp)
    .action(async (paths: string[], own: Own, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, ['text', 'json']);
      const { collectResets, resetsExitCode } = await import('../checks/collect-resets.ts');
      const { zoneNamed, utc } = await import('../model/zone.ts');
      const scanOptions = scanOptionsOf(options);
      const { stores, errors, zone } = await collectResets(paths, scanOptions, own);
      if (format === 'json') printData((await import('../report/resets-json.ts')).renderResetsJson(stores, errors));
      else printData((await import('../report/resets.ts')).renderResets(stores, errors, zoneNamed(zone) ?? utc, { ...textOptions(options, paths), onlyUnexplained: own.unexplained ?? false }));
      process.exitCode = resetsExitCode(stores, errors, options.failOn);
    });
}
