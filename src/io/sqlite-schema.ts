import { closeSync, openSync, readSync } from 'node:fs';
import { fileState, walOf } from './files.ts';

const magic = Buffer.from('SQLite format 3\0', 'latin1');
const maxPages = 2000;
/** Frames of a WAL that are looked at: a fresh database's schema lies in its first ones. */
const maxFrames = 20_000;

type Page = (number: number) => Buffer | null;

/**
 * Names of the tables and views of a database with the beginning of their SQL, read from its bytes: nothing is opened or
 * copied, so a folder of large databases is recognised at once. Committed pages of a small `-wal` count. Null when the file
 * is no readable SQLite database. It only recognises: whoever wants rows takes a snapshot.
 */
export function readSchema(path: string): Map<string, string> | null {
  const state = fileState(path);
  if (state === null) return null;
  const walPath = walOf(path);
  const wal = fileState(walPath);
  let file: number | null = null;
  let log: number | null = null;
  try {
    file = openSync(path, 'r');
    const head = readAt(file, 0, 100);
    let pageSize = head.length === 100 && head.subarray(0, 16).equals(magic) ? sizeOf(head) : 0;
    if (pageSize === 0 && state.size > 0) return null;
    const newer = new Map<number, number>();
    if (wal !== null && wal.size > 32) {
      log = openSync(walPath, 'r');
      const size = indexWal(log, wal.size, newer);
      if (pageSize === 0) pageSize = size;
    }
    if (pageSize === 0) return null;
    const [main, side] = [file, log];
    const page: Page = (number) => {
      const offset = newer.get(number);
      const bytes = offset !== undefined && side !== null ? readAt(side, offset, pageSize) : readAt(main, (number - 1) * pageSize, pageSize);
      return bytes.length === pageSize ? bytes : null;
    };
    return readMaster(page);
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
    if (log !== null) closeSync(log);
  }
}

function sizeOf(head: Buffer): number {
  const raw = head.readUInt16BE(16);
  const size = raw === 1 ? 65536 : raw;
  return size >= 512 && (size & (size - 1)) === 0 ? size : 0;
}

function readAt(fd: number, offset: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(fd, buffer, 0, length, offset));
}

/** Where each page's newest committed copy begins in a WAL; gives the page size, 0 when it is no WAL. */
function indexWal(fd: number, bytes: number, newer: Map<number, number>): number {
  const head = readAt(fd, 0, 32);
  const magicNumber = head.readUInt32BE(0);
  if (magicNumber !== 0x377f0682 && magicNumber !== 0x377f0683) return 0;
  const pageSize = head.readUInt32BE(8);
  if (pageSize < 512 || pageSize > 65536) return 0;
  const pending = new Map<number, number>();
  for (let frame = 0; frame < maxFrames; frame++) {
    const offset = 32 + frame * (24 + pageSize);
    if (offset + 24 + pageSize > bytes) break;
    const frameHead = readAt(fd, offset, 24);
    // Frames of an older generation carry other salts.
    if (!frameHead.subarray(8, 16).equals(head.subarray(16, 24))) break;
    pending.set(frameHead.readUInt32BE(0), offset + 24);
    if (frameHead.readUInt32BE(4) > 0) {
      for (const [number, place] of pending) newer.set(number, place);
      pending.clear();
    }
  }
  return pageSize;
}

function readMaster(page: Page): Map<string, string> | null {
  const tables = new Map<string, string>();
  const waiting = [1];
  const seen = new Set<number>();
  let encoding: BufferEncoding = 'utf8';
  for (let number = waiting.pop(); number !== undefined && seen.size < maxPages; number = waiting.pop()) {
    if (seen.has(number)) continue;
    seen.add(number);
    const bytes = page(number);
    if (bytes === null) continue;
    if (number === 1 && bytes.readUInt32BE(56) === 2) encoding = 'utf16le';
    const start = number === 1 ? 100 : 0;
    const kind = bytes[start];
    if (kind !== 5 && kind !== 13) {
      if (number === 1) return null;
      continue;
    }
    const cells = bytes.readUInt16BE(start + 3);
    const pointers = start + (kind === 5 ? 12 : 8);
    if (kind === 5) waiting.push(bytes.readUInt32BE(start + 8));
    for (let i = 0; i < cells && pointers + 2 * i + 2 <= bytes.length; i++) {
      const cell = bytes.readUInt16BE(pointers + 2 * i);
      if (kind === 5) {
        if (cell + 4 <= bytes.length) waiting.push(bytes.readUInt32BE(cell));
      } else {
        readEntry(bytes, cell, encoding, tables);
      }
    }
  }
  return tables;
}

function readEntry(bytes: Buffer, cell: number, encoding: BufferEncoding, tables: Map<string, string>): void {
  const payload = varint(bytes, cell);
  const rowid = varint(bytes, payload.next);
  const header = varint(bytes, rowid.next);
  let at = rowid.next + header.value;
  let types = header.next;
  const texts: string[] = [];
  for (let column = 0; column < 5; column++) {
    const type = varint(bytes, types);
    types = type.next;
    const length = type.value >= 12 ? Math.floor((type.value - 12) / 2) : ([0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type.value] ?? 0);
    texts.push(type.value >= 13 && type.value % 2 === 1 ? bytes.toString(encoding, at, Math.min(at + length, bytes.length)) : '');
    at += length;
  }
  const [kind, name, , , sql] = texts;
  if ((kind === 'table' || kind === 'view') && name !== undefined) tables.set(name, sql ?? '');
}

function varint(bytes: Buffer, start: number): { value: number; next: number } {
  let value = 0;
  for (let i = 0; i < 9; i++) {
    const byte = bytes[start + i] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) === 0) return { value, next: start + i + 1 };
  }
  return { value, next: start + 9 };
}
