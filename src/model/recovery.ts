import type { Finding, Location } from './finding.ts';

/** One text that a store still has and no reader shows. Several may belong to one message (its parts). */
export type RecoveredText = {
  /** Of the message: a channel's message id, an entry id, a row number. */
  id: string;
  /** user, assistant, tool, …; `unknown` where nothing tells. */
  role: string;
  /** ms; null where nothing tells. */
  time: number | null;
  text: string;
  from: Location;
  /** Session and chat of the message, where they are not the finding's. */
  session?: string | null;
  sessionKey?: string | null;
};

/** What is known once the texts of one recovery were read. */
export type RecoveryOutcome = {
  /** Messages that should have a text, by the finding's count or by what the copy holds and the store lacks. */
  expected: number;
  /** Of a copy beside the store: its rows, and how many of them need not be written. */
  rows?: number;
  present?: number;
  repeated?: number;
  /** Sessions that the texts belong to. */
  sessions?: number;
  /** How it was read, and where reading stopped; one sentence each. */
  notes: string[];
  /** Why nothing of it can be read; null: it was read. */
  problem: string | null;
};

/** What one finding (or one copy beside the store) hides. The texts are read when they are iterated, the outcome afterwards. */
export type Recovery = {
  about: Pick<Finding, 'checkId' | 'store' | 'session' | 'sessionKey' | 'message'>;
  /** Name of the copy or layout that the texts come from, where it is not the store itself. */
  source: string | null;
  unit: string;
  texts: Iterable<RecoveredText>;
  outcome(): RecoveryOutcome;
};

/** What one finding hides, with how many messages it counts. */
export type FindingRecovery = Recovery & { finding: Finding; expected: number };
