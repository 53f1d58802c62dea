import type { Timeline, TimelineLane } from '../../model/timeline.ts';
import { groupDigits } from '../printable.ts';
import { chatName } from '../session-name.ts';
import { html } from './escape.ts';
import { lanesShown } from './map.ts';
import { duration, shortTime } from './zone.ts';

/** The map in words, for those who cannot see it or want its numbers; closed until it is asked for. */
export function mapTable(timeline: Timeline, zone: string): string {
  const rows = lanesShown(timeline).map((lane) => {
    const times = lane.segments.flatMap((segment) => [segment.from, segment.to]);
    const marks = lane.marks.map((mark) => mark.at);
    const all = times.length > 0 ? times : marks;
    const first = all.reduce((a, b) => Math.min(a, b));
    const last = all.reduce((a, b) => Math.max(a, b));
    return `<tr><th scope="row">${html(chatName(lane.sessionKey, lane.session))}</th><td>${html(shortTime(first, zone))}</td><td>${html(shortTime(last, zone))}</td><td>${html(duration(last - first))}</td><td>${html(happenings(lane))}</td></tr>`;
  });
  return `<details><summary>The same as a table</summary><div class="wide"><table><thead><tr><th scope="col">chat or session</th><th scope="col">from</th><th scope="col">to</th><th scope="col">lasted</th><th scope="col">what happened</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></details>`;
}

const endWords = { live: 'live', loose: 'no chat points to it', reset: 'reset', deleted: 'deleted', compaction: 'ended by compaction', ended: 'ended' } as const;
const markWords = { compaction: 'compaction', horizon: 'watermark horizon', 'old-horizon': 'watermark horizon for older builds', finding: 'finding', reset: 'reset', deleted: 'deleted' } as const;

/** `2 × reset, live, 1 × finding`: how its sessions ended, then its signs. */
function happenings(lane: TimelineLane): string {
  const counts = new Map<string, number>();
  const add = (word: string): void => void counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const segment of lane.segments) add(endWords[segment.end]);
  for (const mark of lane.marks) add(markWords[mark.kind]);
  return [...counts].map(([word, times]) => (word === 'live' ? word : `${groupDigits(times)} × ${word}`)).join(', ');
}
