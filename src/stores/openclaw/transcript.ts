import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { forEachLine, type Line } from '../../io/lines.ts';
import { errorMessage } from '../../model/errors.ts';
import type { DigestBuilder } from './digest-builder.ts';
import type { Rows, TranscriptDigest } from './digest-types.ts';
import type { TranscriptFile } from './types.ts';

type Event = Record<string, unknown>;

const beyondAscii = /[\u0080-\u00ff]/;

/**
 * Whether an event that was decoded as latin1 must be decoded again as UTF-8: when a text that is kept holds more than ASCII.
 * Message texts are not kept, so that nearly no line needs it.
 */
function keepsMoreThanAscii(event: Event): boolean {
  const { id, parentId } = event;
  if (typeof id === 'string' && beyondAscii.test(id)) return true;
  if (typeof parentId === 'string' && beyondAscii.test(parentId)) return true;
  if (event.type === 'message') return false;
  return Object.values(event).some((value) => typeof value === 'string' && beyondAscii.test(value));
}

function isBlank(buffer: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = buffer[i];
    if (byte !== 32 && byte !== 13 && byte !== 9) return false;
  }
  return true;
}

/** Calls `visit` for each line of a transcript and returns its bytes. */
export type LineSource = (visit: (line: Line) => void) => number;

/**
 * Reads one transcript into a digest, from its file unless another source of its lines is given. What a line holds never throws; when reading itself breaks off, `readError` says why
 * and the digest holds what came before.
 */
export function readTranscript(
  builder: DigestBuilder,
  file: TranscriptFile,
  sessionKey: string | null,
  lines: LineSource = (visit) => forEachLine(file.path, visit),
): TranscriptDigest {
  builder.begin(file, file.sessionId, sessionKey);
  const whole = { lines: 0, bytes: 0, byteOrderMark: false, crlf: false, terminated: true, readError: null as string | null };
  try {
    whole.bytes = lines((line) => {
      const { buffer, end, number, offset, bytes, terminated } = line;
      let { start } = line;
      whole.lines = number;
      whole.terminated = terminated;
      if (number === 1 && buffer[start] === 0xef && buffer[start + 1] === 0xbb && buffer[start + 2] === 0xbf && end - start >= 3) {
        whole.byteOrderMark = true;
        start += 3;
      }
      if (line.oversized) {
        builder.damage({ kind: 'oversized', line: number, offset, bytes, nul: false });
        return;
      }
      if (end > start && buffer[end - 1] === 13) whole.crlf = true;
      if (isBlank(buffer, start, end)) return;
      let event: unknown;
      try {
        event = JSON.parse(buffer.toString('latin1', start, end));
      } catch {
        const nul = buffer.subarray(start, end).includes(0);
        builder.damage({ kind: terminated ? 'malformed' : 'unfinished', line: number, offset, bytes, nul });
        return;
      }
      if (typeof event !== 'object' || event === null || Array.isArray(event)) {
        builder.damage({ kind: terminated ? 'not-object' : 'unfinished', line: number, offset, bytes, nul: false });
        return;
      }
      if (!isUtf8(buffer.subarray(start, end))) builder.badEncoding(number, offset, bytes);
      const fields = event as Event;
      builder.row(keepsMoreThanAscii(fields) ? (JSON.parse(buffer.toString('utf8', start, end)) as Event) : fields, number, offset, bytes);
    });
  } catch (error) {
    whole.readError = errorMessage(error);
  }
  return builder.end(whole);
}

/** Whether two rows of a file have the same bytes; null for a compressed one, whose lines cannot be found again. */
export function sameBytes(file: TranscriptFile, rows: Rows, a: number, b: number): boolean | null {
  if (file.compressed) return null;
  const length = rows.bytes[a] ?? 0;
  let fd: number;
  try {
    fd = openSync(file.path, 'r');
  } catch {
    return null;
  }
  try {
    const left = Buffer.allocUnsafe(length);
    const right = Buffer.allocUnsafe(length);
    readSync(fd, left, 0, length, rows.offset[a] ?? 0);
    readSync(fd, right, 0, length, rows.offset[b] ?? 0);
    return left.equals(right);
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}
