import type { Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf } from './options.ts';
import { printData, printUnread, textOptions } from './output.ts';

export function define(program: Command): void {
  program
    .command('recover')
    .argument('[PATH...]', "state folders, databases or transcripts (default: this user's stores)")
    .description('write out messages that no reader shows any more; changes nothing')
    .requiredOption('-o, --output <DIR>', 'a folder that does not exist yet, or is empty')
    .addHelpText('after', `\nExit code 1 also says that a text could not be found, or that a copy or a\ndamaged database could not be read.\n${exitCodeHelp}`)
    .action(async (paths: string[], own: { output: string }, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, ['text', 'json']);
      const { resolve } = await import('node:path');
      const folder = resolve(own.output);
      const { watched } = await import('./watch.ts');
      const { writeRecoveries } = await import('./recovery-files.ts');
      const { rows, unsearched, errors } = await watched(scanOptionsOf(options), options, (watchedOptions) => writeRecoveries(paths, watchedOptions, folder));
      const { safeJson } = await import('../report/printable.ts');
      printUnread(errors);
      if (format === 'json') printData(`${safeJson({ schemaVersion: 1, folder, recovered: rows, unsearched, errors }, 2)}\n`);
      else if (rows.length > 0 || unsearched.length > 0 || errors.length === 0) printData((await import('../report/recovery.ts')).renderRecovery({ rows, unsearched, folder }, textOptions(options, paths)));
      const left = unsearched.length > 0 || rows.some((row) => row.problem !== null || row.notFound > 0);
      process.exitCode = errors.length > 0 ? 2 : left ? 1 : 0;
    });
}
