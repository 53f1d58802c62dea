import type { Json, ReadError } from '../model/finding.ts';
import type { SessionStory, StoryEvent, StoryMessages, StorySegment } from '../model/story.ts';
import { count, printable, wrap } from './printable.ts';
import { excerptLines } from './excerpts.ts';
import { storyTables } from './generations.ts';
import { chatName } from './session-name.ts';
import { styleFor, type Style, type TextOptions } from './style.ts';

const left = 22;

function clock(iso: string | null): string {
  return iso === null ? 'time unknown' : iso.slice(0, 19).replace('T', ' ');
}

function say(value: Json | undefined): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value ?? null));
}

const endWords: Record<string, string> = {
  live: '▼ live, last row',
  reset: '┴ RESET',
  deleted: '┴ DELETED',
  bak: '┴ shortened; this is the whole it was made from',
  superseded: '┴ given up: no chat points here any more',
};

function eventLine(event: StoryEvent): string {
  const kept = typeof event.details.keptFrom === 'string' ? `, kept from ${say(event.details.keptFrom)}` : '';
  const reason = typeof event.details.reason === 'string' ? ` (${say(event.details.reason)})` : '';
  return `  ${clock(event.at).padEnd(left)}│ ${event.kind}${reason}${event.row === null ? '' : ` ${printable(String(event.row))}`}${kept}`;
}

/** Eight characters tell UUIDs apart; ids that begin with a date need all of theirs. */
function shortId(id: string): string {
  return /^[0-9a-f]{8}-/.test(id) ? id.slice(0, 8) : id.slice(0, 24);
}

function segmentLines(segment: StorySegment, events: readonly StoryEvent[], style: Style): string[] {
  const { details } = segment;
  const lines = [`  ${clock(segment.from).padEnd(left)}┬ ${style.strong(printable(shortId(segment.session)))} begins, ${count(segment.rows, 'row')}, ${count(segment.messages, 'message')}`];
  if (details.channelMessages !== undefined) lines.push(`  ${''.padEnd(left)}│ channel messages ${say(details.firstChannelMessage)}–${say(details.lastChannelMessage)} (${say(details.channelMessages)})`);
  if (details.rejectedLines !== undefined) lines.push(`  ${''.padEnd(left)}│ ${style.warning(`${count(Number(details.rejectedLines), 'line')} could not be read`)}`);
  for (const event of events) lines.push(eventLine(event));
  const word = endWords[segment.end] ?? `┴ ${printable(segment.end)}`;
  if (segment.end === 'live') lines.push(`  ${''.padEnd(left)}${word} ${clock(typeof details.lastRow === 'string' ? details.lastRow : segment.to)}`);
  else lines.push(`  ${clock(segment.to).padEnd(left)}${word}${typeof details.lastRow === 'string' ? `, last row ${clock(details.lastRow)}` : ''}`);
  if (typeof details.verdict === 'string') {
    const zone = typeof details.matchingZone === 'string' ? `; ${details.matchingZone} would explain it` : '';
    const verdict = details.verdict === 'explained' ? say(details.cause) : 'unexplained';
    lines.push(...wrap(`${verdict}: ${say(details.why)}${printable(zone)}`, 80 - left - 4).map((line) => `  ${''.padEnd(left)}  ${line}`));
  }
  if (segment.file !== null) lines.push(`  ${''.padEnd(left)}  ${style.dim(printable(segment.file))}`);
  return lines;
}

function watermarkText(value: { [key: string]: Json }): string {
  const bound = value.boundTo === null ? 'not bound to a session' : `bound to session ${say(value.boundTo)}`;
  const hides = value.state === 'orphaned' ? `${say(value.reason)}, ${value.honoured === true ? 'hides' : 'would hide'} ${say(value.hiddenRows)} messages` : say(value.state);
  return `watermark at message ${say(value.messageId)}, ${bound}: ${hides}`;
}

/** The newest messages with their texts; only there when a person asked for them. */
function messageLines({ rows, further }: StoryMessages, options: TextOptions, style: Style): string[] {
  if (rows.length === 0) return ['', '  no message of it lies here'];
  const earlier = further === 0 ? '' : `, after ${count(further, 'earlier one')} (--verbose: all)`;
  return ['', `  ${count(rows.length, 'message')}${earlier}:`, ...excerptLines(rows, options.width - 4, style).map((line) => `    ${line}`)];
}

/** The lives of sessions as text: ids, times and counts, and texts only where the stories have them. Times are UTC. */
export function renderStories(stories: readonly SessionStory[], errors: readonly ReadError[], options: TextOptions): string {
  const style = styleFor(options.color);
  const out: string[] = [];
  for (const story of stories) {
    const chat = chatName(story.sessionKey, story.session);
    const more = `${story.session === null || story.sessionKey === null ? '' : `session ${printable(story.session)}   `}times in UTC`;
    out.push(...(chat.length + more.length + 3 > options.width ? [style.strong(chat), `  ${more}`] : [`${style.strong(chat)}   ${more}`]), '');
    for (const segment of story.segments) out.push(...segmentLines(segment, story.events.filter((event) => event.session === segment.session && (segment.to === null || event.at === null || event.at <= segment.to)), style));
    if (story.segments.length === 0) out.push('  no transcript of it lies here');
    for (const { name, value } of story.facts) {
      const text = name === 'watermark' && typeof value === 'object' && value !== null && !Array.isArray(value) ? watermarkText(value) : `${printable(name)}: ${say(value)}`;
      out.push(...wrap(text, options.width - 2).map((line) => `  ${line}`));
    }
    out.push(...storyTables(story, options, style));
    if (story.messages) out.push(...messageLines(story.messages, options, style));
    out.push('');
  }
  for (const error of errors) out.push(...wrap(printable(`UNREAD   ${error.message}`), options.width));
  return `${out.join('\n').trimEnd()}\n`;
}
