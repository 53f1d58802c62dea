import type { Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf } from './options.ts';
import { printData, printNote, textOptions } from './output.ts';

type Own = { output?: string; force?: boolean; session?: string[] };

export function define(program: Command): void {
  program
    .command('plan')
    .argument('[PATH...]', "state folders, databases or transcripts (default: this user's stores)")
    .description('turn findings into repair steps; changes nothing')
    .option('-o, --output <FILE>', 'write the plan here (refused when it exists)')
    .option('--force', 'write FILE anew')
    .option('--session <ID>', 'only findings of this session or chat key (repeatable)', (value: string, previous: string[] = []) => [...previous, value])
    .addHelpText('after', exitCodeHelp)
    .action(async (paths: string[], own: Own, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, ['text', 'json']);
      const { makePlan } = await import('./planning.ts');
      const { plan, errors } = await makePlan(paths, scanOptionsOf(options), own.session ?? []);
      const { safeJson, printable } = await import('../report/printable.ts');
      const text = `${safeJson(plan, 2)}\n`;
      if (own.output !== undefined) (await import('../journal/plan-file.ts')).writePlan(own.output, text, own.force ?? false);
      for (const error of errors) printNote(printable(`unread: ${error.message}`));
      if (format === 'json') printData(text);
      else printData((await import('../report/plan.ts')).renderPlan(plan, own.output ?? null, textOptions(options, paths)));
      process.exitCode = plan.stores.length === 0 && errors.length > 0 ? 2 : 0;
    });
}
