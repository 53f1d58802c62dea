import type { Command } from 'commander';
import { UsageError } from '../model/errors.ts';
import { exitCodeHelp, formatOf, globalOptions } from './options.ts';
import { printData, textOptions } from './output.ts';

type Own = { journalDir?: string; prune?: boolean; yes?: boolean };

export function define(program: Command): void {
  program
    .command('journals')
    .description('what was applied here, and whether it can be taken back')
    .option('--journal-dir <DIR>', 'where journals are kept')
    .option('--prune', 'remove journals that did nothing or were taken back; says which, and removes them with --yes')
    .option('--yes', 'really remove them')
    .addHelpText('after', exitCodeHelp)
    .action(async (own: Own, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, ['text', 'json']);
      const { journalsFolder, timeOfId } = await import('../journal/journal-file.ts');
      const { parseTime } = await import('../model/time.ts');
      const { journalStatuses } = await import('../journal/status.ts');
      const { prunable, removeJournal } = await import('../journal/prune.ts');
      const { safeJson } = await import('../report/printable.ts');
      const { resolve } = await import('node:path');
      const folder = resolve(journalsFolder(own.journalDir));
      const statuses = await journalStatuses(folder);
      const now = options.now ?? Date.now();
      const rows = statuses.map((status) => ({
        id: status.id,
        state: status.state,
        job: status.journal?.job ?? null,
        of: status.journal?.of ?? null,
        stores: status.journal?.stores.map((store) => store.path) ?? [],
        fixes: status.journal?.steps.map((step) => step.fix) ?? [],
        bytes: status.bytes,
        ageSeconds: (now - (parseTime(status.journal?.created) ?? timeOfId(status.id))) / 1000,
        by: status.by,
        detail: status.detail,
        undoable: status.undoable,
      }));
      const pruned = own.prune ? prunable(statuses, now).map((status) => status.id) : [];
      if (own.yes && !own.prune) throw new UsageError('--yes does nothing without --prune', 'sessionfsck journals --prune --yes removes journals');
      if (own.yes) for (const id of pruned) removeJournal(folder, id);
      if (format === 'json') {
        printData(`${safeJson({ schemaVersion: 1, folder, journals: rows, ...(own.prune ? { pruned, removed: own.yes ?? false } : {}) }, 2)}\n`);
        return;
      }
      printData((await import('../report/apply.ts')).renderJournals(rows, folder, textOptions(options, [])));
      if (own.prune) {
        printData(pruned.length === 0 ? 'Nothing to remove: no journal was taken back or did nothing.\n' : `${own.yes ? 'Removed' : 'Would remove'} ${pruned.join(', ')}${own.yes ? '' : ' (--yes removes them)'}\n`);
      }
    });
}
