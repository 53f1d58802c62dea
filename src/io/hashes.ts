import { createHash } from 'node:crypto';
import { withFile } from './files.ts';
import { forEachLine } from './lines.ts';
import { copyRange, digester, digestFile } from './splice.ts';

/** sha256 of parts of files, as repair steps name them. Each throws UnreadableError. */
export type Hashes = {
  file(path: string): string;
  /** One line (from 1) without its newline; null when there is no such line. */
  line(path: string, line: number): string | null;
  /** `count` lines from `line` on, with their newlines; null when they are not all there. */
  lines(path: string, line: number, count: number): string | null;
  /** Many lines in one pass: each without (`bare`) and with its newline (`whole`). Oversized and absent lines are left out. */
  eachLine(path: string, lines: ReadonlySet<number>): Map<number, { bare: string; whole: string }>;
  /** How many lines a file has; an unfinished last one counts. */
  lineCount(path: string): number;
};

function hashRange(path: string, offset: number, length: number): string {
  const { sink, result } = digester();
  withFile(path, (fd) => copyRange(fd, offset, length, sink));
  return result().sha256;
}

/** Reads the files when it is asked; a scan that plans nothing reads nothing. */
export const fileHashes: Hashes = {
  file: (path) => digestFile(path).sha256,
  line(path, wanted) {
    let place: { offset: number; bytes: number } | null = null;
    forEachLine(path, (line) => {
      if (line.number === wanted) place = { offset: line.offset, bytes: line.bytes };
    });
    const found = place as { offset: number; bytes: number } | null;
    return found === null ? null : hashRange(path, found.offset, found.bytes);
  },
  lines(path, first, count) {
    let start = -1;
    let end = -1;
    forEachLine(path, (line) => {
      if (line.number === first) start = line.offset;
      if (line.number === first + count - 1) end = line.offset + line.bytes + (line.terminated ? 1 : 0);
    });
    return start === -1 || end === -1 ? null : hashRange(path, start, end - start);
  },
  eachLine(path, wanted) {
    const found = new Map<number, { bare: string; whole: string }>();
    forEachLine(path, (line) => {
      if (!wanted.has(line.number) || line.oversized) return;
      const hash = createHash('sha256').update(line.buffer.subarray(line.start, line.end));
      found.set(line.number, { bare: hash.copy().digest('hex'), whole: hash.update(line.terminated ? '\n' : '').digest('hex') });
    });
    return found;
  },
  lineCount(path) {
    let count = 0;
    forEachLine(path, () => {
      count++;
    });
    return count;
  },
};
