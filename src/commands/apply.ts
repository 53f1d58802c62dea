import { Option, type Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions } from './options.ts';
import { printData, textOptions } from './output.ts';
import { parseWait, undoOptionsText } from './repair-options.ts';

type Own = { dryRun?: boolean; allow?: string; step?: string[]; journalDir?: string; wait?: number };

export function define(program: Command): void {
  program
    .command('apply')
    .argument('<FILE>', 'a plan; or the id of an interrupted journal, to finish it')
    .description('do the steps of a plan; prints the journal and how to take it back')
    .option('--dry-run', 'check everything, write nothing')
    .addOption(new Option('--allow <CLASS>', 'also steps of this class').choices(['judgement']))
    .option('--step <ID>', 'only this step, whatever its class; 3-9 for several (repeatable)', (value: string, previous: string[] = []) => [...previous, ...value.split(',')])
    .option('--journal-dir <DIR>', 'where journals are kept')
    .option('--wait <SECONDS>', 'wait for a store that is in use', parseWait)
    .addHelpText('after', exitCodeHelp)
    .action(async (file: string, own: Own, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, ['text', 'json']);
      const { applyPlan, resumeJournal } = await import('../journal/apply.ts');
      const { isJournalId, journalsFolder } = await import('../journal/journal-file.ts');
      const { readPlan } = await import('../journal/plan-file.ts');
      const { keptPlan } = await import('../journal/execute.ts');
      const { rescanAs } = await import('./planning.ts');
      const { existsSync } = await import('node:fs');
      const { join, resolve } = await import('node:path');
      const journals = resolve(journalsFolder(own.journalDir));
      const settings = { journals, allowJudgement: own.allow === 'judgement', steps: own.step ?? null, dryRun: own.dryRun ?? false, waitMs: (own.wait ?? 0) * 1000 };
      let result: Awaited<ReturnType<typeof applyPlan>>;
      if (isJournalId(file) && !existsSync(file)) {
        const kept = existsSync(join(journals, file, 'plan.json')) ? keptPlan(join(journals, file)).scan : null;
        const hooks = kept === null ? { rescan: async () => [] } : rescanAs(kept, options.snapshotDir);
        result = await resumeJournal(file, settings, hooks);
      } else {
        const { plan, text } = readPlan(file);
        result = await applyPlan(plan, text, settings, rescanAs(plan.scan, options.snapshotDir));
      }
      if (format === 'json') printData(`${(await import('../report/printable.ts')).safeJson({ schemaVersion: 1, ...result }, 2)}\n`);
      else printData((await import('../report/apply.ts')).renderApply(result, textOptions(options, []), undoOptionsText(own.journalDir)));
      const refusedAll = result.done.length === 0 && result.skipped.length > 0;
      process.exitCode = result.rolledBack !== null ? 2 : refusedAll ? 3 : 0;
    });
}
