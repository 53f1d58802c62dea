import type { Hashes } from '../../io/hashes.ts';
import type { RecoveredText } from '../../model/recovery.ts';
import type { BaseSnapshot } from '../snapshot.ts';
import type { HermesConfig } from './config-types.ts';
import type { SessionDigest } from './digest-types.ts';

export type { ConfigFile, HermesConfig, ResetPolicyFacts } from './config-types.ts';
export type { SessionDigest } from './digest-types.ts';

/** Parent markers of `sessions.model_config`; each counts only when it equals the row's parent. */
export type LineageMarkers = { branchedFrom: string | null; delegateFrom: string | null; resetFrom: string | null };

/** One row of `sessions`, narrow: no title, no prompt. Times in ms since the epoch; a column that the store lacks gives null. */
export type SessionRow = {
  id: string;
  source: string;
  sessionKey: string | null;
  profileName: string | null;
  parentId: string | null;
  startedAt: number | null;
  endedAt: number | null;
  endReason: string | null;
  /** `expiry_finalized`: the expiry of this session was processed once. */
  expiryFinalized: boolean;
  messageCount: number | null;
  toolCallCount: number | null;
  /** null: the store has no such column. */
  rewindCount: number | null;
  markers: LineageMarkers;
  /** `model_config` or `origin_json` that is no JSON, by column. */
  invalidJson: string[];
  /** `system_prompt_hash` that names no row of `system_prompts`. */
  missingPrompt: string | null;
};

/** When a session was last used, over the rows that the display shows (live or summarized away). ms; null: no such row. */
export type SessionActivity = { messages: number; firstMessageAt: number | null; lastMessageAt: number | null; lastUserAt: number | null };

/** What the gateway believes of one chat: a row of `gateway_routing` (authoritative) or an entry of sessions.json. */
export type RoutingEntry = {
  sessionKey: string;
  /** Where it stands: the table, or the mirror file. */
  source: 'table' | 'file';
  /** Absolute: the database or sessions.json. */
  path: string;
  scope: string;
  sessionId: string | null;
  /** Local wall time of the gateway as it is stored, without zone. */
  createdAt: string | null;
  updatedAt: string | null;
  platform: string | null;
  chatType: string | null;
  expiryFinalized: boolean;
  suspended: boolean;
  resumePending: boolean;
  wasAutoReset: boolean;
  autoResetReason: string | null;
  previousSessionId: string | null;
  /** The value could not be read as a JSON object. */
  invalid: boolean;
};

export type RoutingFile = { path: string; bytes: number; /** null: readable. */ problem: 'empty' | 'not-json' | 'not-object' | null; /** A free path beside it, for what a repair takes out of it. */ sidecar: string };

/** A row of `gateway_routing` as it is stored. `json` is null where the entry is no JSON object. */
export type StoredRoute = { /** null: the table has no such column. */ scope: string | null; sessionKey: string; json: string | null };

/** A row of `compression_locks` or `session_turn_leases`. ms. */
export type LockRow = {
  table: 'compression_locks' | 'session_turn_leases';
  /** Session, or the root of its lineage for a turn lease. */
  sessionId: string;
  holder: string;
  acquiredAt: number | null;
  expiresAt: number | null;
  /** `expires_at` as stored, for the precondition of a repair step. */
  storedExpiry: number | string | null;
  /** gone only when the holder names a process of this very host and PID namespace. */
  holderState: 'gone' | 'unknown';
};

/** One compression as the log tells it: its end as wall clock of an unnamed zone (ms as if it were UTC), and how long it took. */
export type CompressionRun = { sessionId: string; endedAtWallClock: number; milliseconds: number };

/** A file or folder beside the database that may hold rows which it lacks. */
export type SiblingKind = 'quarantined' | 'retired-wal' | 'malformed-backup' | 'corrupt-copy' | 'diverted-transcript' | 'spool';
export type SiblingFile = { path: string; name: string; kind: SiblingKind; bytes: number; complete: boolean };

/** How the rows of a copy stand against the store; final when its lacking rows were iterated. */
export type CaptureCounts = {
  /** Message rows in the copy. */
  rows: number;
  /** The store has them. */
  present: number;
  /** Further copies of a row that was handed out, from this or an earlier copy of the store. */
  repeated: number;
  /** Rows that SQLite did not get to. */
  unread: number;
  /** Where reading stopped, and why. */
  stopped: string[];
  /** Sessions of the rows that were handed out. */
  sessions: Set<string>;
};

