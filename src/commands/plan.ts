import type { Command } from 'commander';
import type { Action } from '../model/step.ts';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf } from './options.ts';
import { printData, printNote, printUnread, textOptions } from './output.ts';

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
      const { watched } = await import('./watch.ts');
      const { openShelf } = await import('../io/shelf.ts');
      const { planJson } = await import('../report/plan-json.ts');
      const { printable } = await import('../report/printable.ts');
      const shelf = openShelf(options.snapshotDir ?? null);
      try {
        const { plan, errors, read, unknown } = await watched(scanOptionsOf(options), options, (watchedOptions) =>
          makePlan(paths, watchedOptions, own.session ?? [], (actions) => {
            const get = shelf.put(JSON.stringify(actions));
            return () => JSON.parse(get()) as Action[];
          }),
        );
        // A plan without anything in it would stand in the way of the next try.
        const nothingRead = errors.length > 0 && read === 0;
        if (own.output !== undefined && !nothingRead) (await import('../journal/plan-file.ts')).writePlan(own.output, planJson(plan), own.force ?? false);
        printUnread(errors);
        for (const name of unknown) printNote(printable(`no finding is of ${name}: --session takes a session id or a chat key, whole`));
        const pieces = format === 'json' ? planJson(plan) : nothingRead ? [] : (await import('../report/plan.ts')).planText(plan, own.output ?? null, textOptions(options, paths));
        for (const piece of pieces) printData(piece);
        process.exitCode = plan.stores.length === 0 && errors.length > 0 ? 2 : 0;
      } finally {
        shelf.close();
      }
    });
}
