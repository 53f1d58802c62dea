import type { Command } from 'commander';
import type { BundleFacts, StoreShape } from '../report/bundle.ts';
import { emit } from './emit.ts';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf } from './options.ts';
import { printNote, printUnread } from './output.ts';
import { stateFile } from './state.ts';

const help = `
What is in it: findings with their numbers, times and ids, versions, the policy
and time zone that judged, names of tables. What is not: texts, titles, paths,
names of people or chats; chat keys keep their structure, with the same invented
name for the same chat in every bundle of this user. It is JSON: read it before
you send it.
`;

export function define(program: Command): void {
  program
    .command('bundle')
    .argument('[PATH...]', "state folders, databases or transcripts (default: this user's stores)")
    .description('pack findings, versions and structure for a bug report, without anything personal')
    .requiredOption('-o, --output <FILE>', 'where to write it; - for stdout')
    .addHelpText('after', help + exitCodeHelp)
    .action(async (paths: string[], own: { output: string }, command: Command) => {
      const options = globalOptions(command);
      formatOf({ ...options, format: options.format === 'text' ? 'json' : options.format }, ['json']);
      const { exitCodeOf, hostZone, scan } = await import('../checks/scan.ts');
      const { structureOf } = await import('../checks/structure.ts');
      const { renderBundle } = await import('../report/bundle.ts');
      const { readSchema } = await import('../io/sqlite-schema.ts');
      const tablesOf = (databases: readonly string[]): string[] => databases.flatMap((path) => [...(readSchema(path)?.keys() ?? [])]).sort();
      const { readSalt } = await import('../io/salt-file.ts');
      const { watched } = await import('./watch.ts');
      const structure = new Map<string, StoreShape>();
      const result = await watched(scanOptionsOf(options), options, (watchedOptions) =>
        scan(paths, { ...watchedOptions, onScanned: (opened) => void structure.set(opened.snapshot.ref.id, { ...structureOf(opened), tables: tablesOf(opened.snapshot.databases.map((database) => database.path)) }) }),
      );
      const facts: BundleFacts = {
        node: process.version,
        platform: `${process.platform} ${process.arch}`,
        policy: {
          zone: options.zone ?? hostZone(),
          zoneGiven: options.zone !== undefined,
          deep: options.deep ?? false,
          readers: (options.reader ?? []).map((reader) => `${reader.product}@${reader.version}`),
          severities: options.policy?.severities ?? {},
          ignores: options.policy?.ignores.length ?? 0,
        },
        structure,
      };
      await emit(renderBundle(result, facts, readSalt(stateFile('bundle-salt'))), own.output);
      printUnread(result.errors);
      if (own.output !== '-' && !options.quiet) printNote(`written: ${own.output}; read it before you send it`);
      process.exitCode = exitCodeOf(result, options.failOn);
    });
}
