import type { SqliteDatabase } from '../../../io/sqlite.ts';
import { unpackZstd } from '../../../io/zstd.ts';
import { errorMessage } from '../../../model/errors.ts';
import type { AgentSchema } from './schema.ts';

/** The product stores events of 1 KiB to 4 MiB compressed; a larger one is not its work (format notes §1.5). */
const maxEventBytes = 4 * 1024 * 1024;

/** One row of transcript_events with its JSON text, unpacked where it was compressed. */
export type StoredEvent = {
  sessionId: string;
  seq: number;
  /** ms since the epoch. */
  createdAt: number | null;
  /** null when it could not be unpacked; `problem` says why. */
  json: string | null;
  compressed: boolean;
  bytes: number;
  problem: string | null;
};

type Raw = [sessionId: string, seq: number | bigint, createdAt: number | null, json: string | Buffer | null, packed: Buffer | null, bytes: number | null];

/** All events in (session, seq) order, or those of one session, or one of them. Streams: nothing is kept. */
export function* iterateEvents(db: SqliteDatabase, schema: AgentSchema, sessionId: string | null = null, seq: number | null = null): Iterable<StoredEvent> {
  if (!schema.eventColumns.has('event_json')) return;
  const has = (column: string): string => (schema.eventColumns.has(column) ? column : 'NULL');
  const statement = db
    .prepare(
      `SELECT session_id, seq, ${has('created_at')}, event_json, ${has('event_zstd')}, ${has('event_utf8_bytes')} FROM transcript_events
       ${sessionId === null ? '' : 'WHERE session_id = ?'}${seq === null ? '' : ' AND seq = ?'} ORDER BY session_id, seq`,
    )
    .raw();
  const rows = (sessionId === null ? statement.iterate() : seq === null ? statement.iterate(sessionId) : statement.iterate(sessionId, seq)) as Iterable<Raw>;
  for (const [id, number, createdAt, json, packed, declared] of rows) {
    const event: StoredEvent = { sessionId: id, seq: Number(number), createdAt, json: null, compressed: false, bytes: 0, problem: null };
    if (json !== null) {
      event.json = typeof json === 'string' ? json : json.toString('utf8');
      event.bytes = event.json.length;
    } else if (packed !== null) {
      event.compressed = true;
      try {
        const unpacked = unpackZstd(packed, maxEventBytes);
        event.bytes = unpacked.length;
        if (declared !== null && unpacked.length !== declared) event.problem = `it unpacks to ${unpacked.length} bytes, but ${declared} are declared`;
        else event.json = unpacked.toString('utf8');
      } catch (error) {
        event.problem = `its zstd frame cannot be read: ${errorMessage(error)}`;
      }
    } else {
      event.problem = 'it has neither JSON nor a compressed body';
    }
    yield event;
  }
}
