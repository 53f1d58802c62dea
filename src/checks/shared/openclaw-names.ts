import type { Location } from '../../model/finding.ts';
import type { OpenclawSnapshot, SessionEntry } from '../../stores/openclaw/types.ts';

/** A file name with its uuid shortened: `5a898d6a….jsonl.reset.2026-07-03T04-23-04.118Z`. */
export function shortName(name: string): string {
  return name.replace(/^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, '$1…');
}

/** Where an entry stands: the index file, or its row of the database. */
export function entryPlace(snapshot: OpenclawSnapshot, entry: SessionEntry): Location {
  return snapshot.layout === 'sqlite' ? { path: snapshot.index.path, table: 'session_nodes', row: entry.key } : { path: snapshot.index.path };
}

/** The agent of a run key is a run of a scheduled job: it gets a fresh session each time, so an ended one is no loss. */
export function isCronKey(key: string): boolean {
  return /(^|:)cron:/.test(key);
}
