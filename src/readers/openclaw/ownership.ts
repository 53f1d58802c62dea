import { compareChannelIds } from '../../stores/openclaw/ambient.ts';
import type { TranscriptSummary } from '../../stores/openclaw/digest-types.ts';
import type { SessionEntry } from '../../stores/openclaw/types.ts';

/** ms that an archive's name and its successor's start may lie apart; a header is written up to 2 s after the archive. */
const startTolerance = 1000;
const headerTolerance = 2500;
/** Channel messages that may lie between an archive's last and its successor's first (replies, deletions). */
const idGap = 1000;

type Start = { at: number; before: number; firstId: string | null };

function continues(lastId: string | undefined, firstId: string | null): boolean {
  if (lastId === undefined || firstId === null) return false;
  if (!/^\d+$/.test(lastId) || !/^\d+$/.test(firstId) || compareChannelIds(lastId, firstId) >= 0) return false;
  return BigInt(firstId) - BigInt(lastId) <= BigInt(idGap);
}

/**
 * The archives and superseded transcripts of one chat, oldest first: those that a trajectory, a family, a window or the entry
 * names, then those that nothing names but whose archive time is the start of a session of this chat and whose channel ids
 * continue in it.
 */
export function archivesOfChat(entry: SessionEntry, currentFile: string | null, firstVisible: string | null, transcripts: readonly TranscriptSummary[]): TranscriptSummary[] {
  const candidates = transcripts.filter((one) => one.file.name !== currentFile && (one.file.kind === 'reset' || one.file.kind === 'deleted' || one.file.kind === 'live'));
  const owned = candidates.filter((one) => one.sessionKey === entry.key);
  const unnamed = candidates.filter((one) => one.sessionKey === null && one.file.archivedAt !== null);
  const starts: Start[] = [];
  if (entry.sessionStartedAt !== null) starts.push({ at: entry.sessionStartedAt, before: startTolerance, firstId: firstVisible });
  for (const { header, ambientIds } of owned) if (header?.time != null) starts.push({ at: header.time, before: headerTolerance, firstId: ambientIds?.[0] ?? null });
  for (let next = 0; next < starts.length; next++) {
    const start = starts[next]!;
    const found = unnamed.findIndex(({ file, ambientIds }) => {
      const at = file.archivedAt ?? NaN;
      return at >= start.at - start.before && at <= start.at + startTolerance && continues(ambientIds?.at(-1), start.firstId);
    });
    if (found === -1) continue;
    const [one] = unnamed.splice(found, 1);
    if (!one) continue;
    owned.push(one);
    if (one.header?.time != null) starts.push({ at: one.header.time, before: headerTolerance, firstId: one.ambientIds?.[0] ?? null });
  }
  return owned.sort((a, b) => timeOf(a) - timeOf(b) || (a.file.name < b.file.name ? -1 : 1));
}

function timeOf(one: TranscriptSummary): number {
  return one.file.archivedAt ?? one.lastTime ?? 0;
}
