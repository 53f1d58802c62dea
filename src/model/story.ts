import type { Excerpt } from './excerpt.ts';
import type { Json } from './finding.ts';
import type { Product } from './product.ts';

/** A stretch of one session's life that lies in one file or window. Times are ISO 8601 UTC. */
export type StorySegment = {
  session: string;
  /** File name without folder, or null where the store is a database. */
  file: string | null;
  from: string | null;
  to: string | null;
  rows: number;
  messages: number;
  /** `live`, `reset`, `deleted`, or another word of the product. */
  end: string;
  /** Further numbers and names for people; no message text. */
  details: { [name: string]: Json };
};

/** Something that happened inside a segment. `at` null: the row has no time. */
export type StoryEvent = { at: string | null; kind: string; session: string; row: string | number | null; details: { [name: string]: Json } };

/** One compaction in place: how many rows it archived and what became of them. Rows are numbers of the store. */
export type StoryGeneration = { carrier: number; at: string | null; live: boolean; archived: number; headCopies: number; carried: number; cloned: number; stranded: number[]; newestCarried: number | null };

/** The newest messages of a conversation with the beginning of their texts, oldest first, and how many earlier ones there are. */
export type StoryMessages = { rows: Excerpt[]; further: number };

/** One conversation's life as its store tells it: what `show` prints. Ids, times and counts only, unless texts were asked for. */
export type SessionStory = {
  store: string;
  product: Product;
  session: string | null;
  sessionKey: string | null;
  /** Oldest first. */
  segments: StorySegment[];
  /** In time order; those without time last. */
  events: StoryEvent[];
  /** State that is not bound to a time, such as watermarks. */
  facts: { name: string; value: Json }[];
  /** Compactions in place, oldest first, where the product has them. */
  generations?: StoryGeneration[];
  /** What the model gets, in its order. */
  context?: { row: number; role: string }[];
  /** Only with --show-text. */
  messages?: StoryMessages;
};
