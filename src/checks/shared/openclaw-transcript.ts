import type { FindingDraft } from '../../model/check.ts';
import type { Severity } from '../../model/finding.ts';
import { rowKinds, rowRoles, type RowKind, type RowRole } from '../../stores/openclaw/digest-types.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';

/**
 * Who still reads a transcript. read: the product, as the current or an orphaned transcript, a window of its database, or
 * an archive that an entry without a live file still calls current. kept: nobody, but its rows are history that `recover`
 * and people may want (archives, JSONL left beside a database). ignored: copies whose damage is why they were made
 * (repair backups, corrupt copies, checkpoints).
 */
export type Standing = 'read' | 'kept' | 'ignored';

export function standingOf(digest: TranscriptDigest, snapshot: OpenclawSnapshot): Standing {
  switch (digest.file.kind) {
    case 'live':
      return snapshot.layout === 'jsonl' ? 'read' : 'kept';
    case 'window':
      return 'read';
    case 'reset':
    case 'deleted': {
      const entry = digest.sessionKey === null ? null : snapshot.entryOf(digest.sessionKey);
      return entry !== null && entry.sessionId === digest.sessionId && snapshot.fileOf(entry) === null ? 'read' : 'kept';
    }
    case 'bak':
    case 'repair-backup':
    case 'checkpoint':
    case 'corrupt-copy':
      return 'ignored';
  }
}

/** Damage to bytes: as severe as the check says where a reader meets it, an info in kept history, null in ignored copies. */
export function byteDamageSeverity(digest: TranscriptDigest, snapshot: OpenclawSnapshot, usual: Severity): Severity | null {
  switch (standingOf(digest, snapshot)) {
    case 'read':
      return usual;
    case 'kept':
      return 'info';
    case 'ignored':
      return null;
  }
}

/** Session, chat and place of a finding about a transcript; a row of a window is named by its `seq`. */
export function placeOf(digest: TranscriptDigest, line?: number): Pick<FindingDraft, 'session' | 'sessionKey' | 'location'> {
  const { path, kind } = digest.file;
  const at = line === undefined ? {} : kind === 'window' ? { table: 'transcript_events', row: `${digest.sessionId}/${line - 1}` } : { line };
  return { session: digest.sessionId, sessionKey: digest.sessionKey, location: { path, ...at } };
}

/** True where readers follow parentId. A version 1 transcript is a flat list: its reader links the rows anew, in file order. */
export function isTree(digest: TranscriptDigest): boolean {
  return digest.header === null || digest.header.version >= 2;
}

export function kindOfRow(digest: TranscriptDigest, row: number): RowKind {
  return rowKinds[digest.rows.kind[row]!]!;
}

export function roleOfRow(digest: TranscriptDigest, row: number): RowRole {
  return rowRoles[digest.rows.role[row]!]!;
}

/** What names a row in evidence: its id, else its line. */
export function nameOfRow(digest: TranscriptDigest, row: number): string {
  return digest.rows.id[row] ?? `line ${digest.rows.line[row]}`;
}

/** Append time of the last dated row, ms, or null. */
export function lastRowTime(digest: TranscriptDigest): number | null {
  const { time, length } = digest.rows;
  for (let row = length - 1; row >= 0; row--) if (!Number.isNaN(time[row]!)) return time[row]!;
  return null;
}

/** `lines 7 and 10`, `line 3`, at most ten of them. */
export function namedLines(lines: readonly number[], one = 'line', many = 'lines'): string {
  if (lines.length === 1) return `${one} ${lines[0]}`;
  const shown = lines.slice(0, 10);
  const rest = lines.length - shown.length;
  return rest > 0 ? `${many} ${shown.join(', ')} and ${rest} more` : `${many} ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** The same for rows of any transcript: those of a window have no lines but a `seq`. */
export function namedRows(digest: TranscriptDigest, lines: readonly number[]): string {
  return digest.file.kind === 'window' ? namedLines(lines.map((line) => line - 1), 'seq', 'seq') : namedLines(lines);
}
