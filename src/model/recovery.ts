import type { Location } from './finding.ts';

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
};
