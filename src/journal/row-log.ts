import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { syncFolder, writeNewFile } from '../io/atomic.ts';
import { forEachLine } from '../io/lines.ts';
import { FriendlyError } from '../model/errors.ts';
import type { RowChange } from './capture.ts';

/** What a database looked like around the row changes, as far as rows do not say it. */
export type RowLogHead = {
  kind: 'head';
  /** sqlite_sequence before and after: the counters of AUTOINCREMENT tables. */
  sequence: { before: { [table: string]: string }; after: { [table: string]: string } };
  droppedTriggers: { name: string; sql: string }[];
  /** Triggers that an undo made again. */
  madeTriggers: { name: string; sql: string }[];
};

type Foot = { kind: 'foot'; changes: number; sha256: string };

/** Bytes of row log that are gathered before they are handed to the system. */
const flushBytes = 256 * 1024;

/** Writes head, changes and a foot that proves the file whole; durable when this returns. */
export function writeRowLog(path: string, head: RowLogHead, changes: Iterable<RowChange>): number {
  const hash = createHash('sha256');
  let count = 0;
  writeNewFile(path, 0o600, (sink) => {
    let waiting: string[] = [];
    let size = 0;
    const flush = (): void => {
      if (waiting.length === 0) return;
      const bytes = Buffer.from(waiting.join(''), 'utf8');
      hash.update(bytes);
      sink(bytes);
      waiting = [];
      size = 0;
    };
    const add = (value: unknown): void => {
      const line = `${JSON.stringify(value)}\n`;
      waiting.push(line);
      size += line.length;
      if (size > flushBytes) flush();
    };
    add(head);
    for (const change of changes) {
      count++;
      add(change);
    }
    flush();
    sink(Buffer.from(`${JSON.stringify({ kind: 'foot', changes: count, sha256: hash.digest('hex') } satisfies Foot)}\n`, 'utf8'));
  });
  syncFolder(dirname(path));
  return count;
}

export type RowLog = {
  head: RowLogHead;
  changes: number;
  /** Byte offset and length of each change, for reading from the end. */
  offsets: Float64Array;
};

/** Checks a row log and finds its lines. Throws FriendlyError where it is torn. */
export function readRowLog(path: string): RowLog {
  const hash = createHash('sha256');
  let head: RowLogHead | null = null;
  let foot: Foot | null = null;
  let offsets = new Float64Array(1024);
  let lines = 0;
  const torn = (): never => {
    throw new FriendlyError(`${path} is torn: the journal cannot be used`);
  };
  forEachLine(path, (line) => {
    if (foot !== null || !line.terminated) torn();
    const text = line.buffer.toString('utf8', line.start, line.end);
    if (text.startsWith('{"kind":"foot"')) {
      foot = JSON.parse(text) as Foot;
      return;
    }
    hash.update(line.buffer.subarray(line.start, line.end + 1));
    if (lines === 0) head = JSON.parse(text) as RowLogHead;
    else {
      if (lines * 2 > offsets.length) {
        const larger = new Float64Array(offsets.length * 2);
        larger.set(offsets);
        offsets = larger;
      }
      offsets[(lines - 1) * 2] = line.offset;
      offsets[(lines - 1) * 2 + 1] = line.bytes;
    }
    lines++;
  }, Number.MAX_SAFE_INTEGER);
  const end = foot as Foot | null;
  if (head === null || end === null || end.changes !== lines - 1 || end.sha256 !== hash.digest('hex')) return torn();
  return { head, changes: lines - 1, offsets };
}
