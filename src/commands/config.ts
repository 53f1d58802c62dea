import { isAbsolute, join } from 'node:path';
import { homeFolder } from '../io/home.ts';
import { kindOf, readSmallFile } from '../io/files.ts';
import { UsageError, syntaxProblem } from '../model/errors.ts';
import { severities, type Severity } from '../model/finding.ts';
import type { Ignore, Policy } from '../model/policy.ts';
import { isProduct, products } from '../model/product.ts';
import type { Reader } from '../model/version.ts';
import { isObject } from '../model/values.ts';

/** What a configuration file may set; what it leaves out keeps its default. */
export type Config = {
  path: string;
  zone?: string;
  readers: Reader[];
  check?: string[];
  skip?: string[];
  failOn?: Severity | 'never';
  minSeverity?: Severity;
  deep?: boolean;
  snapshotDir?: string;
  policy: Policy;
};

const fileName = 'sessionfsck.config.json';
const keys = ['$schema', '$comment', 'zone', 'zones', 'readers', 'severities', 'ignore', 'check', 'skip', 'failOn', 'minSeverity', 'deep', 'snapshotDir'];

/** Where a configuration file is looked for, in this order. Never the current folder: a store must not steer its own scan. */
export function configPlaces(env: Record<string, string | undefined> = process.env, home = homeFolder()): string[] {
  const own = env.XDG_CONFIG_HOME !== undefined && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : join(home, '.config');
  const system = (env.XDG_CONFIG_DIRS ?? '').split(':').filter((folder) => isAbsolute(folder));
  return [own, ...(system.length > 0 ? system : ['/etc/xdg'])].map((folder) => join(folder, 'sessionfsck', fileName));
}

/** The configuration of `--config FILE`, else the first file that is there, else null. Throws UsageError with every wrong key. */
export function loadConfig(asked: string | null, places: readonly string[] = configPlaces()): Config | null {
  const kind = asked === null ? 'file' : kindOf(asked);
  if (kind !== 'file') {
    const what = { missing: 'nothing is there', folder: 'it is a folder', other: 'it is no regular file' }[kind];
    throw new UsageError(`${asked} is no configuration file: ${what}`, 'name another one with --config FILE, or none with --no-config');
  }
  const path = asked ?? places.find((place) => kindOf(place) === 'file');
  return path === undefined ? null : parseConfig(readSmallFile(path, 1024 * 1024).toString('utf8'), path);
}

