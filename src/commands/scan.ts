import type { Command } from 'commander';
import { emit, exitCodeFor, renderResult, resultFormats } from './emit.ts';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf } from './options.ts';

const formatHelp = `
Formats: ${resultFormats.join(', ')}. nagios has the exit codes of the
monitoring plugins instead: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN.

With --show-text the text, markdown, json and jsonl formats also show what the
rows of a finding say: the beginnings of up to five of them, and the title of
its session.
`;

export function define(program: Command): void {
  program
    .command('scan')
    .argument('[PATH...]', "state folders, databases or transcripts (default: this user's stores)")
    .description('run every check; changes nothing')
    .option('-o, --output <FILE>', 'write the report to a file, whole or not at all, instead of stdout')
    .addHelpText('after', formatHelp + exitCodeHelp)
    .action(async (paths: string[], own: { output?: string }, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, resultFormats);
      const { scan } = await import('../checks/scan.ts');
      const { watched } = await import('./watch.ts');
      const texts = options.showText ? (await import('./excerpts.ts')).textCollector() : null;
      const scanned = await watched(scanOptionsOf(options), options, (watchedOptions) => scan(paths, { ...watchedOptions, onScanned: texts?.see }));
      const result = texts ? texts.attach(scanned) : scanned;
      await emit(await renderResult(result, format, own.output === undefined ? options : { ...options, color: false }, paths), own.output);
      process.exitCode = await exitCodeFor(result, format, options);
    });
}
