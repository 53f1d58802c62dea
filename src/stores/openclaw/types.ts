import type { Hashes } from '../../io/hashes.ts';
import type { Json } from '../../model/finding.ts';
import type { DatabaseCopy } from './database-copy.ts';
import type { RowSource } from './row-texts.ts';
import type { BaseSnapshot } from '../snapshot.ts';
import type { TranscriptDigest, TranscriptSummary } from './digest-types.ts';
import type { SalvagedEntry } from './salvage.ts';
import type { SqliteFacts } from './sqlite/facts.ts';

export type { AmbientRow, Control, DamagedLine, DuplicateId, InLogReset, RowKind, RowMark, RowRole, Rows, StopReason, ToolCall, TranscriptDigest, TranscriptHeader, TranscriptPart, TranscriptSummary } from './digest-types.ts';

/**
 * What a file is by its name. live: `<id>.jsonl` and `<id>-topic-<thread>.jsonl`; reset, deleted, bak: `….jsonl.<kind>.<time>`;
 * repair-backup: `….jsonl.bak-<pid>-<ms>`; corrupt-copy: `….jsonl.corrupt-…`; window: a session of a SQLite store (no file).
 */
export type TranscriptKind = 'live' | 'reset' | 'deleted' | 'bak' | 'repair-backup' | 'checkpoint' | 'corrupt-copy' | 'window';

/** One transcript as it is named on disk, or one session window of a database. */
export type TranscriptFile = {
  /** File name without folder; for a window its session id. */
  name: string;
  /** Absolute; for a window the database's path. */
  path: string;
  kind: TranscriptKind;
  /** Name without any ending: what the header id should equal; for a topic variant with its `-topic-<thread>`. */
  baseId: string;
  /** Session id by the name, without a topic. */
  sessionId: string;
  /** Thread of a topic variant, decoded. */
  topic: string | null;
  /** ms; from the name of an archive or backup. */
  archivedAt: number | null;
  /** 32 hex digits that newer archives carry after the time. */
  generation: string | null;
  /** `.zst`. */
  compressed: boolean;
  bytes: number;
  /** ms; null for a window. */
  modifiedAt: number | null;
};

/** Where the ambient history of one conversation was read up to, as an entry records it. */
export type Watermark = {
  /** Key in `ambientTranscriptWatermarks`, as stored. */
  key: string;
  /** The key's JSON array [channel, account, conversation, thread] (or the `wat:` form of a fork), else null. */
  parts: { channel: string; account: string; conversation: string; thread: string } | null;
  /** null: unbound, or of a wrong type. */
  sessionId: string | null;
  messageId: string | null;
  /** ms. */
  timestamp: number | null;
  /** ms. */
  updatedAt: number | null;
  /** Names of fields whose type is wrong; empty for a well-formed one. `key` when the key is not the array, `value` when it is no object. */
  wrong: string[];
  /** The value as stored. */
  raw: Json;
};

export type CompactionCheckpoint = {
  checkpointId: string | null;
  sessionId: string | null;
  createdAt: number | null;
  /** Session ids and base names of files that the states before and after name. */
  sessionIds: string[];
  files: string[];
};

/** One chat of the index. A field of a wrong type counts as absent. Times are ms. */
export type SessionEntry = {
  key: string;
  /** False when the value is no JSON object. */
  isObject: boolean;
  sessionId: string | null;
  /** As stored: often an absolute path of the host that wrote it. */
  sessionFile: string | null;
  lifecycleRevision: string | null;
  /** 0 marks a pending reset. */
  updatedAt: number | null;
  sessionStartedAt: number | null;
  lastInteractionAt: number | null;
  lastActivityAt: number | null;
  startedAt: number | null;
  endedAt: number | null;
  archivedAt: number | null;
  status: string | null;
  abortedLastRun: boolean | null;
  initializationPending: boolean;
  activeWriterRunId: string | null;
  usageFamilyKey: string | null;
  usageFamilySessionIds: string[];
  previousSessionId: string | null;
  parentSessionKey: string | null;
  spawnedBy: string | null;
  forkedFromParent: boolean;
  chatType: string | null;
  channel: string | null;
  groupId: string | null;
  /** The session is owned by a CLI provider: implicit expiry is skipped without an explicit policy. */
  cliBound: boolean;
  heartbeatBaseKey: string | null;
  watermarks: Watermark[];
  checkpoints: CompactionCheckpoint[];
};

