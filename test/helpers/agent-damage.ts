import Database from 'better-sqlite3';
import { unpackZstd } from '../../src/io/zstd.ts';
import { listActive } from './agent-database.ts';

export type EventRecord = Record<string, unknown> & { type: string; id: string };

/** How the product's list of the active branch is left: as it would list these events or marked for a rebuild. */
export type ListState = 'current' | 'marked';

/**
 * Writes the events of one window of a product-made database anew, with the tables that follow from them. `active` gives the
 * active branch by seq; the default is every event behind the header. Compressed bodies become plain ones.
 */
export function rewriteWindow(path: string, sessionId: string, change: (events: EventRecord[]) => EventRecord[], options: { active?: (events: EventRecord[]) => number[]; list?: ListState } = {}): void {
  const db = new Database(path);
  try {
    db.pragma('foreign_keys = OFF');
    const rows = db.prepare<[string], { json: string | null; packed: Buffer | null; created: number }>('SELECT event_json AS json, event_zstd AS packed, created_at AS created FROM transcript_events WHERE session_id = ? ORDER BY seq').all(sessionId);
    const events = change(rows.map(({ json, packed }) => JSON.parse(json ?? unpackZstd(packed ?? Buffer.alloc(0), 4 * 1024 * 1024).toString('utf8')) as EventRecord));
    const write = db.transaction(() => {
      for (const table of ['transcript_event_identities', 'transcript_events']) db.prepare(`DELETE FROM ${table} WHERE session_id = ?`).run(sessionId);
      const event = db.prepare('INSERT INTO transcript_events (session_id, seq, event_json, created_at, event_utf8_bytes) VALUES (?, ?, ?, ?, ?)');
      const identity = db.prepare('INSERT INTO transcript_event_identities (session_id, event_id, seq, event_type, parent_id, created_at) VALUES (?, ?, ?, ?, ?, ?)');
      for (const [seq, value] of events.entries()) {
        const text = JSON.stringify(value);
        const at = typeof value['timestamp'] === 'string' ? Date.parse(value['timestamp']) : (rows[0]?.created ?? 0);
        event.run(sessionId, seq, text, at, Buffer.byteLength(text));
        identity.run(sessionId, value.id, seq, value.type, value['parentId'] ?? null, at);
      }
      listActive(db, sessionId, options.active?.(events) ?? events.map((_, seq) => seq).slice(1), events.length - 1);
      if (options.list === 'marked') db.prepare('UPDATE session_transcript_index_state SET needs_rebuild = 1 WHERE session_id = ?').run(sessionId);
    });
    write();
  } finally {
    db.close();
  }
}

const isResult = (event: EventRecord): boolean => (event['message'] as { role?: string } | undefined)?.role === 'toolResult';

/** Tool results never came: those events are not there, and what followed hangs on what they hung on. */
export function withoutResults(events: EventRecord[]): EventRecord[] {
  const gone = new Map(events.filter(isResult).map((event) => [event.id, event['parentId'] as string | null]));
  const parentOf = (id: unknown): unknown => (typeof id === 'string' && gone.has(id) ? parentOf(gone.get(id)) : id);
  return events.filter((event) => !gone.has(event.id)).map((event) => ('parentId' in event ? { ...event, parentId: parentOf(event['parentId']) } : event));
}

/** The event at `seq` names a parent that was never written. */
export function withBrokenParent(seq: number, missing = 'deadbeef'): (events: EventRecord[]) => EventRecord[] {
  return (events) => events.map((event, index) => (index === seq ? { ...event, parentId: missing } : event));
}

/** The message behind the last reset hangs beside it. */
export function withMisplacedAppend(events: EventRecord[]): EventRecord[] {
  const reset = events.findLast((event) => event.type === 'reset');
  const behind = events.find((event) => event.type === 'message' && event['parentId'] === reset?.id);
  return events.map((event) => (event === behind ? { ...event, parentId: reset?.['parentId'] } : event));
}
