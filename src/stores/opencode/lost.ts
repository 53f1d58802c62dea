import { basename, join } from 'node:path';
import type { SqliteDatabase } from '../../io/sqlite.ts';
import { lostInEvents } from './event-log.ts';
import { createdOf, legacyMessages, legacySessions, readJsonFile } from './legacy-files.ts';
import { lostInIndex } from './search-index.ts';
import type { Tables } from './tables.ts';
import type { LostMessage, SessionRow } from './types.ts';

/**
 * Messages without a row that some other place still has. A session that has no row was deleted by its user and is left out,
 * unless its JSON project file is missing: then the importer never took it (opencode format notes §2.5).
 */
export function* readLost(db: SqliteDatabase, tables: Tables, sessions: ReadonlyMap<string, SessionRow>, databasePath: string, thorough: boolean): Iterable<LostMessage> {
  for (const lost of lostInIndex(db, tables)) if (sessions.has(lost.sessionId)) yield lost;
  for (const lost of lostInEvents(db, tables, thorough)) if (sessions.has(lost.sessionId)) yield lost;
  if (!tables.has('message', 'id')) return;
  const storage = join(databasePath, '..', 'storage');
  const skipped = new Set<string>();
  // Only the main channel's database imported the files.
  if (/^(opencode|mimocode)\.db$/.test(basename(databasePath))) {
    for (const session of legacySessions(storage)) if (!session.projectExists && !sessions.has(session.id)) skipped.add(session.id);
  }
  const present = db.prepare<[string], unknown>('SELECT 1 FROM message WHERE id = ?').pluck();
  for (const { sessionId, messageId, path } of legacyMessages(storage)) {
    if (!(sessions.has(sessionId) || skipped.has(sessionId)) || present.get(messageId) !== undefined) continue;
    const time = createdOf(readJsonFile(path)) ?? 0;
    yield { source: 'json', sessionId, messageId, firstTime: time, lastTime: time, records: 1, removedAt: null };
  }
}
