import type { Finding } from '../../model/finding.ts';
import type { TimelineLane } from '../../model/timeline.ts';
import { parseTime } from '../../model/time.ts';
import { count, groupDigits } from '../printable.ts';
import { textAt, timeAt } from './read-evidence.ts';
import { label, line, picture, pictureWidth, pointer, rect } from './svg.ts';
import { duration, localHours, shortTime } from './zone.ts';

type Stretch = { from: number; to: number; last: number | null; deleted: boolean; here: boolean; boundary: number | null };

const hourMs = 3_600_000;
/** Height of one end in the picture. */
const rowHeight = 40;
/** Ends that are drawn: those that the finding is about, then the nearest. */
const drawnEnds = 12;

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
    stretches.set(end, { from, to: end, last: timeAt(candidate.evidence, 'lastActivity'), deleted: archive.includes('.deleted.'), here: candidate === finding, boundary: timeAt(candidate.evidence, 'boundary') });
  }
  const own = timeAt(finding.evidence, 'at');
  const meant = own === null ? endsOf(finding, stretches) : [own];
  const center = meant.at(-1);
  if (center === undefined) return null;
  for (const segment of lane?.segments ?? []) {
    const known = [...stretches.values()].find((stretch) => Math.abs(stretch.to - segment.to) < 2000);
    if (known) known.boundary ??= segment.boundary;
    else if (segment.end !== 'live' && segment.end !== 'loose') stretches.set(segment.to, { from: segment.from, to: segment.to, last: null, deleted: segment.end === 'deleted', here: false, boundary: segment.boundary });
  }
  for (const end of meant) {
    const stretch = [...stretches.values()].find((one) => Math.abs(one.to - end) < 2000);
    if (stretch) stretch.here = true;
  }
  const first = meant[0] ?? center;
  const began = [...stretches.values()].find((one) => Math.abs(one.to - first) < 2000)?.from ?? first;
  const earliest = center - 30 * hourMs;
  const to = center + 5 * hourMs;
  const policy = textAt(finding.evidence, 'policy');
  const lines = dailyLines([...stretches.values()], policy, earliest, to, zone);
  // The last daily line before the end belongs into the picture, also when the session began after it.
  const lineBefore = lines.findLast((instant) => instant <= center) ?? center;
  const from = Math.max(Math.min(began, center - 8 * hourMs, lineBefore), earliest) - hourMs;
  const all = [...stretches.values()].filter((stretch) => stretch.to >= from && stretch.from <= to);
  const near = all.toSorted((a, b) => Number(b.here) - Number(a.here) || Math.abs(a.to - center) - Math.abs(b.to - center)).slice(0, drawnEnds).sort((a, b) => a.from - b.from || a.to - b.to);
  if (near.length === 0) return null;
  const at = (ms: number): number => ((Math.max(from, Math.min(to, ms)) - from) / (to - from)) * (pictureWidth - 2) + 1;
  const more = all.length - near.length;
  const height = 52 + near.length * rowHeight + (more > 0 ? 16 : 0);
  const shapes: string[] = [];
  const daily = lines.filter((instant) => instant >= from);
  for (const instant of daily) {
    const x = at(instant);
    // Beside the words, not through them.
    shapes.push(line(x, 20, x, 40, 'daily'), ...near.map((_, index) => line(x, 40 + index * rowHeight, x, 59 + index * rowHeight, 'daily')));
    shapes.push(label(x > pictureWidth - 110 ? x - 4 : x + 4, 30, `daily line ${shortTime(instant, zone).slice(-5)}`, 'small', x > pictureWidth - 110 ? 'end' : 'start'));
  }
  for (const [index, stretch] of near.entries()) {
    const y = 44 + index * rowHeight;
    const kind = stretch.here ? 'lost' : stretch.deleted ? 'waiting' : 'old';
    shapes.push(rect(at(stretch.from), y, at(stretch.to) - at(stretch.from), 14, kind, `${shortTime(stretch.from, zone)} to ${shortTime(stretch.to, zone)}`));
    if (stretch.last !== null && stretch.last >= from) shapes.push(line(at(stretch.last), y - 2, at(stretch.last), y + 16, 'tick'));
    const text = `${stretch.deleted ? 'deleted' : 'ended'} ${shortTime(stretch.to, zone)} after ${duration(stretch.to - stretch.from)}${stretch.last === null ? '' : `, last row ${shortTime(stretch.last, zone)}`}`;
    const rightHalf = at(stretch.to) > pictureWidth * 0.5;
    if (stretch.to <= to) shapes.push(pointer(Math.min(at(stretch.to), pictureWidth - 6), y, kind));
    shapes.push(label(rightHalf ? at(stretch.to) : at(stretch.from), y + 26, text, 'small', rightHalf ? 'end' : 'start'));
  }
  if (more > 0) shapes.push(label(0, height - 6, `and ${groupDigits(more)} more ends in these hours`, 'small'));
  const ends = `${count(all.length, 'end')} of this chat around ${shortTime(center, zone)}`;
  return picture(daily.length > 0 ? `${ends}, against the daily line (${zone})` : `${ends} (${zone})`, height, shapes);
}

/** The daily lines in some hours: those that the store's ends were judged by, else the usual hour; none where the policy has no daily rule. */
function dailyLines(stretches: readonly Stretch[], policy: string | null, from: number, to: number, zone: string): number[] {
  const known = [...new Set(stretches.map((stretch) => stretch.boundary).filter((boundary): boundary is number => boundary !== null && boundary >= from && boundary <= to))];
  if (known.length > 0) return known.sort((a, b) => a - b);
  return policy === null || policy.includes('daily') ? localHours(from, to, dailyHour, zone) : [];
}

/** The ends that a finding on a whole policy day lists; else the last known one of that day. */
function endsOf(finding: Finding, stretches: ReadonlyMap<number, Stretch>): number[] {
  const { ends } = finding.evidence;
  const listed = Array.isArray(ends) ? ends.map((end) => (typeof end === 'object' && end !== null && !Array.isArray(end) ? parseTime(end.at) : null)).filter((at) => at !== null) : [];
  if (listed.length > 0) return listed.sort((a, b) => a - b);
  const day = timeAt(finding.evidence, 'policyDay');
  if (day === null) return [];
  return [...stretches.keys()].filter((end) => end > day - 10 * hourMs && end < day + 42 * hourMs).sort((a, b) => a - b);
}
