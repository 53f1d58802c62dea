import { baseName } from './names.ts';
import type { SessionEntry, Trajectory, TranscriptFile } from './types.ts';

/** Which file belongs to which chat, by what names it. */
export type Links = {
  entryOf(key: string): SessionEntry | null;
  ownerOf(file: TranscriptFile): string | null;
  fileOf(entry: SessionEntry): TranscriptFile | null;
  entriesOf(file: TranscriptFile): readonly SessionEntry[];
};

/**
 * A chat owns a transcript whose file or session id its entry names now, then by the key in the trajectory, then one that its
 * family or a checkpoint names.
 */
export function linksOf(entries: readonly SessionEntry[], files: readonly TranscriptFile[], trajectories: readonly Trajectory[], windowKeys: ReadonlyMap<string, string> = new Map()): Links {
  const byKey = new Map<string, SessionEntry>();
  const current = new Map<string, string>();
  const family = new Map<string, string>();
  const claim = (map: Map<string, string>, id: string, key: string): void => void (map.has(id) || map.set(id, key));
  for (const entry of entries) {
    byKey.set(entry.key, entry);
    if (entry.sessionId !== null) claim(current, entry.sessionId, entry.key);
    // A copied store keeps the old host's absolute paths: only the base name counts (format notes, settled facts).
    if (entry.sessionFile !== null) claim(current, baseName(entry.sessionFile), entry.key);
  }
  for (const entry of entries) {
    for (const id of entry.usageFamilySessionIds) claim(family, id, entry.usageFamilyKey ?? entry.key);
    if (entry.previousSessionId !== null) claim(family, entry.previousSessionId, entry.key);
    for (const checkpoint of entry.checkpoints) for (const id of checkpoint.sessionIds) claim(family, id, entry.key);
  }
  const traced = new Map<string, string>();
  for (const { sessionId, sessionKey } of trajectories) if (sessionKey !== null) claim(traced, sessionId, sessionKey);
  const live = new Map<string, TranscriptFile>();
  const bySession = new Map<string, TranscriptFile>();
  for (const file of files) {
    if (file.kind !== 'live' && file.kind !== 'window') continue;
    live.set(file.name, file);
    const known = bySession.get(file.sessionId);
    if (!known || (known.topic !== null && file.topic === null)) bySession.set(file.sessionId, file);
  }
  const fileOf = (entry: SessionEntry): TranscriptFile | null => {
    const named = entry.sessionFile === null ? undefined : live.get(baseName(entry.sessionFile));
    if (named) return named;
    return entry.sessionId === null ? null : (live.get(`${entry.sessionId}.jsonl`) ?? bySession.get(entry.sessionId) ?? null);
  };
  const pointing = new Map<string, SessionEntry[]>();
  for (const entry of entries) {
    const file = fileOf(entry);
    if (file) pointing.set(file.name, [...(pointing.get(file.name) ?? []), entry]);
  }
  return {
    entryOf: (key) => byKey.get(key) ?? null,
    ownerOf(file) {
      const named = file.kind === 'live' || file.kind === 'window' ? (current.get(file.name) ?? current.get(file.baseId) ?? current.get(file.sessionId)) : undefined;
      return named ?? traced.get(file.baseId) ?? traced.get(file.sessionId) ?? windowKeys.get(file.sessionId) ?? family.get(file.sessionId) ?? current.get(file.sessionId) ?? null;
    },
    fileOf,
    entriesOf: (file) => pointing.get(file.name) ?? [],
  };
}
