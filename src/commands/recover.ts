import type { Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf } from './options.ts';
import { printData, printNote, textOptions } from './output.ts';

export function define(program: Command): void {
  program
    .command('recover')
    .argument('[PATH...]', "state folders, databases or transcripts (default: this user's stores)")
    .description('write out messages that no reader shows any more; changes nothing')
    .requiredOption('-o, --output <DIR>', 'a folder that does not exist yet, or is empty')
    .addHelpText('after', exitCodeHelp)
    .action(async (paths: string[], own: { output: string }, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, ['text', 'json']);
      const { resolve } = await import('node:path');
      const folder = resolve(own.output);
      const { writeRecoveries } = await import('./recovery-files.ts');
      const { rows, errors } = await writeRecoveries(paths, scanOptionsOf(options), folder);
      const { printable, safeJson } = await import('../report/printable.ts');
      for (const error of errors) printNote(printable(`unread: ${error.message}`));
      if (format === 'json') printData(`${safeJson({ schemaVersion: 1, folder, recovered: rows, errors }, 2)}\n`);
      else printData((await import('../report/recovery.ts')).renderRecovery(rows, folder, textOptions(options, paths)));
      process.exitCode = errors.length > 0 ? 2 : 0;
    });
}
