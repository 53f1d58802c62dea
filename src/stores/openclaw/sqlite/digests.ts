import { join } from 'node:path';
import { forEachLine, splitLines } from '../../../io/lines.ts';
import type { SqliteDatabase } from '../../../io/sqlite.ts';
import { openZstd } from '../../../io/zstd.ts';
import type { DigestBuilder } from '../digest-builder.ts';
import type { TranscriptDigest } from '../digest-types.ts';
import type { LineSource } from '../transcript.ts';
import type { TranscriptFile } from '../types.ts';
import { asNumber, asObject, asText } from '../values.ts';
import { iterateEvents, type StoredEvent } from './events.ts';
import type { ColdSession, SqliteFacts } from './facts.ts';
import type { AgentSchema } from './schema.ts';

type Part = { seq: number; bytes: number; json: string | null };

function feed(builder: DigestBuilder, { seq, bytes, json }: Part, offset: number): void {
  let event: Record<string, unknown> | null = null;
  if (json !== null) {
    try {
      event = asObject(JSON.parse(json));
    } catch {
      event = null;
    }
  }
  if (event) builder.row(event, seq + 1, offset, bytes);
  else builder.damage({ kind: 'malformed', line: seq + 1, offset, bytes, nul: json?.includes('\0') ?? false });
}

/** One digest a session window that has events, in the order of session ids, or that of `only`; the events stream through once. */
export function* windowDigests(
  db: SqliteDatabase,
  schema: AgentSchema,
  builder: DigestBuilder,
  windows: ReadonlyMap<string, TranscriptFile>,
  ownerOf: (file: TranscriptFile) => string | null,
  facts: SqliteFacts,
  only: string | null = null,
): Iterable<TranscriptDigest> {
  let current: TranscriptFile | null = null;
  let lines = 0;
  let bytes = 0;
  const end = (): TranscriptDigest => builder.end({ lines, bytes, byteOrderMark: false, crlf: false, terminated: true, readError: null });
  for (const event of iterateEvents(db, schema, only)) {
    const file = windows.get(event.sessionId);
    if (!file) continue;
    if (current !== file) {
      if (current !== null) yield end();
      current = file;
      lines = 0;
      bytes = 0;
      builder.begin(file, file.sessionId, ownerOf(file));
    }
    lines++;
    note(event, facts);
    feed(builder, event, bytes);
    bytes += event.bytes;
  }
  if (current !== null) yield end();
}

function note(event: StoredEvent, facts: SqliteFacts): void {
  if (event.compressed) facts.compressedEvents++;
  if (event.problem !== null && facts.unreadable.length < 1000) facts.unreadable.push({ sessionId: event.sessionId, seq: event.seq, problem: event.problem });
}

/**
 * The digest of a transcript in cold storage: JSON Lines of `{kind: "event", row: {seq, event_json}}` among other kinds,
 * compressed, in `sessions/cold/` or in the database (read in the shipped 2026.9.6). `readError` tells when it cannot be read.
 */
export function coldDigest(db: SqliteDatabase, builder: DigestBuilder, cold: ColdSession, file: TranscriptFile, sessionsFolder: string, sessionKey: string | null): TranscriptDigest {
  builder.begin(file, file.sessionId, sessionKey);
  const whole = { lines: 0, bytes: 0, byteOrderMark: false, crlf: false, terminated: true, readError: null as string | null };
  try {
    coldLines(db, cold, sessionsFolder)((line) => {
      const record = line.oversized ? null : parse(line.buffer.toString('utf8', line.start, line.end));
      const row = record?.kind === 'event' ? asObject(record.row) : null;
      if (record !== null && row === null) return;
      whole.lines++;
      const json = asText(row?.event_json);
      feed(builder, { seq: asNumber(row?.seq) ?? whole.lines - 1, bytes: json?.length ?? line.bytes, json }, whole.bytes);
      whole.bytes += json?.length ?? 0;
    });
  } catch (error) {
    whole.readError = error instanceof Error ? error.message : String(error);
  }
  return builder.end(whole);
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

function coldLines(db: SqliteDatabase, cold: ColdSession, sessionsFolder: string): LineSource {
  if (cold.storage === 'file') {
    // The name comes from the database: only the form that the product writes is followed.
    if (!/^[0-9a-f]{64}\.jsonl\.zst$/.test(cold.archiveName)) throw new Error(`the cold archive of ${cold.sessionId} has no valid name`);
    return (visit) => forEachLine(join(sessionsFolder, 'cold', cold.archiveName), visit);
  }
  const blob = db.prepare('SELECT archive_blob FROM session_transcript_cold_archives WHERE session_id = ?').pluck().get(cold.sessionId);
  if (!Buffer.isBuffer(blob)) throw new Error(`the cold archive of ${cold.sessionId} is not in the database`);
  return blobLines(blob, true, cold.archiveName);
}

/** Lines of a blob, unpacked where it is compressed. */
export function blobLines(blob: Buffer, compressed: boolean, name: string): LineSource {
  let position = 0;
  const plain = (buffer: Buffer, offset: number, length: number): number => {
    const count = blob.copy(buffer, offset, position, position + length);
    position += count;
    return count;
  };
  return (visit) => splitLines(compressed ? openZstd(plain, name) : plain, visit);
}
