import { epochOf, epochStart } from '../ids/index.ts';
import { isoTime } from '../model/time.ts';
import type { SegmentEnd, Timeline, TimelineLane } from '../model/timeline.ts';
import type { Lineage, Segment } from '../readers/reset-event.ts';
import type { OpenStore } from '../stores/discover.ts';
import type { OpencodeSnapshot } from '../stores/opencode/types.ts';
import { hermesResets } from './shared/hermes-resets.ts';
import { openclawResets } from './shared/openclaw-resets.ts';
import type { JudgeOptions } from './shared/reset-facts.ts';

/** Lanes that a map may hold besides those that findings name. */
const keptLanes = 60;

/**
 * The life of a store's sessions for the map of a report, asked of the store itself. `named`: sessions that findings speak of;
 * they are on the map in any case, the others as far as there is room, newest first. Null when a damaged store cannot say.
 */
export function timelineOf(opened: OpenStore, options: JudgeOptions, named: ReadonlySet<string>): Timeline | null {
  const { snapshot } = opened;
  if (snapshot.databases.some((database) => database.damage !== null)) return null;
  const store = snapshot.ref.id;
  switch (opened.product) {
    case 'openclaw':
      return { store, lanes: lanesOf(openclawResets(opened.snapshot, options).lineages, named), lines: [] };
    case 'hermes':
      return { store, lanes: lanesOf(hermesResets(opened.snapshot, options).lineages, named), lines: [] };
    case 'opencode':
    case 'mimocode':
      return sessionsOf(opened.snapshot, options.now, named);
  }
}

function lanesOf(lineages: readonly Lineage[], named: ReadonlySet<string>): TimelineLane[] {
  const lanes = lineages
    .map((lineage): { lane: TimelineLane; last: number; named: boolean } => {
      const segments = lineage.segments.flatMap((segment) => {
        const from = segment.startedAt;
        const to = segment.end?.at ?? segment.lastActivity;
        if (from === null || to === null || to < from) return [];
        return [{ session: segment.sessionId, from, to, rows: segment.rows, end: endOf(segment), boundary: segment.end?.boundary ?? null }];
      });
      const lane = { sessionKey: lineage.sessionKey, session: lineage.sessionKey === null ? (lineage.segments[0]?.sessionId ?? null) : null, segments, marks: [] };
      const isNamed = (lineage.sessionKey !== null && named.has(lineage.sessionKey)) || lineage.segments.some((segment) => named.has(segment.sessionId));
      return { lane, last: segments.reduce((latest, segment) => Math.max(latest, segment.to), -Infinity), named: isNamed };
    })
    .filter(({ lane }) => lane.segments.length > 0)
    .sort((a, b) => Number(b.named) - Number(a.named) || b.last - a.last);
  return lanes.filter((one, index) => one.named || index < keptLanes).map(({ lane }) => lane);
}

function endOf(segment: Segment): SegmentEnd {
  const { end } = segment;
  if (end === null) return segment.live ? 'live' : 'ended';
  if (end.cause === 'compaction') return 'compaction';
  if (end.kind === 'delete-archive' || end.cause === 'delete') return 'deleted';
  return end.kind === 'session' ? 'ended' : 'reset';
}

function sessionsOf(snapshot: OpencodeSnapshot, now: number, named: ReadonlySet<string>): Timeline {
  const wrap = epochStart(epochOf(now));
  const kept: { lane: TimelineLane; last: number; named: boolean }[] = [];
  let nearWrap = false;
  const trim = (): void => {
    kept.sort((a, b) => Number(b.named) - Number(a.named) || b.last - a.last);
    const room = kept.filter((one) => one.named).length + keptLanes;
    if (kept.length > room) kept.length = room;
  };
  for (const span of snapshot.spans()) {
    nearWrap ||= span.firstTime < wrap && span.lastTime >= wrap;
    const lane: TimelineLane = { sessionKey: null, session: span.sessionId, segments: [{ session: span.sessionId, from: span.firstTime, to: Math.max(span.firstTime, span.lastTime), rows: null, end: 'live', boundary: null }], marks: [] };
    kept.push({ lane, last: span.lastTime, named: named.has(span.sessionId) });
    if (kept.length > 1000 + named.size) trim();
  }
  trim();
  const lines = nearWrap ? [{ at: wrap, label: `ids wrap ${isoTime(wrap)?.slice(0, 16).replace('T', ' ')} UTC` }] : [];
  return { store: snapshot.ref.id, lanes: kept.map(({ lane }) => lane), lines };
}
