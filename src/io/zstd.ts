import { Decompress } from 'fzstd';
import { UnreadableError, errorMessage } from '../model/errors.ts';
import type { ByteSource } from './lines.ts';

const packedChunk = 64 * 1024;
/** Unpacked bytes a single zstd input may grow to: a frame that claims more is taken for a bomb. */
export const maxUnpackedBytes = 64 * 1024 * 1024 * 1024;

/**
 * A byte source that unpacks zstd as it is read, in flat memory. The stream decoder runs in step with the reader, which the
 * asynchronous one of newer Nodes cannot do, so one path serves every Node. Throws UnreadableError on a broken or cut frame.
 */
export function openZstd(packed: ByteSource, path: string): ByteSource {
  const waiting: Uint8Array[] = [];
  let position = 0; // in waiting[0]
  let ended = false;
  let total = 0;
  const input = Buffer.allocUnsafeSlow(packedChunk);
  const decoder = new Decompress((chunk) => {
    total += chunk.length;
    if (chunk.length > 0) waiting.push(chunk.slice());
  });
  const fail = (error: unknown): never => {
    throw new UnreadableError(`${path} is not a whole zstd file: ${errorMessage(error)}`, path);
  };
  return (buffer, offset, length) => {
    while (waiting.length === 0) {
      if (ended) return 0;
      const count = packed(input, 0, input.length);
      try {
        if (count === 0) {
          ended = true;
          decoder.push(new Uint8Array(0), true);
        } else {
          decoder.push(input.subarray(0, count));
        }
      } catch (error) {
        fail(error);
      }
      if (total > maxUnpackedBytes) fail(new Error(`more than ${maxUnpackedBytes} bytes when unpacked`));
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
