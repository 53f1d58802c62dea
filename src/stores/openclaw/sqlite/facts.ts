import type { TranscriptDigest } from '../digest-types.ts';
import type { Leftover } from './leftovers.ts';
import type { StoredStatus, WindowStorage } from './storage.ts';

/** One row of session_windows (`sessions` before schema 14). Times are ms. */
export type WindowRow = {
  sessionId: string;
  sessionKey: string;
  previousSessionId: string | null;
  /** initial, reset, rollover, fork, rewind, switch, recovery, compaction; null in every store seen so far. */
  reason: string | null;
  createdAt: number | null;
  updatedAt: number | null;
  status: string | null;
  /** It is the current window of its chat. */
  current: boolean;
};

/** One row of session_transcript_archives: the canonical copy of an archive; the file is derived from it. */
export type DatabaseArchive = {
  sessionId: string;
  generation: string;
  sessionKey: string;
  reason: 'deleted' | 'reset';
  encoding: string;
  name: string;
  createdAt: number;
  /** null while the export as a file is pending. */
  publishedAt: number | null;
  bytes: number;
};

/** A transcript that was moved to cold storage: its events are not in transcript_events. */
export type ColdSession = { sessionId: string; events: number; storage: 'file' | 'sqlite'; archiveName: string; archivedAt: number };

/** Events of one session by sequence number. */
export type SequenceFacts = { sessionId: string; events: number; first: number; last: number };

/** A message that was appended to a window after the chat had moved on. */
export type LateAppend = { sessionId: string; sessionKey: string; nextSessionId: string; nextCreatedAt: number; rows: string[]; lastTime: number };

/** Rows that name an event or a window that is not there. */
export type Dangling = { table: string; column: string; rows: number; examples: string[] };

/** What only a database of the SQLite era can be asked. */
export type SqliteFacts = {
  /** Absolute path of the database. */
  path: string;
  schemaVersion: number;
  /** The rows of a leftover that the database lacks, with their lines, for writing out. */
  missingRows(path: string): Iterable<{ row: Record<string, unknown>; line: number }>;
  /** Where the chats' `entry_json` stands; null: no sessions yet. */
  entriesTable: 'session_nodes' | 'session_entries' | null;
  /** Read when it is asked for; null: the database cannot be read. */
  storageOf(sessionId: string): WindowStorage | null;
  /** The digest of one window, read anew and kept; null where it has no events. */
  digestOf(sessionId: string): TranscriptDigest | null;
  statusOf(sessionKey: string): StoredStatus | null;
  windows: readonly WindowRow[];
  archives: readonly DatabaseArchive[];
  cold: readonly ColdSession[];
  /** Keys of nodes whose entry_json is not JSON. */
  invalidEntries: readonly string[];
  /** Sessions whose sequence numbers do not run from 0 without a gap. */
  sequenceGaps(): Iterable<SequenceFacts>;
  /** Identity, active-path, index-state and node rows that point nowhere. */
  dangling(): Dangling[];
  /** Events whose session has no window. */
  orphanEvents(): { sessionId: string; rows: string[] }[];
  /** Messages in windows that are no longer current, later than the next window's beginning by more than `slack` ms. */
  lateAppends(slack: number): Iterable<LateAppend>;
  /** JSONL transcripts beside the database, each compared with it. Read once, then kept. */
  leftovers(): readonly Leftover[];
  /** Events whose body could not be read, filled while digests are read. */
  unreadable: { sessionId: string; seq: number; problem: string }[];
  /** Events that were stored compressed, counted while digests are read. */
  compressedEvents: number;
};
