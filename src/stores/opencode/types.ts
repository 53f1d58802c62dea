import type { BaseSnapshot } from '../snapshot.ts';

export type OpencodeSnapshot = BaseSnapshot & {
  digests(): Iterable<OpencodeDigest>;
};

export type OpencodeDigest = { sessionId: string };
