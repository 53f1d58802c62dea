import { localText, spanText, utc, type Zone } from '../model/zone.ts';
import type { JudgedEvent, Lineage, Segment } from '../readers/reset-event.ts';
import { count, printable, wrap } from './printable.ts';
import type { Style } from './style.ts';

const indent = ' '.repeat(18);
const bar = ' '.repeat(16);

/** How a timeline is drawn. */
export type TimelineOptions = { zone: Zone; style: Style; width: number; verbose: boolean };

const explainedWords: Partial<Record<string, string>> = { 'delete-archive': 'DELETED', 'reset-archive': 'RESET', 'reset-row': 'RESET', window: 'RESET', orphan: 'LEFT', session: 'ENDED' };

/** The life of one chat: its sessions, what ended them, and the boundaries that decided. Lines without newline. */
export function lineageTimeline(lineage: Lineage, options: TimelineOptions): string[] {
  const lines: string[] = [];
  const { segments } = lineage;
  const cron = lineage.sessionKey !== null && /:cron:[^:]+$/.test(lineage.sessionKey);
  for (let index = 0; index < segments.length; index++) {
    const quiet = options.verbose ? 0 : quietRun(segments, index);
    if (quiet >= (cron ? 2 : 5)) {
      lines.push(...collapsed(segments.slice(index, index + quiet), options));
      index += quiet - 1;
      continue;
    }
    lines.push(...segmentLines(segments[index]!, segments[index + 1] ?? null, options));
  }
  return lines;
}

/** How many sessions from here on ended in an ordinary way, one after the other. */
function quietRun(segments: readonly Segment[], from: number): number {
  let length = 0;
  while (from + length < segments.length) {
    const end = segments[from + length]?.end ?? null;
    if (end === null || end.unruly || end.verdict !== 'explained') break;
    length++;
  }
  return length;
}

function collapsed(segments: readonly Segment[], options: TimelineOptions): string[] {
  const causes = new Map<string, number>();
  for (const { end } of segments) if (end?.cause) causes.set(end.cause, (causes.get(end.cause) ?? 0) + 1);
  const first = segments[0]?.startedAt ?? null;
  const last = segments.at(-1)?.end?.at ?? null;
  const list = [...causes].map(([cause, number]) => `${number} ${cause}`).join(', ');
  return [
    ...(first === null ? [] : [`  ${localText(first, options.zone)}  ┬ ${options.style.dim(`${count(segments.length, 'session')} that ended as they should: ${list}`)}`]),
    ...(last === null ? [] : [`  ${localText(last, options.zone)}  ┴ ${options.style.dim('(--verbose draws each)')}`]),
  ];
}

function segmentLines(segment: Segment, next: Segment | null, options: TimelineOptions): string[] {
  const { zone, style, width } = options;
  const { end } = segment;
  const rows = segment.rows === null ? '' : count(segment.rows, 'row').padStart(9);
  const right = `${printable(shortId(segment.sessionId))}${rows}`;
  const left = `  ${segment.startedAt === null ? '      ?     ' : localText(segment.startedAt, zone)}  ┬ begins`;
  const lines = [`${left}${' '.repeat(Math.max(2, width - left.length - right.length))}${right}`];
  const last = segment.lastActivity === null ? '' : `, last row ${localText(segment.lastActivity, zone).slice(-5)}`;
  if (end === null) {
    lines.push(`${bar}▼ ${segment.live ? 'live' : 'no end is recorded'}${last}`);
    return lines;
  }
  lines.push(boundaryLine(end, segment, options) ?? `${bar}│`);
  const age = end.at !== null && segment.startedAt !== null ? ` after ${spanText(end.at - segment.startedAt)}` : '';
  const utcTime = end.at === null || zone.name === 'UTC' ? '' : ` ${localText(end.at, utc, true).slice(-8)} UTC`;
  const word = explainedWords[end.kind] ?? 'ENDED';
  const say = (text: string): void => void lines.push(...wrap(printable(text), width - indent.length).map((line) => `${indent}${line}`));
  const facts = `${utcTime}${age}${last}`;
  const words = `${word}${end.verdict === 'explained' ? '' : `, UNEXPLAINED${end.verdict === 'zone-mismatch' ? ` in ${zone.name}` : ''}`}`;
  const tag = end.verdict === 'explained' ? style.strong(words) : style.warning(words);
  const fits = indent.length + words.length + facts.length <= width;
  lines.push(`  ${end.at === null ? '      ?     ' : localText(end.at, zone)}  ┴ ${tag}${fits ? facts : ''}`);
  if (!fits) say(facts.trim());
  say(end.verdict === 'explained' && end.cause !== null && end.cause !== 'delete' ? `${end.cause}: ${end.deciding}.` : end.verdict === 'explained' ? `${end.deciding}.` : '');
  if (end.verdict !== 'explained') for (const one of end.tried) say(`${one.suspect ? 'perhaps' : `not ${one.cause}`}: ${one.why}`);
  for (const remark of end.remarks) say(remark);
  if (end.confidence !== 'certain') say(`(${end.confidence})`);
  if (next !== null && next.startedAt !== null && end.at !== null && next.startedAt - end.at > 60_000) say(`${spanText(next.startedAt - end.at)} without a session`);
  return lines.filter((line) => line.trim() !== '');
}

function boundaryLine(end: JudgedEvent, segment: Segment, options: TimelineOptions): string | null {
  const { boundary, at } = end;
  if (boundary === null || at === null || segment.startedAt === null || segment.startedAt >= boundary || boundary > at || end.kind === 'delete-archive') return null;
  const clock = localText(boundary, options.zone).slice(-5);
  const left = `  ······ ${clock} ·│············ daily boundary `;
  return options.style.dim(`${left}${'·'.repeat(Math.max(0, options.width - left.length))}`);
}

/** The first part of a UUID, else the id itself; long ids are cut. */
export function shortId(id: string): string {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(id)) return id.slice(0, 8);
  return id.length <= 24 ? id : `${id.slice(0, 23)}…`;
}
