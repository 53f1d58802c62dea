import { readerAtLeast, readerBefore, type Reader } from '../../model/version.ts';
import { compareChannelIds } from '../../stores/openclaw/ambient.ts';
import type { Watermark } from '../../stores/openclaw/types.ts';
import type { AmbientOnBranch } from './visible.ts';

export type OrphanReason = 'unbound' | 'foreign-session' | 'row-missing' | 'behind-reset';

/** Ids of ambient messages that lie elsewhere: in an archive or a superseded transcript, by its name. */
export type Elsewhere = { name: string; ids: readonly string[] };

export type WatermarkVerdict = {
  reason: OrphanReason;
  /** Distinct channel messages at or before the watermark that the agent neither sees nor is told. */
  hidden: number;
  /** Of them by archive; without those before an in-log reset. */
  hiddenByArchive: Record<string, number>;
  hiddenBehindReset: number;
  firstVisible: string | null;
};

/** The first build that ignores a watermark which is not bound to the current session (format notes §2.5). */
const firstBinding = '2026.7.1';

/** Whether a reader drops the messages that an orphaned watermark vouches for. An unbound one is assumed honoured while the reader is unknown. */
export function honours(reader: Reader, reason: OrphanReason): boolean {
  switch (reason) {
    case 'unbound':
      return !readerAtLeast(reader, firstBinding);
    case 'foreign-session':
      return readerBefore(reader, firstBinding);
    case 'row-missing':
    case 'behind-reset':
      return true;
  }
}

const numeric = /^(0|[1-9][0-9]*)$/;

/** True when a channel message lies at or before the one that a watermark names; ids of different kinds do not compare. */
export function atOrBefore(id: string, mark: string): boolean {
  return numeric.test(id) === numeric.test(mark) && compareChannelIds(id, mark) <= 0;
}

/**
 * What a well-formed watermark vouches for against what the agent can see, or null when it is sound: its row is visible, or,
 * for one bound to this session, a later one is (format notes §2.5, soundness rule).
 */
export function judgeWatermark(watermark: Watermark, sessionId: string | null, here: AmbientOnBranch, elsewhere: readonly Elsewhere[]): WatermarkVerdict | null {
  const mark = watermark.messageId;
  if (mark === null) return null;
  const visible = new Set(here.visible);
  if (visible.has(mark)) return null;
  const bound = watermark.sessionId !== null && watermark.sessionId === sessionId;
  let reason: OrphanReason;
  if (!bound) reason = watermark.sessionId === null ? 'unbound' : 'foreign-session';
  else if (here.behindReset.includes(mark)) reason = 'behind-reset';
  else if (here.visible.some((id) => numeric.test(id) === numeric.test(mark) && compareChannelIds(id, mark) > 0)) return null;
  else reason = here.behindReset.some((id) => compareChannelIds(id, mark) >= 0) ? 'behind-reset' : 'row-missing';

  const hidden = new Set<string>();
  const hiddenByArchive: Record<string, number> = {};
  for (const { name, ids } of elsewhere) {
    let count = 0;
    for (const id of new Set(ids)) {
      if (visible.has(id) || !atOrBefore(id, mark)) continue;
      hidden.add(id);
      count++;
    }
    if (count > 0) hiddenByArchive[name] = count;
  }
  let hiddenBehindReset = 0;
  for (const id of here.behindReset) {
    if (visible.has(id) || !atOrBefore(id, mark)) continue;
    hidden.add(id);
    hiddenBehindReset++;
  }
  return { reason, hidden: hidden.size, hiddenByArchive, hiddenBehindReset, firstVisible: here.visible[0] ?? null };
}
