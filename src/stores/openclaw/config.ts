import { join } from 'node:path';
import { kindOf, readSmallFile } from '../../io/files.ts';
import { loadJson5 } from '../../io/parsers.ts';
import { errorMessage } from '../../model/errors.ts';
import type { OpenclawConfig } from './types.ts';
import { asObject } from './values.ts';

export const configNames = ['openclaw.json', 'clawdbot.json', 'moldbot.json', 'moltbot.json'] as const;

/** Where the configuration of a state folder lies: a path that was named, else the first of the known names. */
export function configPath(home: string, named: string | undefined): string {
  if (named !== undefined) return named;
  return configNames.map((name) => join(home, name)).find((path) => kindOf(path) === 'file') ?? join(home, configNames[0]);
}

/** Most configurations are plain JSON, which needs no further parser. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return loadJson5().parse(text);
  }
}

/** Reads `openclaw.json` (JSON5). Nothing it holds makes it throw. */
export function readConfig(path: string): OpenclawConfig {
  const none = { session: undefined, cron: undefined, hooks: undefined, meta: undefined, agents: undefined };
  let text: string;
  try {
    if (kindOf(path) === 'missing') return { path, state: 'missing', error: null, ...none };
    text = readSmallFile(path, 16 * 1024 * 1024).toString('utf8').replace(/^\ufeff/, '');
  } catch (error) {
    return { path, state: 'unreadable', error: errorMessage(error), ...none };
  }
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    // JSON5 names the character it met; the configuration holds secrets, so only the place is kept.
    const place = /at (\d+:\d+)/.exec(errorMessage(error));
    return { path, state: 'invalid', error: place ? `it is not JSON5: line:column ${place[1]}` : 'it is not JSON5', ...none };
  }
  const object = asObject(value);
  if (object === null) return { path, state: 'invalid', error: 'it is no object', ...none };
  const { session, cron, hooks, meta, agents } = object;
  return { path, state: 'ok', error: null, session, cron, hooks, meta, agents };
}

/** The texts that count as reset commands: `session.resetTriggers`, by default /new and /reset. */
export function resetTriggers(config: OpenclawConfig): string[] {
  const configured = asObject(config.session)?.resetTriggers;
  const texts = Array.isArray(configured) ? configured.filter((one): one is string => typeof one === 'string' && one.trim() !== '') : [];
  return texts.length > 0 ? texts : ['/new', '/reset'];
}
