import { localText, spanText, type Zone } from '../model/zone.ts';
import type { ReadError } from '../model/finding.ts';
import type { Repeat } from '../readers/repeats.ts';
import type { JudgedEvent, Lineage } from '../readers/reset-event.ts';
import { count, printable, shorten, wrap } from './printable.ts';
import { lineageTimeline, shortId } from './reset-timeline.ts';
import { chatName } from './session-name.ts';
import { styleFor, type Style, type TextOptions } from './style.ts';

/** The ends of one store's sessions, as they are to be shown. */
export type StoreResets = {
  id: string;
  name: string;
  /** Name of the file that the policy stands in, or null. */
  configName: string | null;
  events: JudgedEvent[];
  repeats: Repeat[];
  /** Chats with an end among the events. */
  lineages: Lineage[];
};

/** The text of `resets`: a timeline a chat, then the summary: what is unexplained first, then repeats, then all by cause. */
export function renderResets(stores: readonly StoreResets[], errors: readonly ReadError[], zone: Zone, options: TextOptions & { onlyUnexplained: boolean }): string {
  const style = styleFor(options.color);
  const lines: string[] = [];
  for (const store of stores) {
    if (stores.length > 1 && store.lineages.length > 0) lines.push(style.strong(printable(store.name)), '');
    if (options.quiet) continue;
    for (const lineage of store.lineages) {
      const name = chatName(lineage.sessionKey, lineage.segments[0]?.sessionId ?? '');
      const from = lineage.configured && store.configName !== null ? printable(store.configName) : 'default';
      const policy = `policy: ${lineage.policy}${lineage.policy.includes('daily') ? ` ${zone.name}` : ''} (${from})`;
      lines.push(name.length + policy.length + 4 > options.width ? `${style.strong(name)}\n  ${policy}` : `${style.strong(name)}${' '.repeat(Math.max(4, 37 - name.length))}${policy}`, '');
      lines.push(...lineageTimeline(lineage, { zone, style, width: options.width, verbose: options.verbose }), '');
    }
  }
  for (const error of errors) lines.push(...wrap(`UNREAD  ${printable(error.message)}`, options.width));
  if (errors.length > 0) lines.push('');
  lines.push(...summary(stores, zone, options, style, errors.length > 0));
  while (lines.at(-1) === '') lines.pop();
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

const causeWords: { [cause: string]: [string, string] } = {
  delete: ['deletion', 'deletions'],
  manual: ['by command', 'by command'],
  'cron-prune': ['cron run pruned', 'cron runs pruned'],
};

function summary(stores: readonly StoreResets[], zone: Zone, options: TextOptions & { onlyUnexplained: boolean }, style: Style, unread: boolean): string[] {
  const events = stores.flatMap((store) => store.events);
  if (events.length === 0) return options.quiet || (unread && stores.length === 0) ? [] : [`No end of a session was found${unread ? ' in what could be read' : ''}.`];
  const lines: string[] = [];
  const row = (tag: string, event: JudgedEvent): void => {
    const name = chatName(event.sessionKey, event.sessionId);
    const age = event.at === null || event.startedAt === null ? '' : `  after ${spanText(event.at - event.startedAt)}`;
    const facts = `${event.at === null ? '      ?     ' : localText(event.at, zone)}  ${printable(shortId(event.sessionId))}${age}  `;
    lines.push(`  ${style.warning(tag.padEnd(13))}${facts}${shorten(name, Math.max(12, options.width - 15 - facts.length))}`);
  };
  for (const event of events) if (event.verdict === 'unexplained') row('unexplained', event);
  for (const event of events) if (event.verdict === 'zone-mismatch') row('other zone', event);
  for (const { repeats } of stores) {
    for (const repeat of repeats) {
      const facts = `${repeat.events.length} ends on the policy day of ${repeat.policyDay}  `;
      lines.push(`  ${style.warning('repeated'.padEnd(13))}${facts}${shorten(chatName(repeat.sessionKey, null), Math.max(12, options.width - 15 - facts.length))}`);
    }
  }
  if (lines.length > 0) lines.push('');
  const causes = new Map<string, number>();
  for (const event of events) if (event.verdict === 'explained' && event.cause !== null) causes.set(event.cause, (causes.get(event.cause) ?? 0) + 1);
  const parts = [...causes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([cause, number]) => `${number} ${causeWords[cause]?.[number === 1 ? 0 : 1] ?? cause}`);
  const mismatched = events.filter((event) => event.verdict === 'zone-mismatch').length;
  if (mismatched > 0) parts.push(`${mismatched} explained in another zone only`);
  parts.push(`${events.filter((event) => event.verdict === 'unexplained').length} unexplained`);
  const consequences = stores.flatMap((store) => store.lineages.flatMap((lineage) => consequencesOf(lineage, zone)));
  lines.push(...wrap(`${count(events.length, 'end')}${options.onlyUnexplained ? ' shown' : ''}: ${parts.join(', ')}.  ${consequences.slice(0, 2).join('  ')}`.trimEnd(), options.width));
  const zones = new Map<string, number>();
  for (const { matchingZone } of events) if (matchingZone !== null) zones.set(matchingZone, (zones.get(matchingZone) ?? 0) + 1);
  for (const [name, number] of zones) {
    const next = name.startsWith('UTC') && name !== 'UTC' ? 'name the zone there with --zone' : `try --zone ${name}`;
    lines.push(...wrap(`${count(number, 'end')} would be explained in ${name}: if the host ran there, ${next}.`, options.width));
  }
  if (events.some((event) => event.verdict !== 'explained')) lines.push('sessionfsck explain reset/unexplained teaches the policy.');
  return lines;
}

/** A daily reset of a young session after one that was taken away: the older one would have been reset then anyway. */
function consequencesOf(lineage: Lineage, zone: Zone): string[] {
  const said: string[] = [];
  for (const [index, segment] of lineage.segments.entries()) {
    const next = lineage.segments[index + 1];
    const first = segment.end;
    const second = next?.end ?? null;
    if (!first?.unruly || first.at === null || !second || second.cause !== 'daily' || second.verdict !== 'explained' || second.at === null || second.boundary === null) continue;
    if (segment.startedAt === null || segment.startedAt >= second.boundary || first.at >= second.boundary || second.at - (next?.startedAt ?? 0) > 6 * 3_600_000) continue;
    const what = first.cause === 'delete' ? 'deletion' : 'end';
    said.push(`Without the ${what} at ${localText(first.at, zone, true).slice(-8)} the session of ${localText(segment.startedAt, zone).slice(0, 6)} would have been reset at ${localText(second.at, zone).slice(-5)} as usual.`);
  }
  return said;
}
