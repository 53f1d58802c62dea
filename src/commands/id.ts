import type { Command } from 'commander';
import { exitCodeHelp, formatOf, globalOptions, type GlobalOptions } from './options.ts';
import { printData, wantsColor } from './output.ts';

type FoundRow = { store: string; table: string; sessionId: string; time: number };

/** The rows of these ids in the stores at a path. Throws UsageError when there is none whose ids are known. */
async function lookUp(ids: readonly string[], path: string, now: number, options: GlobalOptions): Promise<Map<string, FoundRow>> {
  const { discover, openStore } = await import('../stores/discover.ts');
  const { UsageError } = await import('../model/errors.ts');
  const found = new Map<string, FoundRow>();
  const refs = discover([path]).stores.filter((ref) => ref.product === 'opencode' || ref.product === 'mimocode');
  if (refs.length === 0) throw new UsageError(`${path} holds no opencode or MiMo-Code store`, 'name a database or the data folder it lies in');
  for (const ref of refs) {
    const opened = await openStore(ref, { snapshotDir: options.snapshotDir ?? null, inPlace: options.inPlace ?? false, deep: false, now });
    try {
      if (opened.product !== 'opencode' && opened.product !== 'mimocode') continue;
      for (const id of ids) {
        const row = opened.snapshot.findId(id);
        if (row && !found.has(id)) found.set(id, { store: ref.id, ...row });
      }
    } finally {
      opened.snapshot.close();
    }
  }
  return found;
}

export function define(program: Command): void {
  program
    .command('id')
    .argument('<ID...>', 'ids of messages, parts or sessions; write -- before one that begins with a dash')
    .description('decode an id: format, epoch candidates, times, next wrap')
    .option('--store <PATH>', 'also look the ids up in this opencode or MiMo-Code store')
    .addHelpText('after', exitCodeHelp)
    .action(async (ids: string[], { store }: { store?: string }, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, ['text', 'json']);
      const { describeId } = await import('../ids/index.ts');
      const { idsDocument, renderIds } = await import('../report/id.ts');
      const { hostZone } = await import('../checks/scan.ts');
      const now = options.now ?? Date.now();
      const zone = options.zone ?? hostZone();
      const rows = store === undefined ? null : await lookUp(ids, store, now, options);
      const descriptions = ids.map((id) => {
        const row = rows === null ? undefined : (rows.get(id) ?? null);
        return { ...describeId(id, now, row?.time ?? null), row };
      });
      if (format === 'json') {
        const { safeJson } = await import('../report/printable.ts');
        printData(`${safeJson(idsDocument(descriptions, zone), 2)}\n`);
      } else {
        const { styleFor } = await import('../report/style.ts');
        printData(renderIds(descriptions, zone, styleFor(wantsColor(options))));
      }
    });
}
