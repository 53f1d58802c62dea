import type { LegacyCopy } from './legacy-copy.ts';
import type { RecoveredText } from '../../model/recovery.ts';
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

/** A session whose id order differs from its (time, id) order, with all its rows in (time, id) order. */
export type OpencodeDigest = { sessionId: string; session: SessionRow | null; rows: readonly MessageRow[] };

/** Rows that name a parent which has no row. */
export type Orphans = {
  parentTable: 'session' | 'message';
  /** The id that names nothing. */
  missing: string;
  /** The session that the rows say they belong to. */
  sessionId: string;
  /** Ids of the rows, at most `listLimit` of them, and how many there are by table. */
  rows: string[];
  tables: { [table: string]: number };
};

/** A row with a compaction or checkpoint part; `tailStartId` names the first row that a compaction kept as it is. */
export type CarrierRow = { messageId: string; type: 'compaction' | 'checkpoint'; tailStartId: string | null };

/** An assistant row without an end (partId null), or a tool part that is still running or pending. Times in ms. */
export type UnfinishedRow = { sessionId: string; messageId: string; partId: string | null; state: string; time: number; touched: number };

/** Rows whose JSON column is not JSON. `sessionId` null where the table belongs to no session. */
export type InvalidJson = { table: string; column: string; sessionId: string | null; rows: string[]; count: number };

/** Ids that name no row: `rows` are the rows that hold them. At most `listLimit` of each. */
export type DanglingIds = { column: string; rows: string[]; missing: string[]; count: number };

/** What a source outside `message` still has of a message that has no row there. Times in ms. */
export type LostMessage = {
  source: 'history_fts' | 'event' | 'json';
  sessionId: string;
  messageId: string;
  firstTime: number;
  lastTime: number;
  /** Index rows, events or files that tell of it; 0: only its removal was logged. */
  records: number;
  /** Event log: the `seq` of its removal, or null when nothing removed it. */
  removedAt: number | null;
};

/** One part of a lost message. `data` is the part's JSON where the source has it. */
export type SurvivingPart = { partId: string; kind: string; text: string | null; data: unknown; place: string };

/** What one source still has of a lost message. Time in ms; `place` says where in the store it was read. */
export type SurvivingMessage = {
  source: LostMessage['source'];
  sessionId: string;
  messageId: string;
  role: 'user' | 'assistant' | null;
  time: number | null;
  /** The message's JSON; null where the source keeps text only. */
  data: unknown;
  parts: SurvivingPart[];
  place: string;
};

/** A change of a session's undo point in the event log; null: it was taken back. */
export type RevertEvent = { seq: number; messageId: string | null };

/** One turn of MiMo-Code's queue that was settled as done. Times in ms. */
export type SettledTurn = { id: string; sessionId: string; agent: string; promptId: string; replyId: string | null; time: number };

/** Parts of one session that the search index should hold and does not. `sessionId` null: the whole index is empty. */
export type UnindexedParts = { sessionId: string | null; parts: number; messages: number; firstTime: number | null; lastTime: number | null };

/** Rows of the search index against the entries of its full-text table; `problem`: what a strict check said. */
export type SearchIndexState = { rows: number; entries: number; problem: string | null };

/** Who else keeps ids of a session. `importSources`: the importers that own rows of it (`cc`, `codex`, `opencode`, …). */
export type RepairFacts = { workspaceId: string | null; eventOwner: string | null; shared: boolean; importSources: string[] };

/** A place where ids stand: as the whole cell or string at `path` in JSON (`*` for array items), or inside a longer text. */
export type IdUse = { table: string; column: string; path: string[]; whole: boolean; count: number };

/** An unfinished tool part. `timed`: `state.time` is there; `foreign`: fields that no build leaves in such a part. Times in ms. */
export type OpenToolPart = { status: 'pending' | 'running'; timed: boolean; start: number | null; metadata: boolean; foreign: boolean };

/** A reply without an end. `foreign`: fields that no build leaves in such a row. */
export type OpenReply = { foreign: boolean };

/** Where an id has its row. `time`: its `time_created`, ms. */
export type IdRowPlace = { table: 'message' | 'part' | 'session'; sessionId: string; time: number };

