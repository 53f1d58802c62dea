import { InvalidArgumentError, Option, type Command } from 'commander';
import { UsageError } from '../model/errors.ts';
import type { Severity } from '../model/finding.ts';
import { isProduct, products } from '../model/product.ts';
import type { Shard } from '../model/shard.ts';
import type { Reader } from '../model/version.ts';
import type { FailOn, ScanOptions } from '../checks/scan.ts';

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
};

export const exitCodeHelp = `
Exit codes:
  0  nothing at or above --fail-on
  1  findings remain
  2  the job could not be done (usage, unreadable store, internal error)
  3  refused for safety (store in use, changed since the plan, undo does not match)
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
  return [...previous, { product, version: value.slice(at + 1).replace(/^v/, ''), source: 'option' }];
}

function parseShard(value: string): Shard {
  const match = /^(\d+)\/(\d+)$/.exec(value);
  const index = Number(match?.[1]);
  const total = Number(match?.[2]);
  if (!match || total < 1 || index < 1 || index > total) throw new InvalidArgumentError('a shard looks like 2/8, counted from 1.');
  return { index, total };
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
    .option('--snapshot-dir <DIR>', "folder for private copies (default: the system's temporary folder)")
    .option('--in-place', 'read a live database where it lies instead of a copy')
    .option('--show-text', 'print message texts and titles, which are private')
    .option('--no-color', 'no colours (NO_COLOR and FORCE_COLOR are honoured)')
    .option('--quiet', 'print nothing about healthy stores')
    .option('--verbose', 'say more');
}

export function globalOptions(command: Command): GlobalOptions {
  return command.optsWithGlobals<GlobalOptions>();
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
  };
}
