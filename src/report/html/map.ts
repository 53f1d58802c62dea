import type { Timeline, TimelineLane, TimelineSegment } from '../../model/timeline.ts';
import { count, shorten } from '../printable.ts';
import { chatName } from '../session-name.ts';
import { label, line, picture, pictureWidth, pointer, rect } from './svg.ts';
import { duration, shortDay, shortTime } from './zone.ts';

const left = 190;
const laneHeight = 24;
const shownLanes = 40;

const segmentKinds: Record<TimelineSegment['end'], string> = { live: 'new', reset: 'old', deleted: 'waiting', compaction: 'old second', ended: 'old' };

/** The sessions of a store over time: one lane a chat, with its ends, compactions, horizons and findings. */
export function mapFigure(timeline: Timeline, name: string, zone: string): string | null {
  const lanes = timeline.lanes.filter((lane) => lane.segments.length > 0 || lane.marks.length > 0);
  const times = lanes.flatMap((lane) => [...lane.segments.flatMap((segment) => [segment.from, segment.to]), ...lane.marks.map((mark) => mark.at)]).filter(Number.isFinite);
  if (times.length === 0) return null;
  const shown = [...lanes].sort((a, b) => urgency(b) - urgency(a) || firstTime(a) - firstTime(b)).slice(0, shownLanes);
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  const lines = timeline.lines.filter((one) => one.at >= first - (last - first) && one.at <= last + (last - first));
  const low = Math.min(first, ...lines.map((one) => one.at));
  const high = Math.max(last, ...lines.map((one) => one.at));
  const span = Math.max(high - low, 60_000);
  const from = low - span * 0.02;
  const width = pictureWidth - left - 8;
  const at = (ms: number): number => left + ((ms - from) / (span * 1.04)) * width;
  const bottom = 34 + shown.length * laneHeight;
  const shapes: string[] = [];
  for (let i = 0; i <= 4; i++) {
    const ms = from + (span * 1.04 * i) / 4;
    const text = span > 3 * 86_400_000 ? shortDay(ms, zone) : shortTime(ms, zone);
    shapes.push(line(at(ms), 24, at(ms), bottom, 'rule'), label(Math.min(at(ms), pictureWidth - 4), 14, text, 'small', i === 4 ? 'end' : i === 0 ? 'start' : 'middle'));
  }
  for (const [index, lane] of shown.entries()) shapes.push(...laneShapes(lane, 30 + index * laneHeight, at, zone));
  for (const one of lines) shapes.push(line(at(one.at), 22, at(one.at), bottom + 4, 'mark'), label(at(one.at), bottom + 18, one.label, 'small', at(one.at) > pictureWidth - 130 ? 'end' : 'middle'));
  const more = lanes.length - shown.length;
  if (more > 0) shapes.push(label(0, bottom + 36, `and ${more} more without findings or later`, 'small'));
  return picture(`${name}: ${count(lanes.length, 'chat')} from ${shortTime(first, zone)} to ${shortTime(last, zone)}`, bottom + (more > 0 ? 44 : 26), shapes);
}

function laneShapes(lane: TimelineLane, y: number, at: (ms: number) => number, zone: string): string[] {
  const shapes = [label(0, y + 13, shorten(chatName(lane.sessionKey, lane.session), 25), 'small')];
  for (const segment of lane.segments) {
    const rows = segment.rows === null ? '' : `, ${count(segment.rows, 'row')}`;
    shapes.push(rect(at(segment.from), y + 3, Math.max(2, at(segment.to) - at(segment.from)), 12, segmentKinds[segment.end], `${shortTime(segment.from, zone)} to ${shortTime(segment.to, zone)}, ${duration(segment.to - segment.from)}${rows}: ${segment.end}`));
  }
  for (const mark of lane.marks) {
    if (mark.kind === 'horizon') shapes.push(line(at(mark.at), y - 2, at(mark.at), y + 19, 'mark'));
    else if (mark.kind === 'compaction') shapes.push(rect(at(mark.at) - 1.5, y + 1, 3, 16, 'compaction', mark.label));
    else shapes.push(pointer(at(mark.at), y + 4, mark.kind === 'finding' ? 'lost' : mark.kind === 'deleted' ? 'waiting' : 'old'));
  }
  return shapes;
}

function urgency(lane: TimelineLane): number {
  return lane.marks.some((mark) => mark.kind === 'finding' || mark.kind === 'horizon') ? 1 : 0;
}

function firstTime(lane: TimelineLane): number {
  return [...lane.segments.map((segment) => segment.from), ...lane.marks.map((mark) => mark.at)].reduce((a, b) => Math.min(a, b));
}

/** What the colours and signs of a map mean: those that it uses. */
export function mapLegend(timeline: Timeline): [kind: string, text: string][] {
  const ends = new Set(timeline.lanes.flatMap((lane) => lane.segments.map((segment) => segmentKinds[segment.end])));
  const marks = new Set(timeline.lanes.flatMap((lane) => lane.marks.map((mark) => mark.kind)));
  const all: [used: boolean, kind: string, text: string][] = [
    [ends.has('new'), 'new', 'live'],
    [ends.has('old') || ends.has('old second') || marks.has('reset'), 'old', 'ended'],
    [ends.has('waiting') || marks.has('deleted'), 'waiting', 'deleted or dropped'],
    [marks.has('finding'), 'lost', 'a finding'],
    [marks.has('compaction'), 'compaction', 'compaction'],
    [marks.has('horizon'), 'mark', 'what lies before is hidden by a watermark'],
  ];
  return all.filter(([used]) => used).map(([, kind, text]) => [kind, text]);
}
