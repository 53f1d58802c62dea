import type { DatabaseFacts } from '../io/sqlite-snapshot.ts';
import type { ReadError, StoreReport } from '../model/finding.ts';
import type { OpenOptions, StoreRef } from '../model/store.ts';
import type { Product } from '../model/product.ts';

/** What a database says of its own schema, against what is known. */
export type SchemaFacts = {
  path: string;
  /** As the product counts it: a migration name, a number; null when it does not say. */
  version: string | null;
  /** The newest that is known here. */
  newestKnown: string;
  newer: boolean;
};

/** A store that was opened for reading. Everything a check may ask is answered in plain typed rows. */
export type BaseSnapshot = {
  ref: StoreRef;
  /** The newest product version that the store itself records, or null. */
  recordedVersion: string | null;
  /** The database files of the store (none for JSONL). */
  databases: DatabaseFacts[];
  schema: SchemaFacts | null;
  /** One transcript or session after the other, for the checks' session handlers. Empty where checks ask the store alone. */
  digests(): Iterable<unknown>;
  /** What could not be read so far; grows while reading. */
  errors: ReadError[];
  /** Counts for the report; final only after everything was read. */
  counts(): Pick<StoreReport, 'sessions' | 'recordsRead' | 'recordsRejected' | 'bytes' | 'readAs' | 'counts'>;
  /** Bytes read so far and in all, while digests are read; absent where that is not known. Cheap. */
  progress?(): { done: number; total: number };
  /** Absolute paths of files whose size, mtime or inode changed since they were read. */
  changed(): string[];
  close(): void;
};

/** The variables and the home folder that decide where a user's stores lie. */
export type Environment = { env: Record<string, string | undefined>; home: string };

/** How one product's stores are found and opened. */
export type StoreAdapter<S extends BaseSnapshot> = {
  product: Product;
  /** Absolute paths where this user's stores lie by default, existing or not, in order of preference. */
  defaults(environment: Environment): string[];
  /**
   * The stores at or around an existing path: a state folder, one of its inner folders, a database file or one transcript.
   * Empty when the path is not this product's. `environment` is null for a path that a person named: then no variable of
   * this host's user counts.
   */
  recognise(path: string, environment: Environment | null): StoreRef[];
  /** Throws UnreadableError when the system refuses. */
  open(ref: StoreRef, options: OpenOptions): Promise<S>;
};
