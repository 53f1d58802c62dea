import type { SessionRow } from './types.ts';

/** Roles as `messages.role` has them; the index is what `roles` holds. */
export const roleNames = ['user', 'assistant', 'tool', 'system', 'session_meta', 'other'] as const;
export type RoleName = (typeof roleNames)[number];

/** Bits of `flags`. */
export const Flag = {
  /** `active` is 1 (or the store has no such column): the model gets the row. */
  active: 1,
  /** `compacted` is 1: summarized away, still displayed. */
  compacted: 2,
  /** `active` is NULL: hidden until the product heals it. */
  activeNull: 4,
  /** `_compressed_summary` is 1. */
  summary: 8,
  /** The text begins with a head that compactions write. */
  summaryHead: 16,
  /** There is text after the summary's end marker. */
  textAfterSummary: 32,
  /** No text and no tool call. */
  empty: 64,
  /** `tool_calls` is not a JSON array. */
  badCalls: 128,
} as const;

/**
 * The messages of one session in id order, as columns: a session of a million rows stays below 60 MB. Texts are hashes of
 * 53 bits; equal texts have equal hashes. A hash of 0 means NULL. Arrays may be longer than `count`, and they are
 * used again for the next session: copy what is kept.
 */
export type MessageColumns = {
  count: number;
  ids: Float64Array;
  /** `timestamp`, seconds since the epoch; NaN when it is no number. */
  timestamps: Float64Array;
  /** Index into `roleNames`. */
  roles: Uint8Array;
  flags: Uint8Array;
  /** Hash of `content` (and of `tool_name`, `tool_calls`): what was said. */
  texts: Float64Array;
  /** Hash of `tool_call_id`. */
  callIds: Float64Array;
  /** Hash of `message_uid`; all 0 before schema 31. */
  uids: Float64Array;
  /** Number of calls that `tool_calls` declares. */
  callCounts: Uint16Array;
  /** Where the row's declared calls begin in `declared`. */
  callStarts: Uint32Array;
  /** Hashes of the declared call ids, row after row. */
  declared: Float64Array;
};

/** One session as the checks see it. */
export type SessionDigest = {
  session: SessionRow;
  messages: MessageColumns;
  /** Hashes of uids whose text was folded into other rows (`absorbed_message_uids`), with the index of the row that holds it. */
  absorbed: ReadonlyMap<number, number>;
  /** Rows whose column is not JSON, by column. */
  invalidJson: ReadonlyMap<string, readonly number[]>;
};
