import type { Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf } from './options.ts';
import { printData, textOptions } from './output.ts';

const formats = ['text', 'json', 'jsonl'] as const;

export function define(program: Command): void {
  program
    .command('scan')
    .argument('[PATH...]', "state folders, databases or transcripts (default: this user's stores)")
    .description('run every check; changes nothing')
    .addHelpText('after', exitCodeHelp)
    .action(async (paths: string[], _options: unknown, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, formats);
      const { exitCodeOf, scan } = await import('../checks/scan.ts');
      const result = await scan(paths, scanOptionsOf(options));
      switch (format) {
        case 'json':
          printData((await import('../report/json.ts')).renderJson(result));
          break;
        case 'jsonl':
          printData((await import('../report/json.ts')).renderJsonl(result));
          break;
        case 'text':
          printData((await import('../report/text.ts')).renderText(result, textOptions(options, paths)));
          break;
      }
      process.exitCode = exitCodeOf(result, options.failOn);
    });
}
