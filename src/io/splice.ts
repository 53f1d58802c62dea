import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { RefusedError, UnreadableError } from '../model/errors.ts';
import type { Sink } from './atomic.ts';
import { withFile } from './files.ts';

/** Bytes `offset` to `offset + length` of a file become `bytes`. */
export type Splice = { offset: number; length: number; bytes: Buffer };

const chunkBytes = 1024 * 1024;

/** Sorts splices; insertions at one place keep their order. Throws RefusedError where two overlap; `where` names the text. */
export function orderSplices(splices: readonly Splice[], where = 'one text'): Splice[] {
  const sorted = splices.map((splice, index) => ({ splice, index })).sort((a, b) => a.splice.offset - b.splice.offset || a.splice.length - b.splice.length || a.index - b.index);
  let end = 0;
  for (const { splice } of sorted) {
    if (splice.offset < end) throw new RefusedError(`two changes of ${where} overlap at byte ${splice.offset}`, 'apply one of the steps with --step, then plan again');
    end = splice.offset + splice.length;
  }
  return sorted.map(({ splice }) => splice);
}

/** Copies `length` bytes (null: all that is left) of a file from `offset` on to a sink. */
export function copyRange(fd: number, offset: number, length: number | null, sink: Sink): number {
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, length ?? chunkBytes) || 1);
  let position = offset;
  let left = length ?? Infinity;
  while (left > 0) {
    const count = readSync(fd, buffer, 0, Math.min(buffer.length, left), position);
    if (count === 0) break;
    // The sink is done with the buffer when it returns.
    sink(buffer.subarray(0, count));
    position += count;
    left -= count;
  }
  return position - offset;
}

/** Streams a file through its splices. Flat memory. Throws UnreadableError. */
export function spliceFile(path: string, splices: readonly Splice[], sink: Sink): void {
  const ordered = orderSplices(splices);
  withFile(path, (fd) => {
    let position = 0;
    for (const { offset, length, bytes } of ordered) {
      const wanted = offset - position;
      if (wanted > 0 && copyRange(fd, position, wanted, sink) !== wanted) throw new UnreadableError(`${path} ended before byte ${offset}`, path);
      if (bytes.length > 0) sink(bytes);
      position = offset + length;
    }
    copyRange(fd, position, null, sink);
  });
}

/** `length` bytes from `offset` on, or as many as there are. */
export function readRange(fd: number, offset: number, length: number): Buffer {
  const parts: Buffer[] = [];
  copyRange(fd, offset, length, (bytes) => parts.push(Buffer.from(bytes)));
  return Buffer.concat(parts);
}

export type Digest = { sha256: string; size: number };

/** A sink that only measures. */
export function digester(): { sink: Sink; result: () => Digest } {
  const hash = createHash('sha256');
  let size = 0;
  return {
    sink(bytes) {
      hash.update(bytes);
      size += bytes.length;
    },
    result: () => ({ sha256: hash.digest('hex'), size }),
  };
}

/** sha256 and size in bytes of a file. Throws UnreadableError. */
export function digestFile(path: string): Digest {
  const { sink, result } = digester();
  withFile(path, (fd) => copyRange(fd, 0, null, sink));
  return result();
}

export function sha256Of(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
