import type { Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions } from './options.ts';
import { printData } from './output.ts';

export function define(program: Command): void {
  program
    .command('explain')
    .argument('[CHECK]', 'a check such as order/wedged-session; without one, all are listed')
    .description('what a check means, how it decides, what its fix does')
    .addHelpText('after', exitCodeHelp)
    .action(async (id: string | undefined, _options: unknown, command: Command) => {
      const format = formatOf(globalOptions(command), ['text', 'json']);
      const { allChecks } = await import('../checks/index.ts');
      const { readFileSync } = await import('node:fs');
      const { UsageError } = await import('../model/errors.ts');
      const { safeJson } = await import('../report/printable.ts');
      const page = (checkId: string): string => readFileSync(new URL(`../../docs/checks/${checkId}.md`, import.meta.url), 'utf8');
      if (id === undefined) {
        if (format === 'json') {
          printData(`${safeJson({ schemaVersion: 1, checks: allChecks.map((check) => check.meta) }, 2)}\n`);
          return;
        }
        const widest = Math.max(...allChecks.map((check) => check.meta.id.length));
        printData(allChecks.map((check) => `${check.meta.id.padEnd(widest)}  ${check.meta.severity.padEnd(7)}  ${check.meta.title}\n`).join(''));
        return;
      }
      const check = allChecks.find((candidate) => candidate.meta.id === id);
      if (!check) {
        const near = allChecks.filter((candidate) => candidate.meta.id.includes(id.split('/').at(-1) ?? id)).map((candidate) => candidate.meta.id);
        throw new UsageError(`no check is called ${id}${near.length > 0 ? `; did you mean ${near.join(', ')}?` : ''}`, 'sessionfsck explain lists all checks');
      }
      printData(format === 'json' ? `${safeJson({ schemaVersion: 1, ...check.meta, page: page(id) }, 2)}\n` : page(id));
    });
}
