import type { TranscriptFile } from './types.ts';

export const rowKinds = ['message', 'compaction', 'reset', 'branch_summary', 'custom', 'custom_message', 'model_change', 'thinking_level_change', 'label', 'session_info', 'leaf', 'session', 'other'] as const;
export type RowKind = (typeof rowKinds)[number];

export const rowRoles = ['none', 'user', 'assistant', 'toolResult', 'custom', 'bashExecution', 'tool', 'system', 'other'] as const;
export type RowRole = (typeof rowRoles)[number];

export const stopReasons = ['none', 'stop', 'toolUse', 'error', 'aborted', 'length', 'other'] as const;
export type StopReason = (typeof stopReasons)[number];

/** Bits of `Rows.flags`. */
export const rowFlag = {
  /** `appendMode: "side"`. */
  side: 1,
  /** A user row that is a reset command (`/new`, `/reset`, or as configured). */
  command: 2,
  /** A user row that the product itself or another session wrote (provenance other than external_user). */
  internal: 4,
  /** `display: false` or `excludeFromContext`. */
  hidden: 8,
  /** Assistant row of the model `delivery-mirror` or `gateway-injected`: outbound text that no model said. */
  mirror: 16,
  /** `isError` of a tool result. */
  failed: 32,
  /** `parentId` is present (null or text). */
  hasParent: 64,
  /** A tool result that the product made up for a call without one. */
  synthetic: 128,
} as const;

/** Values of `Rows.parent` that are no row. */
export const parentNone = -1;
export const parentUnknown = -2;

/**
 * The rows of one transcript after its header as parallel columns, in file order; row numbers count from 0.
 * Columns may be longer than `length`. Times are ms, NaN where absent.
 */
export type Rows = {
  length: number;
  /** From 1; for a window its `seq` + 1. */
  line: Uint32Array;
  /** Bytes from the beginning of the (unpacked) file. */
  offset: Float64Array;
  /** Length without newline. */
  bytes: Float64Array;
  /** Index into `rowKinds`. */
  kind: Uint8Array;
  /** Index into `rowRoles`. */
  role: Uint8Array;
  /** Index into `stopReasons`. */
  stop: Uint8Array;
  /** Sum of `rowFlag` bits. */
  flags: Uint8Array;
  id: (string | null)[];
  /** As written; null also where it is absent (see rowFlag.hasParent) or of a wrong type. */
  parentId: (string | null)[];
  /**
   * Row of the first row with that id anywhere in the file (forward references included), parentNone for null or absent,
   * parentUnknown where no row has it.
   */
  parent: Int32Array;
  /** Entry `timestamp`: when it was appended. */
  time: Float64Array;
  /** `message.timestamp`: when it was said. */
  messageTime: Float64Array;
  /** Hash of the content of a message row (text, blocks, tool names and arguments; not ids and times); long contents are sampled. */
  contentHash: Uint32Array;
  /** Characters of that content. */
  contentLength: Float64Array;
  /** Hash of `message.idempotencyKey`; 0: none. */
  keyHash: Uint32Array;
};

export type TranscriptHeader = {
  line: number;
  id: string | null;
  /** 1 where absent. */
  version: number;
  /** ms. */
  time: number | null;
  cwd: string | null;
  /** A path, as written. */
  parentSession: string | null;
};

/** A tool call of an assistant row; `id` null where it has none. */
export type ToolCall = { row: number; id: string | null; name: string | null };

/** Rows that steer the reader. */
export type Control =
  | { kind: 'leaf'; row: number; targetId: string | null; hasTarget: boolean; appendParentId: string | null; hasAppendParent: boolean }
  | { kind: 'compaction'; row: number; firstKeptEntryId: string | null; firstKeptEntryIndex: number | null }
  | { kind: 'reset'; row: number; reason: string | null; firstKeptEntryId: string | null };

