import type { Confidence, Json } from '../model/finding.ts';
import type { Product } from '../model/product.ts';

/** Who or what ended a session; the words of `resets --json`. */
export type ResetCause = 'daily' | 'idle' | 'manual' | 'delete' | 'cron-prune' | 'prune' | 'cap' | 'doctor' | 'failure' | 'switch' | 'compaction' | 'other';

export type ResetVerdict = 'explained' | 'unexplained' | 'zone-mismatch';

/**
 * Where an end was read from. reset-archive, delete-archive: an archive's name (OpenClaw, files); orphan: a predecessor that was
 * left without an archive name; reset-row: a row inside a log, and window: a session window (OpenClaw, SQLite); session: a row of
 * `sessions` with its successor (Hermes).
 */
export type EventKind = 'reset-archive' | 'delete-archive' | 'orphan' | 'reset-row' | 'window' | 'session';

/** One end of a session, as the store tells it. Times are ms since the epoch. */
export type ResetEvent = {
  product: Product;
  kind: EventKind;
  /** The chat; runs of one cron job are one chat. Null when nothing names it. */
  sessionKey: string | null;
  sessionId: string;
  /** When it ended; null when the place that should say so holds no possible time. */
  at: number | null;
  /** Archive file name, without folder. */
  archive: string | null;
  /** Where to look: a file, or a database. */
  path: string;
  startedAt: number | null;
  /** The last message row of any role. */
  lastActivity: number | null;
  /** The last message of a person. */
  lastUser: number | null;
  /** Rows after the header (OpenClaw), messages that are displayed (Hermes). */
  rows: number | null;
  next: { sessionId: string; startedAt: number | null } | null;
};

/** One cause that was tried, with the numbers that decided. */
export type CauseTried = {
  cause: ResetCause;
  holds: boolean;
  /** A known fault or a guess: it is named, but explains nothing. */
  suspect?: boolean;
  /** One sentence with its numbers; no text of any message. */
  why: string;
};

/** The figures behind a verdict, for `--json`; times ISO 8601. */
export type Arithmetic = { [name: string]: Json };

export type JudgedEvent = ResetEvent & {
  verdict: ResetVerdict;
  cause: ResetCause | null;
  confidence: Confidence;
  /** What decides, in one sentence. */
  deciding: string;
  /** Every cause that was tried, the one that holds first. */
  tried: CauseTried[];
  /** What lowers the confidence, and other remarks. */
  remarks: string[];
  arithmetic: Arithmetic;
  /** The zone that would explain it, for zone-mismatch. */
  matchingZone: string | null;
  /** The policy that was applied, in words: `daily at 04:00`. */
  policy: string;
  /** Local date of the boundary that begins the policy day of this end. */
  policyDay: string | null;
  /** An end that the policy does not explain: counts towards reset/intraday-repeat. */
  unruly: boolean;
  /** Why the product ended it, where it wrote that down (Hermes `end_reason`, a reset row's reason). */
  statedReason: string | null;
  /** The last boundary at or before the end, in ms; null without a daily rule. */
  boundary: number | null;
};

/** One session of a chat, from its beginning to its end or to now. Times are ms. */
export type Segment = {
  sessionId: string;
  startedAt: number | null;
  lastActivity: number | null;
  lastUser: number | null;
  rows: number | null;
  /** Null while it lives (or was left behind without a successor). */
  end: JudgedEvent | null;
  live: boolean;
  /** Compactions inside it, ms, in the order of the log; empty where the product's log does not name them. */
  compactions: readonly number[];
  path: string;
};

/** The sessions of one chat in time order. */
export type Lineage = {
  sessionKey: string | null;
  /** The policy in words. */
  policy: string;
  /** It is written in the configuration; false: it is the default. */
  configured: boolean;
  segments: Segment[];
};
