import type { ReadError } from './finding.ts';

/** How a session that lies at an id wrap fares with the reader of its store. */
export type WrapState = 'wedged' | 'silent-next' | 'repeats-next' | 'out-of-order' | 'in-order';

/** One session with rows before an epoch boundary. Times in ms. */
export type WrapRow = {
  session: string;
  boundary: number;
  nextBoundary: number;
  /** Messages by `time_created` before, and at or after the boundary (MiMo-Code: agent `main`). */
  before: number;
  after: number;
  /** Formats of the ids of the first and the last row, oldest first, and of any row between them that was looked at. */
  formats: string[];
  state: WrapState;
  unanswered: number;
  unansweredSince: number | null;
  newestPrompt: number | null;
  /** An undo is pending that would delete the wrong rows. */
  armed: boolean;
  archived: boolean;
};

/** What the wraps of one store's sessions come to. */
export type WrapStore = {
  store: string;
  name: string;
  product: 'opencode' | 'mimocode';
  readerVersion: string | null;
  order: 'id' | 'time';
  mints: 'v1' | 'v2';
  boundary: number;
  nextBoundary: number;
  sessions: number;
  /** Sessions that are wedged, silent or without end at their next prompt, or out of order. */
  hit: number;
  rows: WrapRow[];
};

export type WrapResult = { stores: WrapStore[]; errors: ReadError[] };
