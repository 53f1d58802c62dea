import type { BaseSnapshot } from '../snapshot.ts';

export type HermesSnapshot = BaseSnapshot & {
  digests(): Iterable<HermesDigest>;
};

export type HermesDigest = { sessionId: string };