/** How many ids a list of an answer holds at most; the counts are whole. */
export const listLimit = 1000;

/** An opened opencode or MiMo-Code store. Every question answers in plain rows and judges nothing. */
export type OpencodeSnapshot = BaseSnapshot & {
  /** The sessions whose id order differs from their time order, each with its rows. */
  digests(): Iterable<OpencodeDigest>;
  /** Whether a table is there, with these columns. */
  has(table: string, ...columns: string[]): boolean;
  /** True when questions over wide columns look at every row: a small store, or --deep. Else they look at the ends of each session. */
  thorough: boolean;
  /** True when another process has the database open, as far as this user may see. */
  inUse(): boolean;
  sessions(): ReadonlyMap<string, SessionRow>;
  /** The ends of every session that has messages. */
  spans(): Iterable<SessionSpan>;
  /** Ids of the sessions whose id order differs from their time order. */
  disordered(): ReadonlySet<string>;
  /** A session's rows in (time, id) order. */
  messages(sessionId: string): readonly MessageRow[];
  /** The newest rows of one agent slice by (time, id), newest first. */
  tail(sessionId: string, agent: string, limit: number): MessageRow[];
  countMessages(sessionId: string): number;
  /** Rows of a session's main agent before, and at or after a time (ms). */
  countSides(sessionId: string, boundary: number): { before: number; after: number };
  /** A session's title, which is private; null where there is none. */
  titleOf(sessionId: string): string | null;
  /** User rows of a session that carry a compaction or a checkpoint. */
  carriers(sessionId: string): CarrierRow[];
  /** True when some message has a v2 id (`msg_g` and 16 hex): a build that mints them has written here. */
  holdsV2Ids(): boolean;
  /** Ids of a session's rows in (time, id) order. */
  messageIds(sessionId: string): string[];
  orphans(): Orphans[];
  unfinished(): Iterable<UnfinishedRow>;
  invalidJson(): InvalidJson[];
  dangling(): DanglingIds[];
  settledTurns(): Iterable<SettledTurn>;
  /** Messages of sessions that exist which only the search index, the event log or the JSON files still have. */
  lostMessages(): Iterable<LostMessage>;
  /** The texts of messages and parts by their ids, in the order asked for; only for a person who asked for private texts. */
  messageTexts(ids: readonly string[]): Iterable<RecoveredText>;
  /** The texts of a message that has no row, for writing out. */
  lostTexts(sessionId: string, messageId: string): Iterable<RecoveredText>;
  /** The texts of messages without their session, or of parts without their message, for writing out. */
  orphanTexts(parent: Orphans['parentTable'], missing: string): Iterable<RecoveredText>;
  /** The JSON files of before 1.2.0, where they are the store, or all that is left beside a database that cannot be read; else null. */
  legacyCopy(): LegacyCopy | null;
  /** Files of MiMo-Code's memory folder that belong to a session; they hold no messages. */
  memoryFiles(sessionId: string): string[];
  /** How a session's undo point moved, in order of `seq`; empty without an event log. */
  revertEvents(sessionId: string): RevertEvent[];
  /** When the log says a message was created (ms), or null. */
  loggedTime(sessionId: string, messageId: string): number | null;
  /** What survives of these messages of one session, with their texts: event log first, then JSON files, then the search index; one entry a source. */
  survivors(sessionId: string, messageIds: ReadonlySet<string>): Iterable<SurvivingMessage>;
  unindexed(): Iterable<UnindexedParts>;
  searchIndex(): SearchIndexState | null;
  openToolPart(partId: string): OpenToolPart | null;
  openReply(messageId: string): OpenReply | null;
  /** The row of a message, part or session by its id. */
  findId(id: string): IdRowPlace | null;
  repairFacts(sessionId: string): RepairFacts;
  /** Part ids of a message in order of id. */
  partIds(messageId: string): string[];
  /** Where these ids stand in rows of this session, and in tables that belong to no session. */
  idUses(sessionId: string, ids: ReadonlySet<string>): IdUse[];
  /** Sessions that an importer wrote. */
  importedSessions(): ReadonlySet<string>;
};
