import { join } from 'node:path';
import { kindOf, readSmallFile } from '../../io/files.ts';
import { loadYaml } from '../../io/parsers.ts';
import { errorMessage } from '../../model/errors.ts';
import type { ConfigFile, HermesConfig, ResetPolicyFacts } from './config-types.ts';
import { isObject } from '../../model/values.ts';

type Fields = { [key: string]: unknown };

const configLimit = 4 * 1024 * 1024;

/** What the YAML parser complains of and where, without the text that it quotes behind a colon: that may be a password. */
function yamlProblem(message: string): string {
  const line = message.split('\n')[0] ?? '';
  const place = / at line \d+, column \d+(?=:?$)/.exec(line);
  return `${line.slice(0, place?.index).replace(/: .*/, '')}${place?.[0] ?? ''}`;
}

/** Reads one file as YAML (JSON is YAML as well). A missing file is no problem: it is left out. */
function readFields(path: string, files: ConfigFile[]): Fields {
  if (kindOf(path) !== 'file') return {};
  const problem = (message: string, line: number | null): Fields => {
    files.push({ path, problem: { message, line } });
    return {};
  };
  let source: string;
  try {
    source = readSmallFile(path, configLimit).toString('utf8').replace(/^\ufeff/, '');
  } catch (error) {
    return problem(errorMessage(error), null);
  }
  try {
    const document = loadYaml().parseDocument(source, { uniqueKeys: false, logLevel: 'silent' });
    const first = document.errors[0];
    if (first) return problem(yamlProblem(first.message), first.linePos?.[0].line ?? null);
    const value: unknown = document.toJS({ maxAliasCount: 1000 });
    if (value === null || value === undefined) {
      files.push({ path, problem: null });
      return {};
    }
    if (!isObject(value)) return problem('it holds no mapping', null);
    files.push({ path, problem: null });
    return value;
  } catch (error) {
    return problem(yamlProblem(errorMessage(error)), null);
  }
}

function policyOf(value: unknown): ResetPolicyFacts | null {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) return { mode: null, atHour: null, idleMinutes: null, wrong: ['session_reset'] };
  const wrong: string[] = [];
  const number = (name: string, low: number, high: number): number | null => {
    const raw = value[name];
    if (raw === undefined || raw === null) return null;
    const parsed = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
    if (typeof parsed === 'number' && Number.isInteger(parsed) && parsed >= low && parsed <= high) return parsed;
    wrong.push(name);
    return null;
  };
  const rawMode = value['mode'];
  let mode: string | null = null;
  if (typeof rawMode === 'string' && ['daily', 'idle', 'both', 'none'].includes(rawMode)) mode = rawMode;
  else if (rawMode !== undefined && rawMode !== null) wrong.push('mode');
  return { mode, atHour: number('at_hour', 0, 23), idleMinutes: number('idle_minutes', 1, 10 ** 9), wrong };
}

function policiesOf(...sources: unknown[]): { [name: string]: ResetPolicyFacts } {
  const result: { [name: string]: ResetPolicyFacts } = {};
  for (const source of sources) {
    if (!isObject(source)) continue;
    for (const [name, value] of Object.entries(source)) {
      const policy = policyOf(value);
      if (policy) result[name.toLowerCase()] = policy;
    }
  }
  return result;
}

/** Storage and reset settings of a home: config.yaml, and gateway.json of older set-ups below it. Never throws for what they hold. */
export function readConfig(home: string): HermesConfig {
  const files: ConfigFile[] = [];
  const yamlPath = join(home, 'config.yaml');
  const jsonPath = join(home, 'gateway.json');
  const main = readFields(yamlPath, files);
  const old = readFields(jsonPath, files);
  const gateway = isObject(main['gateway']) ? main['gateway'] : {};
  const database = isObject(main['database']) ? main['database'] : {};
  const backend = typeof database['backend'] === 'string' ? database['backend'].trim().toLowerCase() : null;
  const stated: [unknown, string][] = [
    [main['session_reset'], yamlPath],
    [gateway['session_reset'], yamlPath],
    [gateway['default_reset_policy'], yamlPath],
    [old['session_reset'], jsonPath],
    [old['default_reset_policy'], jsonPath],
  ];
  const chosen = stated.find(([value]) => value !== undefined && value !== null);
  return {
    files,
    backend,
    backendPath: backend === null ? null : yamlPath,
    timezone: typeof main['timezone'] === 'string' && main['timezone'] !== '' ? main['timezone'] : null,
    reset: {
      standard: chosen ? policyOf(chosen[0]) : null,
      byPlatform: policiesOf(old['reset_by_platform'], gateway['reset_by_platform'], main['reset_by_platform']),
      byType: policiesOf(old['reset_by_type'], gateway['reset_by_type'], main['reset_by_type']),
      path: chosen ? chosen[1] : yamlPath,
    },
  };
}
