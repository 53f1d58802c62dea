import type { BaseSnapshot } from '../snapshot.ts';

export type OpenclawSnapshot = BaseSnapshot & {
  /** One transcript after the other, live files first; a digest is not kept by the snapshot. */
  digests(): Iterable<TranscriptDigest>;
};

export type TranscriptDigest = { sessionId: string };
