import type { Severity } from './finding.ts';

/** A finding that a person accepted. Every part that is named must fit; `check` may be an area. */
export type Ignore = {
  check?: string;
  session?: string;
  /** Path of a store, or of a folder above it. */
  store?: string;
  fingerprint?: string;
  reason: string;
  /** ms since the epoch; from then on it counts no more. null: for good. */
  until: number | null;
};

/** What a configuration file says about judging. */
export type Policy = {
  /** The file, for messages. */
  source: string;
  /** By check or area; the longer name wins. `off`: the check is not run. */
  severities: Record<string, Severity | 'off'>;
  ignores: Ignore[];
  /** The names of `check` and `skip`, to be told from those of the command line when they are wrong. */
  lists?: { check: string[]; skip: string[] };
  /** Zones of stores, by the path of the store or of a folder above it. */
  zones: Record<string, string>;
};

/** The entry whose path is `path` or the nearest folder above it. */
export function nearestPath<T>(entries: Record<string, T>, path: string): T | undefined {
  let best = '';
  let value: T | undefined;
  for (const [prefix, candidate] of Object.entries(entries)) {
    const trimmed = prefix.replace(/\/+$/, '');
    if ((path === trimmed || path.startsWith(`${trimmed}/`)) && trimmed.length >= best.length) {
      best = trimmed;
      value = candidate;
    }
  }
  return value;
}
