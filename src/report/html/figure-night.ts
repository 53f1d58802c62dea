import type { Finding } from '../../model/finding.ts';
import type { TimelineLane } from '../../model/timeline.ts';
import { textAt, timeAt } from './read-evidence.ts';
import { label, line, picture, pictureWidth, pointer, rect } from './svg.ts';
import { duration, localHours, shortTime } from './zone.ts';

type Stretch = { from: number; to: number; last: number | null; deleted: boolean; here: boolean };

const hourMs = 3_600_000;

/** The hour of the daily reset where nothing says otherwise (OpenClaw and Hermes reset policy defaults). */
const dailyHour = 4;

/** The ends of one chat around an end, against the local daily line. null when the finding does not say when it was. */
export function nightFigure(finding: Finding, siblings: readonly Finding[], lane: TimelineLane | null, zone: string): string | null {
  const stretches = new Map<number, Stretch>();
  for (const candidate of siblings) {
    const end = timeAt(candidate.evidence, 'at');
    const from = timeAt(candidate.evidence, 'sessionStartedAt');
    if (!candidate.checkId.startsWith('reset/') || candidate.sessionKey !== finding.sessionKey || end === null || from === null || from > end) continue;
    const archive = textAt(candidate.evidence, 'archive') ?? '';
    stretches.set(end, { from, to: end, last: timeAt(candidate.evidence, 'lastActivity'), deleted: archive.includes('.deleted.'), here: candidate === finding });
  }
  const center = timeAt(finding.evidence, 'at') ?? dayOf(finding, stretches);
  if (center === null) return null;
  for (const segment of lane?.segments ?? []) {
    if (![...stretches.keys()].some((end) => Math.abs(end - segment.to) < 2000)) stretches.set(segment.to, { from: segment.from, to: segment.to, last: null, deleted: segment.end === 'deleted', here: false });
  }
  const own = stretches.get(center);
  const from = Math.max(Math.min(own?.from ?? center, center - 8 * hourMs), center - 30 * hourMs) - hourMs;
  const to = center + 5 * hourMs;
  const near = [...stretches.values()].filter((stretch) => stretch.to >= from && stretch.from <= to).sort((a, b) => a.from - b.from).slice(0, 12);
  if (near.length === 0) return null;
  const at = (ms: number): number => ((Math.max(from, Math.min(to, ms)) - from) / (to - from)) * (pictureWidth - 2) + 1;
  const height = 52 + near.length * 34;
  const shapes: string[] = [];
  for (const instant of localHours(from, to, dailyHour, zone)) {
    shapes.push(line(at(instant), 20, at(instant), height - 8, 'daily'), label(Math.min(at(instant) + 4, pictureWidth - 100), 30, `04:00 ${zone}`, 'small'));
  }
  for (const [index, stretch] of near.entries()) {
    const y = 40 + index * 34;
    const kind = stretch.here ? 'lost' : stretch.deleted ? 'waiting' : 'old';
    shapes.push(rect(at(stretch.from), y, at(stretch.to) - at(stretch.from), 14, kind, `${shortTime(stretch.from, zone)} to ${shortTime(stretch.to, zone)}`));
    if (stretch.last !== null && stretch.last >= from) shapes.push(line(at(stretch.last), y - 2, at(stretch.last), y + 16, 'tick'));
    const text = `${stretch.deleted ? 'deleted' : 'ended'} ${shortTime(stretch.to, zone)} after ${duration(stretch.to - stretch.from)}${stretch.last === null ? '' : `, last row ${shortTime(stretch.last, zone)}`}`;
    const rightHalf = at(stretch.to) > pictureWidth * 0.5;
    shapes.push(pointer(at(stretch.to), y, kind), label(rightHalf ? at(stretch.to) : at(stretch.from), y + 27, text, 'small', rightHalf ? 'end' : 'start'));
  }
  return picture(`The ends of this chat around ${shortTime(center, zone)}, against the daily line at 04:00 ${zone}`, height, shapes);
}

/** Where a whole policy day is meant: its last known end. */
function dayOf(finding: Finding, stretches: ReadonlyMap<number, Stretch>): number | null {
  const day = timeAt(finding.evidence, 'policyDay');
  if (day === null) return null;
  const ends = [...stretches.keys()].filter((end) => end > day - 14 * hourMs && end < day + 62 * hourMs).sort((a, b) => a - b);
  return ends.at(-1) ?? null;
}