/** A copy of the database beside the store, put together and opened on a private copy. */
export type CaptureSnapshot = {
  file: SiblingFile;
  /** How it was read; one sentence each. */
  notes: string[];
  /** Why nothing of it can be read; null: its rows can. */
  problem: string | null;
  counts: CaptureCounts;
  /** Rows that the store lacks; `seen` is shared by all copies of one store. */
  lacking(seen: Set<string>): Iterable<RecoveredText>;
  close(): void;
};

/** Messages (and usage rows) of a session that has no row. */
export type OrphanGroup = { sessionId: string; rows: number[]; messages: number; usageRows: number };

/** How the full-text index stands against the rows. Counts are null where they were not asked for. */
export type SearchIndexFacts = {
  /** `messages_fts`, `messages_fts_trigram`. */
  name: string;
  rowsMissing: number;
  rowsExtra: number;
  /** What the strict check said; null: it was not run, or it found nothing. */
  strictProblem: string | null;
};
export type SearchFacts = { /** Why nothing is judged: a rebuild is pending, or there is no index. */ pending: string | null; indexes: SearchIndexFacts[] };

export type HermesSnapshot = BaseSnapshot & {
  digests(): Iterable<SessionDigest>;
  /** The digest of one session; null when it has no row. It stands until the next one is read. */
  digestOf(sessionId: string): SessionDigest | null;
  columns: { sessions: ReadonlySet<string>; messages: ReadonlySet<string> };
  tables: ReadonlySet<string>;
  /** All rows of `sessions`, by id. */
  sessions(): readonly SessionRow[];
  session(id: string): SessionRow | undefined;
  /** A session's title, which is private; null where there is none. */
  titleOf(id: string): string | null;
  /** Children by `parent_session_id`, by id. */
  childrenOf(id: string): readonly SessionRow[];
  activity(sessionId: string): SessionActivity;
  /** Table rows first; then entries of sessions.json whose key the table does not have. */
  routing(): readonly RoutingEntry[];
  /** null: no sessions.json. */
  routingFile(): RoutingFile | null;
  /** The routes of the table by scope and key, for writing the mirror anew. */
  storedRoutes(): readonly StoredRoute[];
  /** sha256 of files, for the preconditions of repair steps; read when asked. */
  hashes: Hashes;
  /** `conversation_generations`: resets a chat went through. */
  generations(): readonly { source: string; sessionKey: string; generation: number }[];
  locks(): readonly LockRow[];
  config: HermesConfig;
  siblings(): readonly SiblingFile[];
  /** Opens one of the siblings that are databases. Never throws for what it holds. */
  openCapture(sibling: SiblingFile): Promise<CaptureSnapshot>;
  /** Compressions that the log tells of, in its order. */
  compressionRuns(): readonly CompressionRun[];
  orphans(): readonly OrphanGroup[];
  /** `deep`: compare ids and run FTS5's strict check on the private copy. */
  search(deep: boolean): SearchFacts;
  /** Of these rows, those whose text stands inside one of the `holders` as a paragraph of its own (no text leaves the store). */
  textsWithin(rows: readonly number[], holders: readonly number[]): ReadonlySet<number>;
  /** The texts of these rows, for writing out. */
  texts(rows: readonly number[]): Iterable<RecoveredText>;
  /** Ids of all message rows that name a session, which need not exist. */
  rowsOfSession(sessionId: string): number[];
  /** Cells of one session row as they are stored, for the columns that the store has. */
  sessionCells(id: string, columns: readonly string[]): { [column: string]: number | string | null };
  /** `active` and `compacted` of these rows as they are stored. */
  rowFlags(rows: readonly number[]): { row: number; active: number | null; compacted: number | null }[];
  /** Live rows of a session behind a row, in id order. */
  liveRowsAfter(sessionId: string, row: number): number[];
  /** Triggers that keep the CJK index in step; they need a tokenizer that only the product has. */
  cjkTriggers(): { name: string; sql: string }[];
  /** The value of a key of `state_meta`; undefined when there is none. */
  stateMeta(key: string): string | null | undefined;
  /** Ids of the tool calls that an assistant row declares. */
  toolCallIds(row: number): string[];
  /** Of these rows of a session, those that another session holds as well (same role, time and text). */
  clonedInto(sessionId: string, rows: readonly number[]): ReadonlySet<number>;
};
