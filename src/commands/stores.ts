import type { Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf } from './options.ts';
import { printData, textOptions } from './output.ts';

export function define(program: Command): void {
  program
    .command('stores')
    .argument('[PATH...]', "state folders, databases or transcripts (default: this user's stores)")
    .description('what was recognised, how it would be read, sizes, versions, live holders')
    .addHelpText('after', exitCodeHelp)
    .action(async (paths: string[], _options: unknown, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, ['text', 'json']);
      const { collectStores } = await import('../checks/collect-stores.ts');
      const { stores, errors } = await collectStores(paths, scanOptionsOf(options));
      if (format === 'json') {
        const { safeJson } = await import('../report/printable.ts');
        printData(`${safeJson({ schemaVersion: 1, stores, errors }, 2)}\n`);
      } else {
        const { renderStores } = await import('../report/stores.ts');
        const { defaultPlaces } = await import('../stores/discover.ts');
        printData(renderStores(stores, errors, paths.length === 0 ? defaultPlaces() : [], textOptions(options, paths)));
      }
      process.exitCode = errors.length > 0 ? 2 : 0;
    });
}
