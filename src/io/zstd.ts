import { UnreadableError, errorMessage } from '../model/errors.ts';
import type { ByteSource } from './lines.ts';
import { loadZstd } from './parsers.ts';

const packedChunk = 64 * 1024;
/** Windows that the reference decoder refuses by default are refused here too (RFC 8878 §3.1.1.1.2, windowLog 27). */
const maxWindowBytes = 128 * 1024 * 1024;
/** Unpacked bytes that one file may grow to; more is taken for a bomb. */
export const maxUnpackedBytes = 64 * 1024 * 1024 * 1024;

/** Memory in bytes that the decoder of a frame needs, by its header (RFC 8878 §3.1.1.1), or null when the bytes are no zstd frame. */
export function zstdWindowBytes(head: Uint8Array): number | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 6 || view.getUint32(0, true) !== 0xfd2fb528) return null;
  const descriptor = head[4] ?? 0;
  const single = (descriptor & 0x20) !== 0;
  if (!single) {
    const window = head[5] ?? 0;
    const base = 2 ** (10 + (window >> 3));
    return base + (base / 8) * (window & 7);
  }
  const at = 5 + [0, 1, 2, 4][descriptor & 3]!;
  const sizeBytes = [1, 2, 4, 8][descriptor >> 6]!;
  if (head.length < at + sizeBytes) return 0;
  if (sizeBytes === 1) return head[at] ?? 0;
  if (sizeBytes === 2) return view.getUint16(at, true) + 256;
  if (sizeBytes === 4) return view.getUint32(at, true);
  return Number(view.getBigUint64(at, true));
}

/** Throws unless the bytes begin a frame whose window is of a sane size. */
function checkFrame(head: Uint8Array): void {
  const window = zstdWindowBytes(head);
  if (window === null) throw new Error('it does not begin with a zstd frame');
  if (window > maxWindowBytes) throw new Error(`its window of ${window} bytes is above the limit of ${maxWindowBytes}`);
}

/**
 * A byte source that unpacks zstd as it is read, in flat memory. The stream decoder runs in step with the reader, which the
 * asynchronous one of newer Nodes cannot do, so one path serves every Node. Throws UnreadableError on a broken or cut frame.
 */
export function openZstd(packed: ByteSource, path: string): ByteSource {
  const waiting: Uint8Array[] = [];
  let position = 0; // in waiting[0]
  let started = false;
  let ended = false;
  let total = 0;
  const { Decompress } = loadZstd();
  const decoder = new Decompress((chunk) => {
    total += chunk.length;
    if (chunk.length > 0) waiting.push(chunk);
  });
  const step = (): void => {
    // The decoder keeps what it was given until a block is whole, so each chunk is a buffer of its own.
    const input = Buffer.allocUnsafeSlow(packedChunk);
    const count = packed(input, 0, input.length);
    if (count > 0 && !started) {
      checkFrame(input.subarray(0, count));
      started = true;
    }
    ended = count === 0;
    decoder.push(input.subarray(0, count), ended);
    if (total > maxUnpackedBytes) throw new Error(`it unpacks to more than ${maxUnpackedBytes} bytes`);
  };
  return (buffer, offset, length) => {
    while (waiting.length === 0) {
      if (ended) return 0;
      try {
        step();
      } catch (error) {
        if (error instanceof UnreadableError) throw error;
        throw new UnreadableError(`${path} is not a whole zstd file: ${errorMessage(error)}`, path);
      }
    }
    const chunk = waiting[0]!;
    const count = Math.min(length, chunk.length - position);
    buffer.set(chunk.subarray(position, position + count), offset);
    position += count;
    if (position === chunk.length) {
      waiting.shift();
      position = 0;
    }
    return count;
  };
}

/** Unpacks a zstd value of at most `limit` bytes. Throws Error on a broken frame, and as soon as it grows beyond the limit. */
export function unpackZstd(packed: Uint8Array, limit: number): Buffer {
  checkFrame(packed);
  const chunks: Uint8Array[] = [];
  let total = 0;
  const { Decompress } = loadZstd();
  const decoder = new Decompress((chunk) => {
    total += chunk.length;
    if (total > limit) throw new Error(`it unpacks to more than ${limit} bytes`);
    chunks.push(chunk);
  });
  // Small steps let the limit stop a bomb before it has grown.
  for (let at = 0; at < packed.length; at += packedChunk) decoder.push(packed.subarray(at, at + packedChunk), at + packedChunk >= packed.length);
  return Buffer.concat(chunks, total);
}
