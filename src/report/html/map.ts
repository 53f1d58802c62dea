import type { Timeline, TimelineLane, TimelineMark, TimelineSegment } from '../../model/timeline.ts';
import { count, groupDigits, shorten } from '../printable.ts';
import { chatName } from '../session-name.ts';
import { ticksOf } from './axis.ts';
import { markShapes, segmentShapes } from './map-shapes.ts';
import { label, line, picture, pictureWidth } from './svg.ts';
import { shortTime } from './zone.ts';

const left = 190;
const laneHeight = 24;
const shownLanes = 40;
/** A line that concerns all lanes is drawn when it lies this near, in lengths of the map. */
const nearby = 1;
/** ms that a map spans at least. */
const shortestSpan = 10_000;

/** What a map shows: its first lanes, in the order in which they are drawn. */
export function lanesShown(timeline: Timeline): TimelineLane[] {
  return timeline.lanes
    .filter((lane) => lane.segments.length > 0 || lane.marks.length > 0)
    .slice(0, shownLanes)
    .sort((a, b) => urgency(b) - urgency(a) || firstTime(a) - firstTime(b));
}

/** The sessions of a store over time: one lane a chat, with its ends, compactions, horizons and findings. Null without any time. */
export function mapFigure(timeline: Timeline, name: string, zone: string): string | null {
  const shown = lanesShown(timeline);
  const times = shown.flatMap((lane) => [...lane.segments.flatMap((segment) => [segment.from, segment.to]), ...lane.marks.map((mark) => mark.at)]).filter(Number.isFinite);
  if (times.length === 0) return null;
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  const reach = Math.max(last - first, shortestSpan) * nearby;
  const lines = timeline.lines.filter((one) => one.at >= first - reach && one.at <= last + reach);
  const low = Math.min(first, ...lines.map((one) => one.at));
  const high = Math.max(last, ...lines.map((one) => one.at));
  const span = Math.max(high - low, shortestSpan);
  const from = low - span * 0.02;
  const to = from + span * 1.04;
  const width = pictureWidth - left - 8;
  const at = (ms: number): number => left + ((ms - from) / (to - from)) * width;
  const bottom = 34 + shown.length * laneHeight;
  const shapes: string[] = [];
  for (const tick of ticksOf(from, to, zone, 6)) shapes.push(line(at(tick.at), 22, at(tick.at), bottom, 'rule'), centred(at(tick.at), 14, tick.label));
  for (const one of lines) shapes.push(line(at(one.at), 20, at(one.at), bottom + 4, 'mark'), centred(at(one.at), bottom + 18, one.label));
  for (const [index, lane] of shown.entries()) {
    const y = 30 + index * laneHeight;
    const full = chatName(lane.sessionKey, lane.session);
    shapes.push(label(0, y + 13, shorten(full, 25), 'small', 'start', full), ...segmentShapes(lane.segments, y, at, zone), ...markShapes(lane.marks, y, at, zone));
  }
  const total = timeline.lanes.length + timeline.more;
  return picture(`${name}: ${shown.length < total ? `${groupDigits(shown.length)} of ` : ''}${count(total, 'chat or session', 'chats and sessions')} from ${shortTime(first, zone)} to ${shortTime(last, zone)}`, bottom + (lines.length > 0 ? 26 : 6), shapes);
}

/** A label in the middle of a place, moved so that it stays inside the picture. */
function centred(x: number, y: number, text: string): string {
  const half = text.length * 3.2;
  return label(Math.min(Math.max(x, half), pictureWidth - half), y, text, 'small', 'middle');
}

/** Sentences on what a map does not draw, and why. */
export function mapGaps(timeline: Timeline): string[] {
  const more = timeline.lanes.length + timeline.more - lanesShown(timeline).length;
  return [
    ...(more > 0 ? [`And ${groupDigits(more)} more, not drawn: those with findings come first, then the newest.`] : []),
    ...(timeline.untimed > 0 ? [`${count(timeline.untimed, 'chat or session', 'chats or sessions')} without a dated message ${timeline.untimed === 1 ? 'is' : 'are'} not drawn.`] : []),
  ];
}

function urgency(lane: TimelineLane): number {
  return lane.marks.some((mark) => mark.kind === 'finding' || mark.kind === 'horizon') ? 1 : 0;
}

function firstTime(lane: TimelineLane): number {
  return [...lane.segments.map((segment) => segment.from), ...lane.marks.map((mark) => mark.at)].reduce((a, b) => Math.min(a, b));
}

/** What the colours and signs of a map mean: those that it uses. */
export function mapLegend(timeline: Timeline): [kind: string, text: string][] {
  const shown = lanesShown(timeline);
  const ends = new Set<TimelineSegment['end']>(shown.flatMap((lane) => lane.segments.map((segment) => segment.end)));
  const marks = new Set<TimelineMark['kind']>(shown.flatMap((lane) => lane.marks.map((mark) => mark.kind)));
  const all: [used: boolean, kind: string, text: string][] = [
    [ends.has('live'), 'new', 'live'],
    [ends.has('loose'), 'loose', 'no chat points to it'],
    [ends.has('reset') || marks.has('reset'), 'old', 'ended by a reset'],
    [ends.has('ended'), 'old second', 'ended'],
    [ends.has('compaction'), 'old third', 'ended by a compaction'],
    [ends.has('deleted') || marks.has('deleted'), 'waiting', 'deleted or dropped'],
    [marks.has('compaction'), 'compaction', 'a compaction'],
    [marks.has('finding'), 'lost', 'a finding'],
    [marks.has('horizon'), 'mark', 'what lies before is hidden by a watermark'],
    [marks.has('old-horizon'), 'mark faint', 'what lies before an older build would hide'],
  ];
  return all.filter(([used]) => used).map(([, kind, text]) => [kind, text]);
}
