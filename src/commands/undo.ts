import type { Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions } from './options.ts';
import { printData, textOptions } from './output.ts';
import { parseWait, undoOptionsText } from './repair-options.ts';

type Own = { dryRun?: boolean; leaveChanged?: boolean; journalDir?: string; wait?: number };

export function define(program: Command): void {
  program
    .command('undo')
    .argument('<ID>', 'a journal, as apply printed it')
    .description('take an apply (or an undo) back')
    .option('--dry-run', 'check everything, write nothing')
    .option('--leave-changed', 'leave what somebody else changed since as it is, and give back the rest')
    .option('--journal-dir <DIR>', 'where journals are kept')
    .option('--wait <SECONDS>', 'wait for a store that is in use', parseWait)
    .addHelpText('after', exitCodeHelp)
    .action(async (id: string, own: Own, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, ['text', 'json']);
      const { isJournalId, journalsFolder } = await import('../journal/journal-file.ts');
      const { undoJournal } = await import('../journal/undo.ts');
      const { UsageError } = await import('../model/errors.ts');
      const { resolve } = await import('node:path');
      if (!isJournalId(id)) throw new UsageError(`${id} is no journal id`, 'sessionfsck journals lists them');
      const result = await undoJournal(id, { journals: resolve(journalsFolder(own.journalDir)), dryRun: own.dryRun ?? false, waitMs: (own.wait ?? 0) * 1000, ...(own.leaveChanged ? { leave: () => true } : {}) });
      if (format === 'json') printData(`${(await import('../report/printable.ts')).safeJson({ schemaVersion: 1, ...result }, 2)}\n`);
      else printData((await import('../report/apply.ts')).renderUndo(result, textOptions(options, []), undoOptionsText(own.journalDir)));
    });
}
