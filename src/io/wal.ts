import { closeSync, fstatSync, readSync } from 'node:fs';
import { openForReading } from './files.ts';

/** What a write-ahead log holds, judged by its own salts and checksums (sqlite.org/fileformat2, §4.1). */
export type WalFacts = {
  bytes: number;
  /** 0 when the header does not say. */
  pageSize: number;
  /** Frames that begin in the file, whole or cut. */
  frames: number;
  /** Frames up to the last commit whose salts and checksums hold: what SQLite reads. */
  committed: number;
  /** Pages of the database after the last of those commits. */
  pageCount: number;
  /** Why SQLite would read nothing of it; null when there is a committed frame. */
  problem: string | null;
  /** Why reading ends before the end of the file; null where it does not, or where older frames of an earlier round follow, as usual. */
  cut: string | null;
};

const headerBytes = 32;
const frameHeaderBytes = 24;

type Sums = [number, number];

/** The checksum of WALs, continued from `sums` over a number of 32-bit words that is even. */
function checksum(bytes: Buffer, from: number, length: number, bigEndian: boolean, sums: Sums): void {
  let [first, second] = sums;
  for (let at = from; at < from + length; at += 8) {
    first = (first + (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + second) >>> 0;
    second = (second + (bigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + first) >>> 0;
  }
  sums[0] = first;
  sums[1] = second;
}

const holds = (bytes: Buffer, at: number, sums: Sums): boolean => bytes.readUInt32BE(at) === sums[0] && bytes.readUInt32BE(at + 4) === sums[1];

function readAt(fd: number, buffer: Buffer, length: number, offset: number): number {
  let done = 0;
  while (done < length) {
    const count = readSync(fd, buffer, done, length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

/** Reads a write-ahead log as SQLite would on recovery, in one pass and one frame of memory. Throws UnreadableError when it cannot be opened. */
export function inspectWal(path: string): WalFacts {
  const fd = openForReading(path);
  try {
    const bytes = fstatSync(fd).size;
    const facts: WalFacts = { bytes, pageSize: 0, frames: 0, committed: 0, pageCount: 0, problem: null, cut: null };
    if (bytes < headerBytes) return { ...facts, problem: bytes === 0 ? 'it has 0 bytes' : `it has ${bytes} bytes, less than its header` };
    const head = Buffer.alloc(headerBytes);
    readAt(fd, head, headerBytes, 0);
    const magic = head.readUInt32BE(0);
    if (magic !== 0x377f0682 && magic !== 0x377f0683) return { ...facts, problem: 'its first bytes are not those of a write-ahead log' };
    const bigEndian = (magic & 1) === 1;
    const sums: Sums = [0, 0];
    checksum(head, 0, 24, bigEndian, sums);
    if (!holds(head, 24, sums)) return { ...facts, problem: 'the checksum of its header does not hold' };
    facts.pageSize = head.readUInt32BE(8);
    if (facts.pageSize < 512 || facts.pageSize > 65536 || (facts.pageSize & (facts.pageSize - 1)) !== 0) return { ...facts, problem: `its header names pages of ${facts.pageSize} bytes` };
    readFrames(fd, facts, head, bigEndian, sums);
    return facts;
  } finally {
    closeSync(fd);
  }
}

function readFrames(fd: number, facts: WalFacts, head: Buffer, bigEndian: boolean, sums: Sums): void {
  const frameBytes = frameHeaderBytes + facts.pageSize;
  facts.frames = Math.ceil((facts.bytes - headerBytes) / frameBytes);
  const frame = Buffer.alloc(frameBytes);
  let valid = 0;
  for (; valid < facts.frames; valid++) {
    if (readAt(fd, frame, frameBytes, headerBytes + valid * frameBytes) < frameBytes) {
      facts.cut = `it ends inside of frame ${valid + 1}`;
      break;
    }
    const page = frame.readUInt32BE(0);
    if (!frame.subarray(8, 16).equals(head.subarray(16, 24))) {
      // After a checkpoint a log begins again at its start, under other salts; what is left of the round before follows.
      if (valid === 0) facts.cut = 'the salts of its frames are not those of its header';
      break;
    }
    checksum(frame, 0, 8, bigEndian, sums);
    checksum(frame, frameHeaderBytes, facts.pageSize, bigEndian, sums);
    if (page === 0 || !holds(frame, 16, sums)) {
      facts.cut = `the checksum of frame ${valid + 1} does not hold`;
      break;
    }
    const size = frame.readUInt32BE(4);
    if (size > 0) {
      facts.committed = valid + 1;
      facts.pageCount = size;
    }
  }
  if (facts.committed === 0) facts.problem = facts.frames === 0 ? 'it holds no frame' : (facts.cut ?? 'none of its frames was committed');
  else if (facts.cut === null && valid > facts.committed) facts.cut = `its last ${valid - facts.committed} frames were never committed`;
}
