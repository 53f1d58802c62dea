import { InvalidArgumentError, type Command } from 'commander';
import type { ScanResult } from '../model/finding.ts';
import type { HostFile } from './merge-inputs.ts';
import { emit, exitCodeFor, renderResult, resultFormats } from './emit.ts';
import { exitCodeHelp, formatOf, globalOptions } from './options.ts';

const help = `
Reports are those of scan --json. Reports made with --shard are taken for parts
of one host; any other is a host of its own, named after its file, unless
--host says otherwise. A report that cannot be read is named, and the others are
joined (exit code 2). Texts that a report holds are left out unless --show-text
is given. Formats: ${resultFormats.join(', ')}, and html.
`;

function parseHost(value: string, previous: HostFile[] = []): HostFile[] {
  const at = value.indexOf('=');
  if (at < 1 || at === value.length - 1) throw new InvalidArgumentError('a host looks like web1=web1.json.');
  return [...previous, { host: value.slice(0, at), file: value.slice(at + 1) }];
}

export function define(program: Command): void {
  program
    .command('merge')
    .argument('[REPORT...]', 'JSON reports of shards or hosts')
    .description('join JSON reports of shards or hosts into one')
    .option('--host <NAME=FILE>', 'a report and the host it is of (repeatable; several files may have one host)', parseHost)
    .option('-o, --output <FILE>', 'write to a file, whole or not at all, instead of stdout')
    .addHelpText('after', help + exitCodeHelp)
    .action(async (files: string[], own: { host?: HostFile[]; output?: string }, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, [...resultFormats, 'html'] as const);
      const { UsageError } = await import('../model/errors.ts');
      const named = own.host ?? [];
      if (files.length + named.length === 0) throw new UsageError('there is no report to join', 'name JSON reports: sessionfsck merge a.json b.json');
      const { mergeReports } = await import('../report/merge.ts');
      const { readInputs } = await import('./merge-inputs.ts');
      const { exitCodeOf } = await import('../checks/scan.ts');
      const { inputs, errors } = readInputs(files, named);
      const { withoutExcerpts } = await import('./excerpts.ts');
      const together = mergeReports(inputs);
      const joined = { ...together, errors: [...together.errors, ...errors] };
      const merged = options.showText ? joined : { ...joined, findings: withoutExcerpts(joined.findings) };
      const { schemaVersion, tool, ...rest } = merged;
      // The keys in the order of a scan: the joined report of all parts is the same text.
      const result: ScanResult = { schemaVersion, tool, ok: exitCodeOf(merged, options.failOn) === 0, ...rest };
      const plain = own.output === undefined ? options : { ...options, color: false };
      if (format === 'html') {
        const { htmlOf } = await import('./report.ts');
        await emit(await htmlOf(result, options, files, new Map()), own.output);
        process.exitCode = exitCodeOf(result, options.failOn);
      } else {
        await emit(await renderResult(result, format, plain, []), own.output);
        process.exitCode = await exitCodeFor(result, format, options);
      }
    });
}
