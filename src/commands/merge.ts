import { basename, extname } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import type { ScanResult } from '../model/finding.ts';
import type { HostReport } from '../report/merge.ts';
import { emit, exitCodeFor, renderResult, resultFormats } from './emit.ts';
import { exitCodeHelp, formatOf, globalOptions } from './options.ts';

type HostFile = { host: string; file: string };

const help = `
Reports are those of scan --json. Reports made with --shard are taken for parts
of one host; any other is a host of its own, named after its file, unless
--host says otherwise. Texts that a report holds are left out unless --show-text
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
      const { readReport } = await import('../report/read-report.ts');
      const { mergeReports } = await import('../report/merge.ts');
      const { exitCodeOf } = await import('../checks/scan.ts');
      const { kindOf, readSmallFile } = await import('../io/files.ts');
      const read = (file: string): ScanResult => {
        if (kindOf(file) === 'missing') throw new UsageError(`${file} does not exist`, 'make it with sessionfsck scan --json -o FILE');
        return readReport(readSmallFile(file, 2 ** 29).toString('utf8'), file);
      };
      const inputs: HostReport[] = [...nameHosts(files.map((file) => ({ file, report: read(file) })), named.length > 0), ...named.map(({ host, file }) => ({ host, report: read(file) }))];
      const { withoutExcerpts } = await import('./excerpts.ts');
      const joined = mergeReports(inputs);
      const merged = options.showText ? joined : { ...joined, findings: withoutExcerpts(joined.findings) };
      const result: ScanResult = { ...merged, ok: exitCodeOf(merged, options.failOn) === 0 };
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

/** Shards alone are one host that needs no name; whole reports are hosts named after their files. */
function nameHosts(reports: readonly { file: string; report: ScanResult }[], othersAreNamed: boolean): HostReport[] {
  const whole = reports.filter(({ report }) => report.shard === undefined);
  if (whole.length <= 1 && whole.length === reports.length && !othersAreNamed) return reports.map(({ report }) => ({ host: null, report }));
  const taken = new Set<string>();
  return reports.map(({ file, report }) => {
    if (report.shard !== undefined) return { host: null, report };
    let host = basename(file, extname(file));
    for (let n = 2; taken.has(host); n++) host = `${basename(file, extname(file))}-${n}`;
    taken.add(host);
    return { host, report };
  });
}