/** `sessions.json`, or the session tables of a database. */
export type IndexFacts = {
  path: string;
  state: 'ok' | 'missing' | 'empty' | 'not-json' | 'not-object' | 'unreadable';
  bytes: number;
  detail: string | null;
};

/** `openclaw.json` (JSON5); parts are as parsed, unchecked. */
export type OpenclawConfig = {
  path: string;
  state: 'ok' | 'missing' | 'invalid' | 'unreadable';
  error: string | null;
  session: unknown;
  cron: unknown;
  hooks: unknown;
  meta: unknown;
  agents: unknown;
};

/** What the runtime trace beside a transcript tells. Times are ms. */
export type Trajectory = {
  name: string;
  path: string;
  /** By the file's name. */
  sessionId: string;
  sessionKey: string | null;
  /** `data.harness.version` of its trace.metadata row. */
  harnessVersion: string | null;
  firstTime: number | null;
  lastTime: number | null;
  /** Type of the last event that could be read (`session.ended`, …). */
  lastType: string | null;
  /** `data.status` of a last `session.ended`. */
  lastStatus: string | null;
  bytes: number;
};

/** A `.lock` file and its process as seen from this host. Times are ms. */
export type LockFile = {
  name: string;
  path: string;
  /** Name of the file that it guards. */
  guards: string;
  sessionId: string | null;
  pid: number | null;
  createdAt: number | null;
  /** /proc start ticks, where written. */
  startTicks: number | null;
  host: string | null;
  /** missing-pid, not-json, … or null. */
  problem: string | null;
  modifiedAt: number;
  /** recycled: the number lives but began at another time; unknown: another host's, or this system does not tell. */
  process: 'alive' | 'gone' | 'recycled' | 'unknown';
};

/** Other files beside the transcripts. */
export type SideFile = {
  name: string;
  path: string;
  kind: 'temp' | 'index-backup' | 'quarantine' | 'migrated' | 'trajectory-pointer' | 'unknown';
  bytes: number;
  modifiedAt: number;
};

/** A note that the product wrote when a command or a reset call ended a session. */
export type SessionNote = { name: string; sessionId: string };

/** An OpenClaw agent's sessions, of either era. */
export type OpenclawSnapshot = Omit<BaseSnapshot, 'digests'> & {
  layout: 'jsonl' | 'sqlite';
  /** What only the database of the SQLite era can be asked; absent for JSONL. */
  sqlite?: SqliteFacts;
  agentId: string;
  /** Folder where transcripts, archives and sidecars lie. */
  folder: string;
  config: OpenclawConfig;
  index: IndexFacts;
  entries: readonly SessionEntry[];
  /** Every transcript by name, in name order. */
  files: readonly TranscriptFile[];
  trajectories: readonly Trajectory[];
  locks: readonly LockFile[];
  sideFiles: readonly SideFile[];
  /** True when a process of this host has the file or the store open for writing, or holds its lock. */
  writerAlive(sessionId: string): boolean;
  /** The rows of a transcript, archive or window as JSON texts, for writing out. */
  rowsOf(file: TranscriptFile): RowSource;
  /** Opens a database that the product put aside. Never throws for what it holds. */
  databaseCopy(path: string): Promise<DatabaseCopy>;
  /** sha256 of files and lines, for the preconditions of repair steps; read when asked. */
  hashes: Hashes;
  /** What a damaged index and older copies of it still hold; read when it is asked for. */
  salvage(): SalvagedEntry[];
  /**
   * One transcript after the other: archives and copies first, then the live ones, so that what a live one lacks is known
   * when it is looked at. A digest and its columns are valid only until the next one is asked for.
   */
  digests(): Iterable<TranscriptDigest>;
  /** What was kept of the digests so far; complete for store handlers. */
  transcripts(): readonly TranscriptSummary[];
  /** The chat that a transcript belongs to by what names it (entry, trajectory, family, window), or null. */
  ownerOf(file: TranscriptFile): string | null;
  entryOf(sessionKey: string): SessionEntry | null;
  /** Read when it is asked for. */
  sessionNotes(): readonly SessionNote[];
  /** Paths of transcripts of this session in other folders of the state folder. */
  elsewhere(sessionId: string): string[];
  /** The live file or window that an entry points to: by the base name of sessionFile, then by session id. */
  fileOf(entry: SessionEntry): TranscriptFile | null;
  /** The entries that point to a live file or window. */
  entriesOf(file: TranscriptFile): readonly SessionEntry[];
};
