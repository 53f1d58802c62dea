import type { Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf } from './options.ts';
import { printData, textOptions } from './output.ts';

export function define(program: Command): void {
  program
    .command('wraps')
    .argument('[PATH...]', "state folders or databases (default: this user's stores)")
    .description('opencode and MiMo-Code sessions around an id wrap: straddling, wedged, when the next boundary comes')
    .addHelpText('after', exitCodeHelp)
    .action(async (paths: string[], _options: unknown, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, ['text', 'json']);
      const { collectWraps } = await import('../checks/collect-wraps.ts');
      const { renderWraps, renderWrapsJson } = await import('../report/wraps.ts');
      const result = await collectWraps(paths, scanOptionsOf(options));
      printData(format === 'json' ? renderWrapsJson(result) : renderWraps(result, textOptions(options, paths)));
      process.exitCode = result.errors.length > 0 ? 2 : 0;
    });
}
