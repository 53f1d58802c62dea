import { basename, extname, resolve } from 'node:path';
import { kindOf, readSmallFile } from '../io/files.ts';
import { FriendlyError, UsageError, errorAdvice } from '../model/errors.ts';
import type { ReadError, ScanResult } from '../model/finding.ts';
import type { HostReport } from '../report/merge.ts';
import { readReport } from '../report/read-report.ts';

export type HostFile = { host: string; file: string };

/** A file that was named, and its report; null: it could not be read. */
type Read = { file: string; report: ScanResult | null };

/**
 * Reads the reports. One that cannot be read is an error of the joined report, because a host that died in the midst of its
 * scan must not hide the others. Throws what is wrong with the first one when none can be read, and UsageError when reports of
 * different hosts would pass for parts of one.
 */
export function readInputs(files: readonly string[], named: readonly HostFile[]): { inputs: HostReport[]; errors: ReadError[] } {
  const problems: { file: string; error: FriendlyError }[] = [];
  const read = (file: string): Read => {
    try {
      if (kindOf(file) === 'missing') throw new UsageError(`${file} does not exist`, 'make it with sessionfsck scan --json -o FILE');
      return { file, report: readReport(readSmallFile(file, 2 ** 29).toString('utf8'), file) };
    } catch (error) {
      if (!(error instanceof FriendlyError)) throw error;
      problems.push({ file, error });
      return { file, report: null };
    }
  };
  const once = files.filter((file, index) => files.findIndex((other) => resolve(other) === resolve(file)) === index);
  const all = [...nameHosts(once.map(read), named.length > 0), ...named.map(({ host, file }) => ({ host, ...read(file) }))];
  const inputs = all.flatMap(({ host, report }) => (report === null ? [] : [{ host, report }]));
  if (inputs.length === 0 && problems[0]) throw problems[0].error;
  refuseSameShard(all);
  const errors = problems.map(({ file, error }) => {
    const host = all.find((one) => one.file === file)?.host ?? null;
    return { store: null, message: errorAdvice(error), path: resolve(file), ...(host === null ? {} : { host }) };
  });
  return { inputs, errors };
}

/** Shards, and one report alone, need no name; other reports are hosts named after their files. */
function nameHosts(reports: readonly Read[], othersAreNamed: boolean): (Read & { host: string | null })[] {
  const isShard = ({ report }: Read): boolean => report?.shard !== undefined;
  const sharded = reports.some(isShard);
  // What cannot be read is taken for what the others are.
  const isHost = (one: Read): boolean => (one.report === null ? !sharded : !isShard(one)) && (reports.length > 1 || othersAreNamed);
  const plain = (file: string): string => basename(file, extname(file));
  const taken = new Set<string>();
  return reports.map((one) => {
    if (!isHost(one)) return { ...one, host: null };
    // web1/report.json and web2/report.json are told apart by their folders.
    const unique = reports.filter((other) => isHost(other) && plain(other.file) === plain(one.file)).length === 1;
    const name = unique ? plain(one.file) : one.file.slice(0, one.file.length - extname(one.file).length);
    let host = name;
    for (let n = 2; taken.has(host); n++) host = `${name}-${n}`;
    taken.add(host);
    return { ...one, host };
  });
}

/** Two different reports of one part are of two hosts: joined without names, one would hide the other. */
function refuseSameShard(all: readonly (Read & { host: string | null })[]): void {
  const seen = new Map<string, Read>();
  for (const one of all) {
    if (one.report?.shard === undefined) continue;
    const key = `${one.host} ${one.report.shard}`;
    const other = seen.get(key);
    if (other && JSON.stringify(other.report) !== JSON.stringify(one.report)) {
      throw new UsageError(`${other.file} and ${one.file} are both part ${one.report.shard} of ${one.host ?? 'one host'}, and differ`, `name their hosts with --host web1=${other.file} --host web2=${one.file}, or leave the older one out`);
    }
    seen.set(key, one);
  }
}
