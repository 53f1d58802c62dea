import { isObject } from '../../model/values.ts';

/** What `session.reset` and its overrides may say; absent and unusable values are undefined. */
export type ResetRule = { mode?: 'daily' | 'idle' | 'none'; atHour?: number; idleMinutes?: number };

export type ResetConfig = {
  reset?: ResetRule;
  resetByType?: { [type: string]: ResetRule };
  resetByChannel?: { [channel: string]: ResetRule };
  /** Legacy `session.idleMinutes`. */
  idleMinutes?: number;
  resetTriggers: string[];
};

export type ConfigProblem = { place: string; found: string; wanted: string };

const defaultTriggers = ['/new', '/reset'];
const modes = ['daily', 'idle', 'none'];

/** A value's kind in a word, never the value of a text: configurations hold secrets. */
function kind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'number':
      return `the number ${value}`;
    case 'object':
      return 'an object';
    default:
      return `a ${typeof value}`;
  }
}

/**
 * The reset policy of a parsed `openclaw.json` (its `session` part). Values of wrong types count as absent and are named as
 * problems; a fractional or out-of-range `atHour` is usable (floor, clamp) but refused by 2026.7.1-2, so it is named as well.
 */
export function readResetConfig(session: unknown): { config: ResetConfig; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const config: ResetConfig = { resetTriggers: defaultTriggers };
  if (session === undefined) return { config, problems };
  if (!isObject(session)) {
    problems.push({ place: 'session', found: kind(session), wanted: 'an object' });
    return { config, problems };
  }
  const minutes = (value: unknown, place: string): number | undefined => {
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
      problems.push({ place, found: kind(value), wanted: 'minutes, a number of at least 0' });
      return undefined;
    }
    return value;
  };
  const rule = (value: unknown, place: string): ResetRule | undefined => {
    if (value === undefined) return undefined;
    if (!isObject(value)) {
      problems.push({ place, found: kind(value), wanted: 'an object' });
      return undefined;
    }
    const result: ResetRule = {};
    const mode = modes.find((known) => known === value.mode);
    if (mode === 'daily' || mode === 'idle' || mode === 'none') result.mode = mode;
    else if (value.mode !== undefined) problems.push({ place: `${place}.mode`, found: kind(value.mode), wanted: modes.join(', ') });
    const hour = value.atHour;
    if (hour !== undefined) {
      if (typeof hour !== 'number' || !Number.isFinite(hour)) problems.push({ place: `${place}.atHour`, found: kind(hour), wanted: 'an hour, 0 to 23' });
      else {
        result.atHour = hour;
        if (!Number.isInteger(hour) || hour < 0 || hour > 23) problems.push({ place: `${place}.atHour`, found: kind(hour), wanted: 'a whole hour, 0 to 23' });
      }
    }
    const idle = minutes(value.idleMinutes, `${place}.idleMinutes`);
    if (idle !== undefined) result.idleMinutes = idle;
    return result;
  };
  const table = (value: unknown, place: string): { [key: string]: ResetRule } | undefined => {
    if (value === undefined) return undefined;
    if (!isObject(value)) {
      problems.push({ place, found: kind(value), wanted: 'an object' });
      return undefined;
    }
    const result: { [key: string]: ResetRule } = Object.create(null);
    for (const [key, entry] of Object.entries(value)) {
      const parsed = rule(entry, `${place}.${key}`);
      if (parsed) result[key] = parsed;
    }
    return result;
  };
  config.reset = rule(session.reset, 'session.reset');
  config.resetByType = table(session.resetByType, 'session.resetByType');
  config.resetByChannel = table(session.resetByChannel, 'session.resetByChannel');
  config.idleMinutes = minutes(session.idleMinutes, 'session.idleMinutes');
  const triggers = session.resetTriggers;
  if (triggers !== undefined) {
    const texts = Array.isArray(triggers) ? triggers.filter((trigger) => typeof trigger === 'string' && trigger !== '') : [];
    if (!Array.isArray(triggers) || texts.length !== triggers.length) problems.push({ place: 'session.resetTriggers', found: kind(triggers), wanted: 'a list of texts' });
    if (texts.length > 0) config.resetTriggers = texts;
  }
  return { config, problems };
}
