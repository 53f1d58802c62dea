import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { UsageError } from '../model/errors.ts';
import { exitCodeFor, resultFormats, type ResultFormat } from './emit.ts';
import { exitCodeHelp, formatOf, globalOptions, scanOptionsOf, type GlobalOptions } from './options.ts';
import { printNote } from './output.ts';
import { stateFile } from './state.ts';

type AuditOptions = {
  output?: string;
  metrics?: string;
  baseline?: string;
  updateBaseline?: boolean;
  acknowledge?: string[];
  reason?: string;
  until?: string;
  rotate?: number;
  lock?: string;
};

const help = `
Silent, with exit code 0, while nothing is new. New is what the baseline does
not know, what became more severe, and what was accepted until a date that is
over. Formats: ${resultFormats.join(', ')}.
prometheus counts everything, apart also what is new, known and accepted; sarif
lists everything with its baselineState; nagios has the exit codes of the
monitoring plugins: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN.
`;

const words = (value: string, previous: string[] = []): string[] => [...previous, ...value.split(',').filter((word) => word !== '')];

function parseNights(value: string): number {
  const nights = Number(value);
  if (!Number.isInteger(nights) || nights < 1 || nights > 10_000) throw new InvalidArgumentError('a number of nights looks like 7.');
  return nights;
}

function parseDay(value: string): string {
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('a date looks like 2027-01-31.');
  return new Date(ms).toISOString();
}

export function define(program: Command): void {
  program
    .command('audit')
    .argument('[PATH...]', "state folders, databases or transcripts (default: this user's stores)")
    .description('scan for cron: compare with a baseline, speak only when something is new')
    .option('--baseline <FILE>', 'findings that are known')
    .option('--update-baseline', 'write what is found now to the baseline; without one, make it')
    .option('--acknowledge <FINGERPRINT>', 'accept these findings in the baseline (repeatable, or comma-separated)', words)
    .option('--reason <TEXT>', 'why they are accepted')
    .option('--until <DATE>', 'until when; then they are reported again', parseDay)
    .option('--rotate <NIGHTS>', 'each night another part of the sessions, all of them within so many nights', parseNights)
    .option('--lock <FILE>', "lock against overlapping audits (default: in this user's state folder)")
    .option('-o, --output <FILE>', 'write to a file, whole or not at all, instead of stdout')
    .option('--metrics <FILE>', 'also write metrics for node_exporter to a file, from the same scan')
    .addHelpText('after', help + exitCodeHelp)
    .action(async (paths: string[], own: AuditOptions, command: Command) => {
      const options = globalOptions(command);
      const format = formatOf(options, resultFormats);
      checkUsage(own, options);
      process.exitCode = await audit(paths, own, options, format);
    });
}

function checkUsage(own: AuditOptions, options: GlobalOptions): void {
  if ((own.updateBaseline || own.acknowledge) && own.baseline === undefined) throw new UsageError('there is no baseline to write to', 'name it with --baseline FILE');
  if (own.acknowledge && (own.reason === undefined || own.reason.trim() === '')) throw new UsageError('an accepted finding needs a reason', 'say why with --reason TEXT');
  if (!own.acknowledge && (own.reason !== undefined || own.until !== undefined)) throw new UsageError('--reason and --until belong to --acknowledge', 'name the findings with --acknowledge FINGERPRINT');
  if (own.until !== undefined && Date.parse(own.until) <= (options.now ?? Date.now())) throw new UsageError(`--until ${own.until} is over already`, 'name a day to come, such as 2027-01-31, or leave it out');
  if (own.rotate !== undefined && options.shard) throw new UsageError('--rotate and --shard both choose the part to look at', 'leave one of them out');
}

async function audit(paths: readonly string[], own: AuditOptions, options: GlobalOptions, format: ResultFormat): Promise<number> {
  const { readBaseline, writeBaseline } = await import('../io/baseline-file.ts');
  const { takeRunLock } = await import('../io/run-lock.ts');
  const { removeLeftovers } = await import('../io/temp.ts');
  const { acknowledge, emptyBaseline, standings, updateBaseline } = await import('../model/baseline.ts');
  const { scan } = await import('../checks/scan.ts');
  const { speak, whatIsNew, writeMetrics } = await import('./audit-output.ts');
  const { watched } = await import('./watch.ts');
  const now = options.now ?? Date.now();
  const shard = own.rotate === undefined ? (options.shard ?? null) : nightShard(own.rotate, now);
  const accepted = own.acknowledge ?? [];
  const release = takeRunLock(own.lock ?? defaultLock(own.baseline, paths), new Date(now).toISOString());
  try {
    // Read under the lock: another audit may have written it until now.
    const baseline = own.baseline === undefined ? emptyBaseline : readBaseline(own.baseline, own.updateBaseline === true || accepted.length > 0);
    removeLeftovers(options.snapshotDir ?? null);
    const result = await watched({ ...scanOptionsOf(options), shard }, options, (watchedOptions) => scan(paths, watchedOptions));
    const unknown = accepted.filter((fingerprint) => ![...result.findings, ...baseline.findings].some((known) => known.fingerprint === fingerprint));
    if (unknown.length > 0) throw new UsageError(`no finding here has the fingerprint ${unknown.join(', ')}`, 'sessionfsck audit --format jsonl shows the fingerprints');
    const scope = { shard, minSeverity: options.minSeverity, deep: options.deep ?? false, now };
    const updated = updateBaseline(baseline, result, scope, own.updateBaseline ? null : (finding) => accepted.includes(finding.fingerprint));
    const next = acknowledge(updated, accepted, own.reason ?? '', own.until ?? null);
    // What is accepted now is no news; what is only taken as known is still said once.
    const stands = standings(result.findings, baseline, now);
    for (const [fingerprint, standing] of standings(result.findings, next, now)) if (accepted.includes(fingerprint)) stands.set(fingerprint, standing);
    const shown = whatIsNew(result, stands, own.baseline !== undefined);
    const outcome = { result, shown, stands };
    await speak(outcome, own, { ...options, now, quiet: true }, format, paths);
    if (own.baseline !== undefined && (own.updateBaseline || accepted.length > 0)) {
      writeBaseline(own.baseline, next);
      if (!options.quiet) printNote(`written: ${own.baseline}, ${next.findings.length} known`);
    }
    if (own.metrics !== undefined) writeMetrics(own.metrics, own.updateBaseline ? { ...outcome, stands: standings(result.findings, next, now) } : outcome, now);
    // What was just written to the baseline is known from now on.
    return exitCodeFor(own.updateBaseline ? { ...shown, findings: [] } : shown, format, options);
  } finally {
    release();
  }
}

/** The part for this night: days of the calendar (UTC), counted through. */
function nightShard(nights: number, now: number): { index: number; total: number } {
  return { index: (Math.floor(now / 86_400_000) % nights) + 1, total: nights };
}

function defaultLock(baseline: string | undefined, paths: readonly string[]): string {
  const subject = baseline === undefined ? paths.map((path) => resolve(path)).join('\0') : resolve(baseline);
  return stateFile(`audit-${createHash('sha256').update(subject).digest('hex').slice(0, 12)}.lock`);
}
