import { closeSync, readSync } from 'node:fs';
import { UnreadableError } from '../model/errors.ts';
import { explain, openForReading } from './files.ts';
import { openZstd } from './zstd.ts';

/** Fills `buffer` from `offset` with at most `length` bytes and returns how many; 0 at the end. */
export type ByteSource = (buffer: Buffer, offset: number, length: number) => number;

export type Line = {
  /** Holds the line from `start` to `end`, without its newline. Reused: copy what is kept. */
  buffer: Buffer;
  start: number;
  end: number;
  /** From 1. */
  number: number;
  /** Bytes from the beginning of the (unpacked) file. */
  offset: number;
  /** Length in bytes without the newline; for an oversized line the true length, though `end - start` is less. */
  bytes: number;
  /** A newline follows. */
  terminated: boolean;
  /** Longer than the limit: only its beginning is in the buffer. */
  oversized: boolean;
};

/** Lines above this many bytes are counted and reported, never parsed. */
export const maxLineBytes = 64 * 1024 * 1024;

const initialBytes = 1024 * 1024;
/** The buffer of the last file, for the next one: most transcripts are far smaller than it. */
let spare: Buffer | null = null;
/** How much of an oversized line is kept, to say what it begins with. */
const oversizedHead = 4096;

/**
 * Calls `visit` for each line of a byte source, with one reused buffer that grows to the longest line and no further.
 * The Line object is reused too. Returns the number of bytes read.
 */
export function splitLines(read: ByteSource, visit: (line: Line) => void, limit = maxLineBytes): number {
  const lent = spare ?? Buffer.allocUnsafeSlow(initialBytes);
  spare = null; // a visitor may read another file meanwhile
  try {
    return splitInto(lent, read, visit, limit);
  } finally {
    spare = lent;
  }
}

function splitInto(first: Buffer, read: ByteSource, visit: (line: Line) => void, limit: number): number {
  let buffer = first;
  let filled = 0;
  let base = 0; // offset in the file of buffer[0]
  let lineStart = 0;
  let scanned = 0;
  let number = 0;
  let skipped = 0; // bytes of an oversized line that are already gone from the buffer
  const line: Line = { buffer, start: 0, end: 0, number: 0, offset: 0, bytes: 0, terminated: true, oversized: false };

  const emit = (end: number, terminated: boolean): void => {
    number++;
    line.buffer = buffer;
    line.start = lineStart;
    line.end = end;
    line.number = number;
    line.offset = base + lineStart - skipped;
    line.bytes = end - lineStart + skipped;
    line.terminated = terminated;
    line.oversized = skipped > 0 || line.bytes > limit;
    if (line.oversized) line.end = Math.min(end, lineStart + oversizedHead);
    skipped = 0;
    visit(line);
  };

  for (;;) {
    if (filled === buffer.length) {
      if (lineStart > 0) {
        buffer.copyWithin(0, lineStart, filled);
        base += lineStart;
        filled -= lineStart;
        scanned -= lineStart;
        lineStart = 0;
      } else if (filled + skipped > limit) {
        // Too long to be parsed: keep its head, drop the rest as it comes.
        const dropped = filled - oversizedHead;
        base += dropped;
        skipped += dropped;
        filled = oversizedHead;
        scanned = oversizedHead;
      } else {
        const larger = Buffer.allocUnsafeSlow(Math.max(Math.min(buffer.length * 2, limit + 1), buffer.length + oversizedHead));
        buffer.copy(larger, 0, 0, filled);
        buffer = larger;
      }
    }
    const count = read(buffer, filled, buffer.length - filled);
    if (count === 0) break;
    filled += count;
    const written = buffer.subarray(0, filled); // what lies behind is not searched, nor its pages touched
    for (;;) {
      const newline = written.indexOf(10, scanned);
      if (newline === -1) {
        scanned = filled;
        break;
      }
      emit(newline, true);
      lineStart = newline + 1;
      scanned = lineStart;
    }
  }
  if (filled > lineStart || skipped > 0) emit(filled, false);
  return base + filled;
}

/** Calls `visit` for each line of a file, unpacking `.zst` on the way. Returns bytes (unpacked). Throws UnreadableError. */
export function forEachLine(path: string, visit: (line: Line) => void, limit = maxLineBytes): number {
  const fd = openForReading(path);
  const plain: ByteSource = (buffer, offset, length) => {
    try {
      return readSync(fd, buffer, offset, length, null);
    } catch (error) {
      throw new UnreadableError(explain(error, path), path);
    }
  };
  try {
    return splitLines(path.endsWith('.zst') ? openZstd(plain, path) : plain, visit, limit);
  } finally {
    closeSync(fd);
  }
}
