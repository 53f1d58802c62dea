import { InvalidArgumentError, Option, type Command } from 'commander';
import { UsageError } from '../model/errors.ts';
import type { Severity } from '../model/finding.ts';
import type { Policy } from '../model/policy.ts';
import { isProduct, products } from '../model/product.ts';
import type { Shard } from '../model/shard.ts';
import type { Reader } from '../model/version.ts';
import type { FailOn, ScanOptions } from '../checks/scan.ts';
import { loadConfig } from './config.ts';

/** The options that every command takes. */
export type GlobalOptions = {
  format: string;
  json?: boolean;
  zone?: string;
  now?: number;
  reader?: Reader[];
  check?: string[];
  skip?: string[];
  minSeverity: Severity;
  failOn: FailOn;
  deep?: boolean;
  shard?: Shard;
  snapshotDir?: string;
  inPlace?: boolean;
  showText?: boolean;
  color: boolean;
  quiet?: boolean;
  verbose?: boolean;
  /** ms. */
  maxDuration?: number;
  /** `--config FILE`; false with --no-config. */
  config?: string | boolean;
  /** What the configuration file says, filled by `globalOptions`. */
  policy?: Policy;
};

export const exitCodeHelp = `
Exit codes:
  0  nothing at or above --fail-on
  1  findings remain
  2  the job could not be done (usage, unreadable store, internal error)
  3  refused for safety (store in use, changed since the plan, undo does not match)
  130, 143, 129  stopped by SIGINT, SIGTERM, SIGHUP; a change is ended first
`;

const list = (value: string, previous: string[] = []): string[] => [...previous, ...value.split(',').filter((word) => word !== '')];

function parseZone(value: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone === '' ? value : value;
  } catch {
    throw new InvalidArgumentError(`there is no time zone ${value}; IANA names look like Europe/Berlin or UTC.`);
  }
}

function parseNow(value: string): number {
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('a time looks like 2026-11-30T17:58:03Z.');
  return ms;
}

function parseReader(value: string, previous: Reader[] = []): Reader[] {
  const at = value.indexOf('@');
  const product = value.slice(0, at);
  if (at < 1 || !isProduct(product) || !/^v?\d+(\.\d+)+/.test(value.slice(at + 1))) {
    throw new InvalidArgumentError(`a reader looks like opencode@1.18.14; products are ${products.join(', ')}.`);
  }
  if (previous.some((reader) => reader.product === product)) throw new InvalidArgumentError(`${product} has a reader already; one a product.`);
  return [...previous, { product, version: value.slice(at + 1).replace(/^v/, ''), source: 'option' }];
}

function parseShard(value: string): Shard {
  const match = /^(\d+)\/(\d+)$/.exec(value);
  const index = Number(match?.[1]);
  const total = Number(match?.[2]);
  if (!match || total < 1 || index < 1 || index > total) throw new InvalidArgumentError('a shard looks like 2/8, counted from 1.');
  return { index, total };
}

const durationUnits: Record<string, number> = { '': 1000, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

function parseDuration(value: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(s|m|min|h|)$/.exec(value.trim());
  const ms = match ? Number(match[1]) * (durationUnits[match[2] ?? ''] ?? NaN) : NaN;
  if (!(ms > 0)) throw new InvalidArgumentError('a duration looks like 90s, 20m or 2h.');
  return ms;
}

/** Adds the global options to the root command; they may stand before or after the subcommand. */
export function addGlobalOptions(program: Command): void {
  program
    .option('--format <FORMAT>', 'text, json, jsonl; scan and report know more', 'text')
    .option('--json', 'same as --format json')
    .option('--zone <IANA>', "time zone of the host that wrote the store (default: this host's)", parseZone)
    .option('--now <ISO>', 'a fixed clock', parseNow)
    .option('--reader <PRODUCT@VERSION>', 'judge harm for this reader (repeatable, one a product)', parseReader)
    .option('--check <ID>', 'only these checks or areas (repeatable, or comma-separated)', list)
    .option('--skip <ID>', 'not these checks or areas', list)
    .addOption(new Option('--min-severity <SEVERITY>', 'show nothing below').choices(['error', 'warning', 'info']).default('info'))
    .addOption(new Option('--fail-on <SEVERITY>', 'lowest severity that makes the exit code 1').choices(['error', 'warning', 'info', 'never']).default('warning'))
    .option('--deep', 'also what costs more than indexes and narrow columns')
    .option('--shard <I/N>', 'only the I-th of N parts of the sessions', parseShard)
    .option('--max-duration <TIME>', 'begin nothing further after 90s, 20m or 2h; what was left out is reported (exit code 2)', parseDuration)
    .option('--snapshot-dir <DIR>', "folder for private copies (default: the system's temporary folder)")
    .option('--in-place', 'read a live database where it lies instead of a copy')
    .option('--show-text', 'show, scan, report, merge: also titles and the beginnings of texts, which are private')
    .option('--no-color', 'no colours (NO_COLOR and FORCE_COLOR are honoured)')
    .option('--config <FILE>', 'configuration (default: sessionfsck/sessionfsck.config.json in XDG_CONFIG_HOME)')
    .option('--no-config', 'no configuration file')
    .option('--quiet', 'print nothing about healthy stores')
    .option('--verbose', 'say more');
}

/**
 * The options of a command with the global ones; what the command line leaves out is taken from the configuration file.
 * Throws UsageError with every wrong key of that file.
 */
export function globalOptions(command: Command): GlobalOptions {
  const options = command.optsWithGlobals<GlobalOptions>();
  if (options.json && !['text', 'json'].includes(options.format)) throw new UsageError(`--json and --format ${options.format} ask for different formats`, 'leave one of them out');
  const config = options.config === false ? null : loadConfig(typeof options.config === 'string' ? options.config : null);
  if (config === null) return options;
  const given = (name: string): boolean => !['default', undefined].includes(command.getOptionValueSourceWithGlobals(name));
  const readers = [...(options.reader ?? []), ...config.readers.filter((reader) => !options.reader?.some((own) => own.product === reader.product))];
  return {
    ...options,
    zone: options.zone ?? (Object.keys(config.policy.zones).length > 0 ? undefined : config.zone),
    reader: readers.length > 0 ? readers : options.reader,
    check: options.check ?? config.check,
    skip: options.skip ?? config.skip,
    failOn: given('failOn') ? options.failOn : (config.failOn ?? options.failOn),
    minSeverity: given('minSeverity') ? options.minSeverity : (config.minSeverity ?? options.minSeverity),
    deep: options.deep ?? config.deep,
    snapshotDir: options.snapshotDir ?? config.snapshotDir,
    policy: config.policy,
  };
}

/** The output format that was asked for. Throws UsageError for one that this command does not have. */
export function formatOf<F extends string>(options: GlobalOptions, known: readonly F[]): F {
  const asked = options.json ? 'json' : options.format;
  const format = known.find((name) => name === asked);
  if (format === undefined) throw new UsageError(`this command has no format ${asked}; it has ${known.join(', ')}`);
  return format;
}

export function scanOptionsOf(options: GlobalOptions): ScanOptions {
  return {
    check: options.check,
    skip: options.skip,
    minSeverity: options.minSeverity,
    failOn: options.failOn,
    deep: options.deep,
    zone: options.zone,
    now: options.now,
    readers: options.reader,
    snapshotDir: options.snapshotDir,
    inPlace: options.inPlace,
    shard: options.shard,
    maxDuration: options.maxDuration,
    policy: options.policy,
  };
}
