import type { TranscriptSummary } from '../../stores/openclaw/digest-types.ts';
import type { SessionEntry } from '../../stores/openclaw/types.ts';

/** ms that an archive's name and its successor's start may lie apart; a header is written up to 2 s after the archive. */
const startTolerance = 1000;
const headerTolerance = 2500;
/** Channel messages that may lie between two transcripts of one chat (replies, deletions). */
const largestGap = 1000;

type Start = { at: number; before: number; ids: readonly string[] };

function bounds(ids: readonly string[]): { low: bigint; high: bigint } | null {
  let low: bigint | null = null;
  let high: bigint | null = null;
  for (const id of ids) {
    if (!/^\d{1,30}$/.test(id)) continue;
    const value = BigInt(id);
    if (low === null || value < low) low = value;
    if (high === null || value > high) high = value;
  }
  return low === null || high === null ? null : { low, high };
}

/** Ids between two transcripts' ranges, or null when they overlap or lie too far apart to be one conversation. */
function gapBetween(a: readonly string[], b: readonly string[]): number | null {
  const left = bounds(a);
  const right = bounds(b);
  if (left === null || right === null) return null;
  const gap = right.low > left.high ? right.low - left.high : left.low > right.high ? left.low - right.high : null;
  return gap === null || gap > BigInt(largestGap) ? null : Number(gap);
}

/**
 * The archives and superseded transcripts of one chat, oldest first: those that a trajectory, a family, a window, the entry or
 * one of its watermarks names, then those that nothing names but whose archive time is the start of a session of this chat and
 * whose channel ids continue it. `visibleIds`: the ambient ids of its current transcript.
 */
export function archivesOfChat(entry: SessionEntry, currentFile: string | null, visibleIds: readonly string[], transcripts: readonly TranscriptSummary[]): TranscriptSummary[] {
  const candidates = transcripts.filter((one) => one.file.name !== currentFile && (one.file.kind === 'reset' || one.file.kind === 'deleted' || one.file.kind === 'live'));
  const vouched = new Set(entry.watermarks.map((watermark) => watermark.sessionId));
  const owned: TranscriptSummary[] = [];
  let unnamed: TranscriptSummary[] = [];
  for (const one of candidates) {
    if (one.sessionKey === entry.key || (one.sessionKey === null && vouched.has(one.sessionId))) owned.push(one);
    else if (one.sessionKey === null && one.file.archivedAt !== null) unnamed.push(one);
  }
  const starts: Start[] = [];
  if (entry.sessionStartedAt !== null) starts.push({ at: entry.sessionStartedAt, before: startTolerance, ids: visibleIds });
  const addStart = ({ header, ambientIds }: TranscriptSummary): void => {
    if (header?.time != null) starts.push({ at: header.time, before: headerTolerance, ids: ambientIds ?? [] });
  };
  owned.forEach(addStart);
  for (let next = 0; next < starts.length; next++) {
    const start = starts[next]!;
    const isAtStart = ({ file: { archivedAt } }: TranscriptSummary): boolean => archivedAt !== null && archivedAt >= start.at - start.before && archivedAt <= start.at + startTolerance;
    // Another chat may have ended within the same second: a session has one predecessor.
    if (owned.some(isAtStart)) continue;
    let best: { one: TranscriptSummary; gap: number } | null = null;
    for (const one of unnamed) {
      if (!isAtStart(one)) continue;
      const gap = gapBetween(one.ambientIds ?? [], start.ids);
      if (gap !== null && (best === null || gap < best.gap)) best = { one, gap };
    }
    if (best === null) continue;
    const { one } = best;
    unnamed = unnamed.filter((other) => other !== one);
    owned.push(one);
    addStart(one);
  }
  return owned.sort((a, b) => timeOf(a) - timeOf(b) || (a.file.name < b.file.name ? -1 : 1));
}

function timeOf(one: TranscriptSummary): number {
  return one.file.archivedAt ?? one.lastTime ?? 0;
}
