import type { Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf } from './options.ts';
import { printData, textOptions } from './output.ts';

export function define(program: Command): void {
  program
    .command('watermarks')
    .argument('[PATH...]', "OpenClaw state folders, agent databases or transcripts (default: this user's stores)")
    .description('each ambient watermark, what it vouches for, what it hides')
    .addHelpText('after', `\nAn orphaned watermark counts as in a scan: an error where the reader honours it,\nelse a warning.\n${exitCodeHelp}`)
    .action(async (paths: string[], _options: unknown, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, ['text', 'json']);
      const { collectWatermarks } = await import('../checks/collect-watermarks.ts');
      const { atLeast } = await import('../model/finding.ts');
      const { watermarks, errors, stores } = await collectWatermarks(paths, scanOptionsOf(options));
      if (format === 'json') {
        const { safeJson } = await import('../report/printable.ts');
        printData(`${safeJson({ schemaVersion: 1, watermarks, errors }, 2)}\n`);
      } else {
        const { renderWatermarks } = await import('../report/watermarks.ts');
        printData(renderWatermarks(watermarks, errors, stores, textOptions(options, paths)));
      }
      const { failOn } = options;
      const found = failOn !== 'never' && watermarks.some((one) => one.state !== 'sound' && atLeast(one.honoured ? 'error' : 'warning', failOn));
      process.exitCode = errors.length > 0 ? 2 : found ? 1 : 0;
    });
}