/**
 * A line that gives no row. malformed: not JSON; not-object: JSON, but no object; oversized: too long to be parsed;
 * unfinished: the last line, cut before its newline.
 */
export type DamagedLine = {
  kind: 'malformed' | 'not-object' | 'oversized' | 'unfinished';
  line: number;
  offset: number;
  bytes: number;
  /** It holds NUL bytes. */
  nul: boolean;
};

export type DuplicateId = { id: string; first: number; row: number; /** Equal to the first, byte for byte (or by length and hash where it cannot be re-read). */ identical: boolean };

/** Channel messages that a user row carries (format notes §2.4). */
export type AmbientRow = { row: number; ids: string[]; /** Some `#id name:` lines were left out because their ids do not ascend. */ suspect: boolean };

/** One transcript read once: what every check asks, without any text of it. */
export type TranscriptDigest = {
  file: TranscriptFile;
  sessionId: string;
  /** The chat, where an entry, a trajectory or a family names it. */
  sessionKey: string | null;
  /** The first line, when it is a session header. */
  header: TranscriptHeader | null;
  rows: Rows;
  controls: Control[];
  toolCalls: ToolCall[];
  /** The call that each tool result answers. */
  toolResults: ToolCall[];
  ambient: AmbientRow[];
  /** At most 1000; `rejected` counts all. */
  damaged: DamagedLine[];
  rejected: number;
  /** Lines that were parsed although their bytes are not UTF-8; at most 1000. */
  badEncoding: { line: number; offset: number; bytes: number }[];
  badEncodingLines: number;
  duplicates: DuplicateId[];
  /** Lines, blank and damaged ones included. */
  lines: number;
  /** Unpacked bytes. */
  bytes: number;
  byteOrderMark: boolean;
  crlf: boolean;
  /** The last line ends with a newline (true for an empty file). */
  terminated: boolean;
  /** Set when reading broke off (a cut zstd frame, an I/O error): the rest is unknown. */
  readError: string | null;
  /** First row with this id, or -1. */
  rowOf(id: string): number;
};

/** A message row by its outer facts. */
export type RowMark = { id: string | null; role: RowRole; time: number | null; messageTime: number | null; contentHash: number; contentLength: number; command: boolean; internal: boolean; stop: StopReason };

/** A reset row inside a transcript (SQLite era). `line` as in Rows; time in ms. */
export type InLogReset = { id: string | null; reason: string | null; time: number | null; firstKeptEntryId: string | null; line: number };

/** A transcript from one in-log reset to the next. */
export type TranscriptPart = { summary: TranscriptSummary; endedBy: InLogReset | null };

/** What stays of a digest when the next one is read. Times are ms. */
export type TranscriptSummary = {
  file: TranscriptFile;
  sessionId: string;
  sessionKey: string | null;
  header: TranscriptHeader | null;
  rows: number;
  messageRows: number;
  userRows: number;
  rejected: number;
  /** Of any row. */
  firstTime: number | null;
  lastTime: number | null;
  /** Of message rows; head: the first 12, tail: the last 12. */
  firstMessage: RowMark | null;
  lastMessage: RowMark | null;
  firstUser: RowMark | null;
  lastUser: RowMark | null;
  /** The last user row that neither the product nor another session wrote. */
  lastPerson: RowMark | null;
  /** The longest time between two successive rows of that kind; the end of it is a message that came after a silence. */
  longestSilence: { from: number; to: number } | null;
  head: RowMark[];
  tail: RowMark[];
  /** Reset commands among the user rows; the last 50. */
  commands: RowMark[];
  /** In-log resets, in order; the last 1000. */
  resets: InLogReset[];
  /** What lies before, between and after in-log resets, in order, each with the reset that ended it; empty without one. */
  parts: TranscriptPart[];
  /** When its compactions were written, of the last 200. */
  compactionTimes: number[];
  /** Ambient channel message ids in file order, once each; null where no watermark of the store asks for them. */
  ambientIds: string[] | null;
  readError: string | null;
};
