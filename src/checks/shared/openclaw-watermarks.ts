import type { Reader } from '../../model/version.ts';
import { activeBranch, branchRules } from '../../readers/openclaw/branch.ts';
import { archivesOfChat } from '../../readers/openclaw/ownership.ts';
import { ambientOnBranch, visiblePart, type AmbientOnBranch } from '../../readers/openclaw/visible.ts';
import { judgeWatermark, type WatermarkVerdict } from '../../readers/openclaw/watermark.ts';
import type { TranscriptDigest } from '../../stores/openclaw/digest-types.ts';
import type { OpenclawSnapshot, SessionEntry, Watermark } from '../../stores/openclaw/types.ts';

/** One watermark against what its chat can see. */
export type WatermarkState = {
  entry: SessionEntry;
  watermark: Watermark;
  /** malformed: no reader finds it; sound: `verdict` is null. */
  state: 'sound' | 'orphaned' | 'malformed';
  verdict: WatermarkVerdict | null;
  here: AmbientOnBranch;
  /** Id of the last in-log reset of the branch. */
  resetEvent: string | null;
  /** The transcript is damaged, so that a missing row may only be unreadable. */
  damaged: boolean;
};

function* judge(snapshot: OpenclawSnapshot, entry: SessionEntry, file: string | null, here: AmbientOnBranch, resetEvent: string | null, damaged: boolean): Iterable<WatermarkState> {
  const elsewhere = archivesOfChat(entry, file, here.visible, snapshot.transcripts()).map((one) => ({ name: one.file.name, ids: one.ambientIds ?? [] }));
  for (const watermark of entry.watermarks) {
    const common = { entry, watermark, here, resetEvent, damaged };
    if (watermark.wrong.length > 0) {
      yield { ...common, state: 'malformed', verdict: null };
      continue;
    }
    const verdict = judgeWatermark(watermark, entry.sessionId, here, elsewhere);
    // A session that has no transcript yet hides something only if there is something to hide.
    const empty = file === null && verdict !== null && (verdict.hidden === 0 || verdict.reason === 'row-missing');
    yield verdict === null || empty ? { ...common, state: 'sound', verdict: null } : { ...common, state: 'orphaned', verdict };
  }
}

/** The watermarks of the chats whose current transcript this is. Archives must have been read before. */
export function* watermarksOf(digest: TranscriptDigest, snapshot: OpenclawSnapshot, reader: Reader): Iterable<WatermarkState> {
  const entries = snapshot.entriesOf(digest.file).filter((entry) => entry.watermarks.length > 0);
  if (entries.length === 0) return;
  const branch = activeBranch(digest, branchRules(reader, snapshot.layout));
  const part = visiblePart(digest, branch);
  const here = ambientOnBranch(digest, branch, part);
  const resetEvent = part.reset === -1 ? null : (digest.rows.id[part.reset] ?? null);
  const damaged = digest.rejected > 0 || digest.readError !== null || branch.cyclic || branch.brokenAt !== -1;
  for (const entry of entries) yield* judge(snapshot, entry, digest.file.name, here, resetEvent, damaged);
}

/** The watermarks of chats that have no transcript. All digests must have been read. */
export function* watermarksWithoutTranscript(snapshot: OpenclawSnapshot): Iterable<WatermarkState> {
  for (const entry of snapshot.entries) {
    if (entry.watermarks.length > 0 && snapshot.fileOf(entry) === null) yield* judge(snapshot, entry, null, { visible: [], behindReset: [] }, null, false);
  }
}
