import type { ResetEvent } from '../reset-event.ts';
import type { ResetPolicy, ResetRules } from './reset-policy.ts';

/** The first message of a session by a person or by the product. Times are ms. */
export type FirstMessage = {
  /** When it was said: before its session exists, when it made the session. */
  saidAt: number | null;
  /** A reset command such as `/new`. */
  command: boolean;
};

/** What of a successor tells how its predecessor was ended. */
export type Successor = {
  sessionId: string;
  /** Header time, ms. */
  startedAt: number | null;
  /** `sessionStartedAt` of the entry, where the successor is its current session. */
  entryStartedAt: number | null;
  firstUser: FirstMessage | null;
  /** Message rows at its beginning that repeat rows from the predecessor's end. */
  copied: number;
  /** `usageFamilySessionIds` names the predecessor; null when no entry is left to tell. */
  familyNamesPredecessor: boolean | null;
};

/** An end of an OpenClaw session with everything that its causes are judged by. */
export type OpenclawEnd = ResetEvent & {
  policy: ResetPolicy;
  rules: ResetRules;
  /** The last row of any kind: what `updatedAt` was at least. */
  lastRow: number | null;
  /** The last user message was a reset command, said then. */
  lastCommandAt: number | null;
  successor: Successor | null;
  /** An entry still names this session as its current one. */
  stillCurrent: boolean;
  /** The chat has no entry any more. */
  keyGone: boolean;
  /** Key of a cron job's run. */
  cronRun: boolean;
  /** `cron.sessionRetention`, ms; null: off. */
  cronRetention: number | null;
  /** `session.maintenance.pruneAfter`, ms. */
  pruneAfter: number;
  maxEntries: number;
  entries: number;
  /** Deletions of other chats within a second of this one, itself included. */
  burst: number;
  /** Of those, sessions that some entry remembers as its history. */
  burstHistoric: number;
  /** Is this session one that an entry remembers as history? */
  historic: boolean;
  /** The runtime trace beside it. */
  run: { lastAt: number | null; ended: boolean; status: string | null } | null;
  /** Name of a session note that the product wrote for this session when a command ended it, or null. */
  note: string | null;
  /** A reset row's own reason, or that of the window which followed (SQLite); null where none is recorded. */
  rowReason: string | null;
  /** The reset row itself: its event id and `seq`. */
  row: { id: string | null; seq: number } | null;
};

/** How the judging of a store is told of its surroundings. */
export type JudgeContext = {
  /** False: the zone is only this host's. */
  zoneGiven: boolean;
  now: number;
  /** The configuration could be read; false: the defaults are assumed. */
  configRead: boolean;
  /** When the configuration was written last, ms. */
  configWrittenAt: number | null;
};