/** Reads a configuration. Throws UsageError that names every wrong key, what it holds and what belongs there. */
export function parseConfig(text: string, path: string): Config {
  let raw: unknown;
  try {
    // Some editors begin a file with a byte order mark.
    raw = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${syntaxProblem(error)}`, 'mend it, or leave it out with --no-config');
  }
  const problems: string[] = [];
  const wrong = (key: string, value: unknown, wanted: string): void => void problems.push(`${path}: ${key}: ${brief(value)} is not ${wanted}`);
  if (!isObject(raw)) throw new UsageError(`${path}: ${brief(raw)} is not an object of settings`, `known keys: ${keys.join(', ')}`);
  for (const key of Object.keys(raw)) if (!keys.includes(key)) problems.push(`${path}: there is no setting ${key}${near(key, keys)}`);

  const zone = (key: string, value: unknown): string | undefined => {
    if (typeof value === 'string' && isZone(value)) return value;
    wrong(key, value, 'a time zone such as Europe/Berlin or UTC');
    return undefined;
  };
  const oneOf = <T extends string>(key: string, value: unknown, words: readonly T[]): T | undefined => {
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) wrong(key, value, `one of ${words.join(', ')}`);
    return word;
  };
  const names = (key: string, value: unknown): string[] | undefined => {
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    wrong(key, value, 'a list of checks or areas, such as ["order", "db/corrupt"]');
    return undefined;
  };
  const entries = (key: string, value: unknown, what: string): [string, unknown][] => {
    if (isObject(value)) return Object.entries(value);
    wrong(key, value, what);
    return [];
  };

  const config: Config = { path, readers: [], policy: { source: path, severities: {}, ignores: [], zones: {} } };
  if (raw.zone !== undefined) config.zone = zone('zone', raw.zone);
  if (raw.zones !== undefined) {
    for (const [prefix, value] of entries('zones', raw.zones, 'an object of paths and zones')) {
      if (!isAbsolute(prefix)) wrong(`zones.${prefix}`, prefix, 'an absolute path');
      const name = zone(`zones.${prefix}`, value);
      if (name !== undefined) config.policy.zones[prefix] = name;
    }
  }
  if (raw.readers !== undefined) {
    for (const [product, version] of entries('readers', raw.readers, 'an object such as { "opencode": "1.18.14" }')) {
      if (!isProduct(product)) wrong(`readers.${product}`, product, `a product: ${products.join(', ')}`);
      else if (typeof version !== 'string' || !/^v?\d+(\.\d+)+/.test(version)) wrong(`readers.${product}`, version, 'a version such as "1.18.14"');
      else config.readers.push({ product, version: version.replace(/^v/, ''), source: 'option' });
    }
  }
  if (raw.severities !== undefined) {
    for (const [name, value] of entries('severities', raw.severities, 'an object of checks and severities')) {
      const severity = oneOf(`severities.${name}`, value, [...severities, 'off'] as const);
      if (severity !== undefined) config.policy.severities[name] = severity;
    }
  }
  if (raw.ignore !== undefined) {
    if (!Array.isArray(raw.ignore)) wrong('ignore', raw.ignore, 'a list');
    else for (const [index, value] of raw.ignore.entries()) {
      const ignore = parseIgnore(`ignore[${index}]`, value, wrong, (key, known) => problems.push(`${path}: there is no setting ${key}${near(key.split('.').at(-1) ?? key, known)}`));
      if (ignore) config.policy.ignores.push(ignore);
    }
  }
  if (raw.check !== undefined) config.check = names('check', raw.check);
  if (raw.skip !== undefined) config.skip = names('skip', raw.skip);
  if (config.check || config.skip) config.policy.lists = { check: config.check ?? [], skip: config.skip ?? [] };
  if (raw.failOn !== undefined) config.failOn = oneOf('failOn', raw.failOn, [...severities, 'never'] as const);
  if (raw.minSeverity !== undefined) config.minSeverity = oneOf('minSeverity', raw.minSeverity, severities);
  if (raw.deep !== undefined) {
    if (typeof raw.deep === 'boolean') config.deep = raw.deep;
    else wrong('deep', raw.deep, 'true or false');
  }
  if (raw.snapshotDir !== undefined) {
    if (typeof raw.snapshotDir === 'string' && isAbsolute(raw.snapshotDir)) config.snapshotDir = raw.snapshotDir;
    else wrong('snapshotDir', raw.snapshotDir, 'an absolute path');
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'), 'docs/configuration.md describes every key; --no-config leaves the file out');
  if (config.zone !== undefined && Object.keys(config.policy.zones).length > 0) config.policy.zones['/'] ??= config.zone;
  return config;
}

const ignoreKeys = ['check', 'session', 'store', 'fingerprint', 'reason', 'until', '$comment'];

function parseIgnore(key: string, value: unknown, wrong: (key: string, value: unknown, wanted: string) => void, unknown: (key: string, known: readonly string[]) => void): Ignore | null {
  if (!isObject(value)) {
    wrong(key, value, 'an object such as { "check": "…", "reason": "…" }');
    return null;
  }
  for (const name of Object.keys(value)) if (!ignoreKeys.includes(name)) unknown(`${key}.${name}`, ignoreKeys);
  const ignore: Ignore = { reason: '', until: null };
  for (const name of ['check', 'session', 'store', 'fingerprint'] as const) {
    const part = value[name];
    if (part === undefined) continue;
    if (typeof part === 'string' && part !== '' && (name !== 'store' || isAbsolute(part))) ignore[name] = part;
    else wrong(`${key}.${name}`, part, name === 'store' ? 'an absolute path' : 'a text');
  }
  if (!['check', 'session', 'store', 'fingerprint'].some((name) => value[name] !== undefined)) wrong(key, value, 'bound to anything: name a check, session, store or fingerprint');
  if (typeof value.reason === 'string' && value.reason.trim() !== '') ignore.reason = value.reason;
  else wrong(`${key}.reason`, value.reason, 'a reason: say why it is accepted');
  if (value.until !== undefined) {
    const until = typeof value.until === 'string' ? Date.parse(value.until) : NaN;
    if (Number.isNaN(until)) wrong(`${key}.until`, value.until, 'a date such as 2027-01-31');
    else ignore.until = until;
  }
  return ignore;
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function brief(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** `; did you mean failOn?` when a known word differs only in case, dashes or little else. */
function near(word: string, known: readonly string[]): string {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '').replace(/s$/, '');
  const match = known.find((candidate) => plain(candidate) === plain(word)) ?? known.find((candidate) => plain(word).length >= 3 && (plain(candidate).startsWith(plain(word)) || plain(word).startsWith(plain(candidate))));
  return match === undefined ? `; there are ${known.filter((name) => !name.startsWith('$')).join(', ')}` : `; did you mean ${match}?`;
}
