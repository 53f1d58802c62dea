import type { SqliteDatabase } from '../../../io/sqlite.ts';
import { columnsOf, tablesOf } from '../../../io/sqlite-snapshot.ts';

/** The newest agent schema whose history is known (format notes §1.5; 25 is not released). */
export const newestAgentSchema = 25;

/** What an agent database holds, by its tables and columns rather than by its version. */
export type AgentSchema = {
  /** `schema_meta.schema_version`, else `PRAGMA user_version`. */
  version: number;
  appVersion: string | null;
  agentId: string | null;
  /** nodes: session_nodes and session_windows (schema 14 on); entries: sessions and session_entries (8–13); none: no sessions yet. */
  shape: 'nodes' | 'entries' | 'none';
  tables: Set<string>;
  windowColumns: Set<string>;
  nodeColumns: Set<string>;
  eventColumns: Set<string>;
};

/** Reads the shape of an agent database; null when it is none (another role, or no schema_meta and no transcript tables). */
export function readAgentSchema(db: SqliteDatabase): AgentSchema | null {
  const tables = tablesOf(db);
  const eventColumns = columnsOf(db, 'transcript_events');
  let version = Number(db.pragma('user_version', { simple: true }));
  let appVersion: string | null = null;
  let agentId: string | null = null;
  if (tables.has('schema_meta')) {
    const columns = columnsOf(db, 'schema_meta');
    const rows = db.prepare<[], Record<string, unknown>>('SELECT * FROM schema_meta LIMIT 8').all();
    const meta = rows.find((row) => row['role'] === 'agent') ?? rows[0];
    if (meta && columns.has('role') && meta['role'] !== 'agent') return null;
    if (typeof meta?.['schema_version'] === 'number') version = meta['schema_version'];
    if (typeof meta?.['app_version'] === 'string') appVersion = meta['app_version'];
    if (typeof meta?.['agent_id'] === 'string') agentId = meta['agent_id'];
  } else if (!tables.has('transcript_events')) {
    return null;
  }
  const shape = tables.has('session_nodes') ? 'nodes' : tables.has('session_entries') ? 'entries' : 'none';
  return {
    version,
    appVersion,
    agentId,
    shape,
    tables,
    windowColumns: columnsOf(db, shape === 'entries' ? 'sessions' : 'session_windows'),
    nodeColumns: columnsOf(db, shape === 'entries' ? 'session_entries' : 'session_nodes'),
    eventColumns,
  };
}
