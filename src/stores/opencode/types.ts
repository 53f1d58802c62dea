import type { BaseSnapshot } from '../snapshot.ts';

/** One row of `message`, narrow: no text. The same shape for opencode and MiMo-Code, and for both reader models. */
export type MessageRow = {
  id: string;
  /** MiMo-Code's agent slice (`agent_id`); `main` for every opencode row. */
  agent: string;
  /** Column `time_created`, ms since the epoch; any integer. */
  time: number;
  /** `data.role`; other for anything else and for data that is not JSON. */
  role: 'user' | 'assistant' | 'other';
  /** `data.finish` of an assistant row (`stop`, `tool-calls`, …), null while it has none. */
  finish: string | null;
  /** `data.parentID` of an assistant row: the prompt it answers. */
  parentId: string | null;
  /** `data.time.completed` is there. */
  completed: boolean;
  /** `data.error.name`, or null. */
  error: string | null;
  /** `data.summary` is true: the reply is a compaction summary. */
  summary: boolean;
};

/** The undo point of a session (`session.revert`), as far as it can be read. */
export type RevertPoint = { messageId: string; partId: string | null };

/** One row of `session`, narrow: no title, no directory. Times in ms since the epoch. */
export type SessionRow = {
  id: string;
  parentId: string | null;
  projectId: string | null;
  version: string;
  created: number;
  updated: number;
  archived: number | null;
  /** null: none, or the column is not readable JSON (then `revertRaw` is not null). */
  revert: RevertPoint | null;
  revertRaw: string | null;
};

/** The ends of a session's messages, from seeks on the covering index: ids and `time_created` of its first and last row by (time, id). */
export type SessionSpan = { sessionId: string; firstId: string; firstTime: number; lastId: string; lastTime: number };

export type OpencodeSnapshot = BaseSnapshot & {
  digests(): Iterable<OpencodeDigest>;
};

/** Checks ask the store alone: there are no digests. */
export type OpencodeDigest = never;
