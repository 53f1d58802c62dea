import type { Excerpts } from './excerpt.ts';
import type { Layout, Product } from './product.ts';

/**
 * error: data is lost or unreachable now, for the reader of this store.
 * warning: it will bite, or is unexplained, or harms only other reader versions.
 * info: odd but harmless.
 */
export type Severity = 'error' | 'warning' | 'info';

export const severities: readonly Severity[] = ['error', 'warning', 'info'];

/** How sure the detection is. A `suspect` finding is never an error. */
export type Confidence = 'certain' | 'likely' | 'suspect';

export type FixClass = 'safe' | 'judgement' | 'none';

export type FixRef = { id: string | null; class: FixClass };

export const noFix: FixRef = { id: null, class: 'none' };

/** A place in a file (line from 1) or in a table. `path` is absolute. */
export type Location = {
  path: string;
  line?: number;
  table?: string;
  row?: string | number;
};

/** A value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The numbers and names a finding rests on; the keys of each check are a contract (docs/checks). */
export type Evidence = { [key: string]: Json };

/** One occurrence of a check in one store. */
export type Finding = {
  checkId: string;
  severity: Severity;
  confidence: Confidence;
  /** Store id. */
  store: string;
  /** Session id, or null when the finding concerns the whole store. */
  session: string | null;
  /** Chat key, where the product has keys and one is known. */
  sessionKey: string | null;
  /** One sentence, without any message text. */
  message: string;
  /** Further lines for people: numbers and places, without any message text. */
  details: string[];
  location: Location;
  evidence: Evidence;
  /** Which readers are harmed. */
  affects: string;
  fix: FixRef;
  /** The command that helps next. */
  hint: string;
  /** Stable across runs: hash of check, store, session and record. */
  fingerprint: string;
  /** Where a report joins several hosts: the one this was found on. */
  host?: string;
  /** What the rows that the evidence names say; only with --show-text. */
  texts?: Excerpts;
};

/** Something that could not be read. It is no finding: it makes the exit code 2. */
export type ReadError = {
  store: string | null;
  message: string;
  path: string;
  host?: string;
};

/** What a report says of one store. */
export type StoreReport = {
  id: string;
  product: Product;
  layout: Layout;
  path: string;
  /** `openclaw@2026.7.1-2`; `…@unknown` when nothing tells. */
  reader: string;
  readAs: 'files' | 'snapshot' | 'in-place';
  sessions: number;
  recordsRead: number;
  recordsRejected: number;
  /** Size in bytes of the files that make up the store. */
  bytes: number;
  /** Equal size, mtime and inode of every file after the scan. */
  unchanged: boolean;
  /** Files that changed while the scan ran: their findings may be about to go away. */
  changedFiles: string[];
  /** Product-specific counts for people, such as `{ archives: 2 }`. */
  counts: { [name: string]: number };
  host?: string;
};

export type SkippedCheck = { checkId: string; store: string; reason: string };

/** Everything one scan found. Renderers take nothing else. */
export type ScanResult = {
  schemaVersion: 1;
  tool: { name: 'sessionfsck'; version: string };
  ok: boolean;
  summary: { error: number; warning: number; info: number };
  stores: StoreReport[];
  checksRun: string[];
  checksSkipped: SkippedCheck[];
  findings: Finding[];
  errors: ReadError[];
  /** The part of the sessions that was looked at, such as `2/8`; absent when it was all of them. */
  shard?: string;
  /** Of an audit with a baseline: how many findings are not listed because it knows them, or because they were accepted. */
  baseline?: { known: ScanResult['summary']; accepted: ScanResult['summary'] };
  /** Findings that the configuration file says to ignore; absent when there are none. */
  ignored?: { fingerprint: string; checkId: string; store: string; reason: string }[];
};

/** True when `a` is at least as severe as `b`. */
export function atLeast(a: Severity, b: Severity): boolean {
  return severities.indexOf(a) <= severities.indexOf(b);
}
