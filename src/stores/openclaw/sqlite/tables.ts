import type { SqliteDatabase } from '../../../io/sqlite.ts';
import { integrityDamage } from '../../../io/sqlite-integrity.ts';
import { damageOf, type DatabaseSnapshot } from '../../../io/sqlite-snapshot.ts';
import { entryOf } from '../entries.ts';
import { classifyName } from '../names.ts';
import type { SessionEntry, TranscriptFile } from '../types.ts';
import type { ColdSession, DatabaseArchive, WindowRow } from './facts.ts';
import { readArchives, readColdSessions, readNodes, readWindows } from './questions.ts';
import { readAgentSchema, type AgentSchema } from './schema.ts';

const noSchema: AgentSchema = { version: 0, appVersion: null, agentId: null, shape: 'none', tables: new Set(), windowColumns: new Set(), nodeColumns: new Set(), eventColumns: new Set() };

/** A session window as a transcript that lies in the database. */
export function windowFile(window: WindowRow, path: string): TranscriptFile {
  return { name: window.sessionId, path, kind: 'window', baseId: window.sessionId, sessionId: window.sessionId, topic: null, archivedAt: null, generation: null, compressed: false, bytes: 0, modifiedAt: null };
}

/** An archive that is in the database only: its export as a file is pending or was removed. */
export function archiveFile(archive: DatabaseArchive, path: string): TranscriptFile {
  const named = classifyName(archive.name);
  return {
    name: archive.name,
    path,
    kind: archive.reason,
    baseId: archive.sessionId,
    sessionId: archive.sessionId,
    topic: named.class === 'transcript' ? named.topic : null,
    archivedAt: named.class === 'transcript' ? named.archivedAt : archive.createdAt,
    generation: archive.generation,
    compressed: archive.encoding === 'zstd',
    bytes: archive.bytes,
    modifiedAt: null,
  };
}

function readEntries(db: SqliteDatabase, schema: AgentSchema): { entries: SessionEntry[]; invalid: string[] } {
  const entries: SessionEntry[] = [];
  const invalid: string[] = [];
  for (const node of readNodes(db, schema)) {
    let value: unknown = null;
    try {
      value = JSON.parse(node.json);
    } catch {
      invalid.push(node.key);
    }
    const entry = entryOf(node.key, value);
    // entry_json is canonical; the columns are its projections and serve where it says nothing (format notes §1.6).
    entries.push({ ...entry, sessionId: entry.sessionId ?? node.sessionId, updatedAt: entry.updatedAt ?? node.updatedAt, status: entry.status ?? node.status });
  }
  return { entries, invalid };
}

export type Tables = { db: SqliteDatabase | null; schema: AgentSchema; entries: SessionEntry[]; invalid: string[]; windows: WindowRow[]; archives: DatabaseArchive[]; cold: ColdSession[] };

/** The index tables; no handle when reading them shows damage, which then counts as damage of the store. */
export function readTables({ db, facts }: DatabaseSnapshot, deep: boolean): Tables {
  const none: Tables = { db: null, schema: noSchema, entries: [], invalid: [], windows: [], archives: [], cold: [] };
  if (db === null) return none;
  facts.damage = deep ? integrityDamage(db) : null;
  if (facts.damage) return none;
  try {
    const schema = readAgentSchema(db) ?? noSchema;
    return { db, schema, ...readEntries(db, schema), windows: readWindows(db, schema), archives: readArchives(db, schema), cold: readColdSessions(db, schema) };
  } catch (error) {
    facts.damage = damageOf(error);
    if (facts.damage === null) throw error;
    return none;
  }
}
