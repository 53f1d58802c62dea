import type { Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions } from './options.ts';
import { printData, wantsColor } from './output.ts';

export function define(program: Command): void {
  program
    .command('id')
    .argument('<ID...>', 'ids of messages, parts or sessions; write -- before one that begins with a dash')
    .description('decode an id: format, epoch candidates, times, next wrap')
    .addHelpText('after', exitCodeHelp)
    .action(async (ids: string[], _options: unknown, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, ['text', 'json']);
      const { describeId } = await import('../ids/index.ts');
      const { idsDocument, renderIds } = await import('../report/id.ts');
      const { hostZone } = await import('../checks/scan.ts');
      const now = options.now ?? Date.now();
      const zone = options.zone ?? hostZone();
      const descriptions = ids.map((id) => describeId(id, now));
      if (format === 'json') {
        const { safeJson } = await import('../report/printable.ts');
        printData(`${safeJson(idsDocument(descriptions, zone), 2)}\n`);
      } else {
        const { styleFor } = await import('../report/style.ts');
        printData(renderIds(descriptions, zone, styleFor(wantsColor(options))));
      }
    });
}
