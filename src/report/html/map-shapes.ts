import type { TimelineMark, TimelineSegment } from '../../model/timeline.ts';
import { count } from '../printable.ts';
import { line, pointer, rect } from './svg.ts';
import { duration, shortTime } from './zone.ts';

/** Sessions and signs nearer than this are drawn as one, in user units: however many there are, a lane stays small. */
const apart = 3;

export const segmentKinds: Record<TimelineSegment['end'], string> = { live: 'new', loose: 'loose', reset: 'old', deleted: 'waiting', compaction: 'old third', ended: 'old second' };

const endWords: Record<TimelineSegment['end'], string> = { live: 'live', loose: 'no chat points to it', reset: 'ended by a reset', deleted: 'deleted', compaction: 'ended by a compaction', ended: 'ended' };

type Run = { from: number; to: number; end: TimelineSegment['end']; sessions: number; rows: number | null };

/** The bars of one lane at a height; short ones of one kind that touch are one bar. */
export function segmentShapes(segments: readonly TimelineSegment[], y: number, at: (ms: number) => number, zone: string): string[] {
  const runs: Run[] = [];
  for (const { from, to, end, rows } of segments) {
    const last = runs.at(-1);
    const tiny = at(to) - at(from) < apart;
    if (last && tiny && last.end === end && at(from) - at(last.to) < apart && at(last.to) - at(last.from) < 40 * apart) {
      last.to = Math.max(last.to, to);
      last.sessions++;
      last.rows = rows === null || last.rows === null ? null : last.rows + rows;
    } else {
      runs.push({ from, to, end, rows, sessions: 1 });
    }
  }
  return runs.map((run) => {
    const rows = run.rows === null ? '' : `, ${count(run.rows, 'row')}`;
    const many = run.sessions === 1 ? '' : `${count(run.sessions, 'session')}, `;
    return rect(at(run.from), y + 3, Math.max(2, at(run.to) - at(run.from)), 12, segmentKinds[run.end], `${many}${shortTime(run.from, zone)} to ${shortTime(run.to, zone)}, ${duration(run.to - run.from)}${rows}: ${endWords[run.end]}`);
  });
}

/** The signs of one lane at a height; those of one kind that touch are one sign. */
export function markShapes(marks: readonly TimelineMark[], y: number, at: (ms: number) => number, zone: string): string[] {
  const shapes: string[] = [];
  for (const kind of ['compaction', 'horizon', 'old-horizon', 'reset', 'deleted', 'finding'] as const) {
    let group: TimelineMark[] = [];
    const draw = (): void => {
      const [first] = group;
      if (first) shapes.push(sign(kind, group, at(first.at), y, zone));
      group = [];
    };
    for (const mark of marks.filter((one) => one.kind === kind && Number.isFinite(one.at)).sort((a, b) => a.at - b.at)) {
      if (group[0] && at(mark.at) - at(group[0].at) >= apart) draw();
      group.push(mark);
    }
    draw();
  }
  return shapes;
}

function sign(kind: TimelineMark['kind'], group: readonly TimelineMark[], x: number, y: number, zone: string): string {
  const labels = [...new Set(group.map((mark) => mark.label))];
  const when = group[0] ? shortTime(group[0].at, zone) : '';
  const tip = `${group.length > labels.length ? `${group.length}: ` : ''}${labels.slice(0, 4).join(', ')}${labels.length > 4 ? ' …' : ''}, ${when}`;
  switch (kind) {
    case 'horizon':
      return line(x, y - 2, x, y + 19, 'mark', tip);
    case 'old-horizon':
      return line(x, y - 2, x, y + 19, 'mark faint', tip);
    case 'compaction':
      return rect(x - 1.5, y, 3, 18, 'compaction', tip);
    case 'finding':
      return pointer(x, y + 4, 'lost', tip);
    case 'deleted':
      return pointer(x, y + 4, 'waiting', tip);
    case 'reset':
      return pointer(x, y + 4, 'old', tip);
  }
}
