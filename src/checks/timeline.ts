import { epochOf, epochStart } from '../ids/index.ts';
import { isoTime } from '../model/time.ts';
import type { SegmentEnd, Timeline, TimelineLane, TimelineMark } from '../model/timeline.ts';
import { chatOf } from '../readers/openclaw/chains.ts';
import type { Lineage, Segment } from '../readers/reset-event.ts';
import type { OpenStore } from '../stores/discover.ts';
import type { HermesSnapshot } from '../stores/hermes/types.ts';
import type { OpenclawSnapshot } from '../stores/openclaw/types.ts';
import type { OpencodeSnapshot } from '../stores/opencode/types.ts';
import { lanePicker } from './shared/lane-picker.ts';
import { digestBlocks } from './shared/hermes.ts';
import { hermesResets } from './shared/hermes-resets.ts';
import { openclawResets } from './shared/openclaw-resets.ts';
import type { JudgeOptions } from './shared/reset-facts.ts';

/** Compactions are looked up in this many sessions of a lane, the newest ones. */
const sessionsAsked = 20;

/**
 * The life of a store's sessions for the map of a report, asked of the store itself. `named`: sessions and chats that findings
 * speak of, worst first; they come first, then the newest ones, as far as there is room. Null when a damaged store cannot say.
 */
export function timelineOf(opened: OpenStore, options: JudgeOptions, named: ReadonlySet<string>): Timeline | null {
  const { snapshot } = opened;
  if (snapshot.databases.some((database) => database.damage !== null)) return null;
  switch (opened.product) {
    case 'openclaw':
      return openclawTimeline(opened.snapshot, options, named);
    case 'hermes':
      return hermesTimeline(opened.snapshot, options, named);
    case 'opencode':
    case 'mimocode':
      return opencodeTimeline(opened.snapshot, options.now, named);
  }
}

/** One lane a chat. An entry without any transcript has no time: it is only counted. */
function openclawTimeline(snapshot: OpenclawSnapshot, options: JudgeOptions, named: ReadonlySet<string>): Timeline {
  const picker = lanePicker(named);
  const { lineages } = openclawResets(snapshot, options);
  for (const lineage of lineages) picker.add(laneOf(lineage));
  const chats = new Set(lineages.map((lineage) => lineage.sessionKey));
  const { lanes, more, untimed } = picker.picked();
  return { store: snapshot.ref.id, lanes, lines: [], more, untimed: untimed + snapshot.entries.filter((entry) => !chats.has(chatOf(entry.key))).length };
}

/** Chats by their key, and every session that belongs to none of them by its id. */
function hermesTimeline(snapshot: HermesSnapshot, options: JudgeOptions, named: ReadonlySet<string>): Timeline {
  const picker = lanePicker(named);
  const inChats = new Set<string>();
  for (const lineage of hermesResets(snapshot, options).lineages) {
    for (const segment of lineage.segments) inChats.add(segment.sessionId);
    picker.add(laneOf(lineage));
  }
  for (const row of snapshot.sessions()) {
    if (inChats.has(row.id)) continue;
    const { firstMessageAt, lastMessageAt, messages } = snapshot.activity(row.id);
    const end: SegmentEnd = row.endedAt === null ? 'live' : row.endReason === 'compression' ? 'compaction' : 'ended';
    picker.add(single(row.id, row.startedAt ?? firstMessageAt, row.endedAt ?? lastMessageAt, messages, end));
  }
  const { lanes, ...rest } = picker.picked();
  for (const lane of lanes) {
    for (const { session } of lane.segments.slice(-sessionsAsked)) {
      const digest = snapshot.digestOf(session);
      if (!digest) continue;
      for (const block of digestBlocks(digest)) lane.marks.push(...compactionAt((digest.messages.timestamps[block.carrier] ?? Number.NaN) * 1000));
    }
  }
  return { store: snapshot.ref.id, lanes, lines: [], ...rest };
}

function opencodeTimeline(snapshot: OpencodeSnapshot, now: number, named: ReadonlySet<string>): Timeline {
  const wrap = epochStart(epochOf(now));
  const sessions = snapshot.sessions();
  const picker = lanePicker(named);
  let nearWrap = false;
  let withRows = 0;
  for (const span of snapshot.spans()) {
    nearWrap ||= span.firstTime < wrap && span.lastTime >= wrap;
    const row = sessions.get(span.sessionId);
    if (row) withRows++;
    picker.add(single(span.sessionId, span.firstTime, Math.max(span.firstTime, span.lastTime), null, (row?.archived ?? null) === null ? 'live' : 'ended'));
  }
  const { lanes, more, untimed } = picker.picked();
  for (const lane of lanes) {
    const carriers = lane.session === null ? [] : snapshot.carriers(lane.session);
    if (lane.session === null || carriers.length === 0) continue;
    const ids = new Set(carriers.map((carrier) => carrier.messageId));
    for (const message of snapshot.messages(lane.session)) if (ids.has(message.id)) lane.marks.push(...compactionAt(message.time));
  }
  const lines = nearWrap ? [{ at: wrap, label: `ids wrap ${isoTime(wrap)?.slice(0, 16).replace('T', ' ')} UTC` }] : [];
  return { store: snapshot.ref.id, lanes, lines, more, untimed: untimed + sessions.size - withRows };
}

function single(session: string, from: number | null, to: number | null, rows: number | null, end: SegmentEnd): TimelineLane {
  const segments = from === null ? [] : [{ session, from, to: Math.max(from, to ?? from), rows, end, boundary: null }];
  return { sessionKey: null, session, segments, marks: end === 'compaction' && to !== null ? compactionAt(to) : [] };
}

function laneOf(lineage: Lineage): TimelineLane {
  const marks: TimelineMark[] = [];
  const segments = lineage.segments.flatMap((segment) => {
    const from = segment.startedAt;
    const to = segment.end?.at ?? segment.lastActivity ?? from;
    for (const time of segment.compactions) marks.push(...compactionAt(time));
    if (from === null || to === null || to < from) return [];
    const end = endOf(segment);
    if (end === 'compaction') marks.push(...compactionAt(to));
    return [{ session: segment.sessionId, from, to, rows: segment.rows, end, boundary: segment.end?.boundary ?? null }];
  });
  return { sessionKey: lineage.sessionKey, session: lineage.sessionKey === null ? (lineage.segments[0]?.sessionId ?? null) : null, segments, marks };
}

function compactionAt(time: number): TimelineMark[] {
  return Number.isFinite(time) ? [{ at: time, kind: 'compaction', label: 'compaction' }] : [];
}

function endOf(segment: Segment): SegmentEnd {
  const { end } = segment;
  if (end === null) return segment.live ? 'live' : 'loose';
  if (end.cause === 'compaction') return 'compaction';
  if (end.kind === 'delete-archive' || end.cause === 'delete') return 'deleted';
  return end.kind === 'session' ? 'ended' : 'reset';
}
