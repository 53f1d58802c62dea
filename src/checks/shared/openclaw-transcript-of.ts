import { baseName } from '../../stores/openclaw/names.ts';
import type { OpenclawSnapshot, SessionEntry, TranscriptFile } from '../../stores/openclaw/types.ts';

/** Where the transcript of an entry is, if not where it should be. */
export type Whereabouts =
  | { state: 'here'; file: TranscriptFile }
  /** Its id's file exists, but the entry points at another session's. */
  | { state: 'pointer'; file: TranscriptFile; pointsAt: string }
  /** Only as archives, newest last. */
  | { state: 'archived'; archives: TranscriptFile[] }
  | { state: 'nowhere' };

/** Entries for which a missing transcript is no fault: none was written yet, or a reset is pending. */
export function needsNoTranscript(entry: SessionEntry): boolean {
  return !entry.isObject || entry.sessionId === null || entry.initializationPending || entry.updatedAt === 0;
}

/** Live files and archives by session id, made once a store and check. */
export type FilesById = { live: Map<string, TranscriptFile[]>; archives: Map<string, TranscriptFile[]> };

export function filesById(snapshot: OpenclawSnapshot): FilesById {
  const live = new Map<string, TranscriptFile[]>();
  const archives = new Map<string, TranscriptFile[]>();
  for (const file of snapshot.files) {
    const into = file.kind === 'live' || file.kind === 'window' ? live : file.kind === 'reset' || file.kind === 'deleted' ? archives : null;
    if (into === null) continue;
    const known = into.get(file.sessionId);
    if (known) known.push(file);
    else into.set(file.sessionId, [file]);
  }
  for (const list of archives.values()) list.sort((a, b) => (a.archivedAt ?? 0) - (b.archivedAt ?? 0));
  return { live, archives };
}

/** Looks for an entry's transcript by the base name of its path, then by its id. `headerIds`: header id by file name. */
export function whereabouts(snapshot: OpenclawSnapshot, files: FilesById, headerIds: ReadonlyMap<string, string | null>, entry: SessionEntry): Whereabouts {
  const id = entry.sessionId ?? '';
  const own = files.live.get(id)?.[0] ?? null;
  const found = snapshot.fileOf(entry);
  const named = entry.sessionFile === null ? null : baseName(entry.sessionFile);
  if (own !== null && named !== null && named !== own.name && (files.live.get(id)?.every((file) => file.name !== named) ?? true)) {
    const points = found !== null && found.name === named;
    // A transcript under another name whose header has this id is this session's all the same.
    if (!points || headerIds.get(named) !== id) return { state: 'pointer', file: own, pointsAt: named };
  }
  if (found !== null) return { state: 'here', file: found };
  const archives = files.archives.get(id) ?? [];
  return archives.length > 0 ? { state: 'archived', archives } : { state: 'nowhere' };
}

export function headerIdsOf(snapshot: OpenclawSnapshot): Map<string, string | null> {
  return new Map(snapshot.transcripts().map((one) => [one.file.name, one.header?.id ?? null]));
}
