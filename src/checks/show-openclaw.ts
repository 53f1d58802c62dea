import { isoTime } from '../model/time.ts';
import type { Reader } from '../model/version.ts';
import type { SessionStory, StoryEvent, StorySegment } from '../model/story.ts';
import { archivesOfChat } from '../readers/openclaw/ownership.ts';
import type { TranscriptDigest, TranscriptSummary } from '../stores/openclaw/digest-types.ts';
import type { OpenclawSnapshot, SessionEntry } from '../stores/openclaw/types.ts';
import { watermarkRow } from './collect-watermarks.ts';
import { watermarksOf, watermarksWithoutTranscript, type WatermarkState } from './shared/openclaw-watermarks.ts';
import type { SessionQuery } from './show-query.ts';

function segmentOf(one: TranscriptSummary, current: boolean): StorySegment {
  const { file, header, ambientIds } = one;
  const end = file.kind === 'live' || file.kind === 'window' ? (current ? 'live' : 'superseded') : file.kind;
  return {
    session: one.sessionId,
    file: file.kind === 'window' ? null : file.name,
    from: isoTime(header?.time ?? one.firstTime),
    to: isoTime(file.archivedAt ?? one.lastTime),
    rows: one.rows,
    messages: one.messageRows,
    end,
    details: {
      lastRow: isoTime(one.lastTime),
      ...(ambientIds && ambientIds.length > 0 ? { firstChannelMessage: ambientIds[0] ?? null, lastChannelMessage: ambientIds.at(-1) ?? null, channelMessages: ambientIds.length } : {}),
      ...(one.rejected > 0 ? { rejectedLines: one.rejected } : {}),
    },
  };
}

function eventsOf(digest: TranscriptDigest): StoryEvent[] {
  const events: StoryEvent[] = [];
  for (const control of digest.controls) {
    if (control.kind === 'leaf') continue;
    const time = digest.rows.time[control.row] ?? NaN;
    const details: StoryEvent['details'] = { keptFrom: control.firstKeptEntryId };
    if (control.kind === 'reset') details.reason = control.reason;
    events.push({ at: Number.isNaN(time) ? null : isoTime(time), kind: control.kind, session: digest.sessionId, row: digest.rows.id[control.row] ?? null, details });
  }
  return events;
}

type Chat = { entry: SessionEntry | null; sessionKey: string | null; session: string | null };

/** Chats that the query names: by key, by current session, by an earlier one, or by a transcript that no chat owns. */
function chatsNamed(query: SessionQuery, snapshot: OpenclawSnapshot): Chat[] {
  const chats = new Map<string, Chat>();
  const add = (entry: SessionEntry): void => void chats.set(entry.key, { entry, sessionKey: entry.key, session: entry.sessionId });
  for (const entry of snapshot.entries) if (query.matches(entry.key) || query.matches(entry.sessionId)) add(entry);
  for (const file of snapshot.files) {
    if (!query.matches(file.sessionId) && !query.matches(file.name)) continue;
    const owner = snapshot.ownerOf(file);
    const entry = owner === null ? null : snapshot.entryOf(owner);
    if (entry) add(entry);
    else if (!chats.has(owner ?? file.sessionId)) chats.set(owner ?? file.sessionId, { entry: null, sessionKey: owner, session: owner === null ? file.sessionId : null });
  }
  return [...chats.values()];
}

/** The lives of the chats that a query names, in an OpenClaw store of either era. Reads every transcript once. */
export function openclawStories(snapshot: OpenclawSnapshot, query: SessionQuery, reader: Reader): SessionStory[] {
  const chats = chatsNamed(query, snapshot);
  if (chats.length === 0) return [];
  const events = new Map<string, StoryEvent[]>();
  const states: WatermarkState[] = [];
  for (const digest of snapshot.digests()) {
    if (digest.controls.length > 0) events.set(digest.file.name, eventsOf(digest));
    states.push(...watermarksOf(digest, snapshot, reader));
  }
  states.push(...watermarksWithoutTranscript(snapshot));
  const transcripts = snapshot.transcripts();
  return chats.map(({ entry, sessionKey, session }): SessionStory => {
    const currentFile = entry === null ? null : snapshot.fileOf(entry);
    const current = transcripts.find((one) => one.file.name === currentFile?.name) ?? null;
    const earlier = entry !== null ? archivesOfChat(entry, currentFile?.name ?? null, current?.ambientIds ?? [], transcripts) : transcripts.filter((one) => (sessionKey === null ? one.sessionId === session : one.sessionKey === sessionKey) && (one.file.archivedAt !== null || one.file.kind === 'live' || one.file.kind === 'window'));
    const parts = current === null ? earlier : [...earlier, current];
    const marks = states.filter((state) => state.entry.key === sessionKey).map((state) => watermarkRow(state, snapshot.ref.id, reader));
    return {
      store: snapshot.ref.id,
      product: 'openclaw',
      session: entry?.sessionId ?? session,
      sessionKey,
      segments: parts.map((one) => segmentOf(one, one === current)),
      events: parts.flatMap((one) => events.get(one.file.name) ?? []).sort((a, b) => (a.at ?? '9') < (b.at ?? '9') ? -1 : 1),
      facts: [
        ...(entry?.status ? [{ name: 'status', value: entry.status }] : []),
        ...(entry !== null && current === null ? [{ name: 'transcript', value: 'none here' }] : []),
        ...marks.map((row) => ({ name: 'watermark', value: { ...row, wrong: row.wrong } })),
      ],
    };
  });
}
