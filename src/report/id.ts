import { DateTime } from 'luxon';
import { epochOf, type IdDescription } from '../ids/index.ts';
import { isoTime } from '../model/time.ts';
import { groupDigits, printable, wrap } from './printable.ts';
import type { Style } from './style.ts';

/** `--json` of the command id. `zone` is an IANA name. */
export function idsDocument(descriptions: readonly IdDescription[], zone: string): object {
  return {
    schemaVersion: 1,
    ids: descriptions.map((description) => ({
      ...description,
      candidates: description.candidates.map(({ epoch, time, future }) => ({ epoch, time: isoTime(time), zoneTime: inZone(time, zone), future })),
      others: description.others.map(({ format, time }) => ({ format, time: isoTime(time) })),
      lastWrap: isoTime(description.lastWrap),
      nextWrap: isoTime(description.nextWrap),
      zone,
    })),
  };
}

/** One block an id. Times in UTC, and in `zone` beside it where that differs. */
export function renderIds(descriptions: readonly IdDescription[], zone: string, style: Style): string {
  return descriptions.map((description) => block(description, zone, style, descriptions.length > 1)).join('\n');
}

function block(description: IdDescription, zone: string, style: Style, named: boolean): string {
  const lines: string[] = [];
  if (named) lines.push(style.strong(printable(description.id)));
  if (description.format === 'opaque') {
    lines.push(`${style.strong('opaque')}   not an id that is known; it is never decoded, only ordered by the time of its row`);
  } else {
    const clock = groupDigits(description.clock ?? 0);
    const counter = description.counter === null ? '' : `, counter ${description.counter}`;
    const modulo = description.format === 'v1' ? ' mod 2^36' : '';
    lines.push(`${style.strong(description.format)}, ${description.direction}   prefix ${description.hex} = ms ${clock}${modulo}${counter}`);
  }
  for (const [index, candidate] of description.candidates.entries()) {
    const label = index === 0 ? (description.format === 'v1' ? 'epochs' : 'time') : '';
    const note = !candidate.future ? '' : zone === 'UTC' ? '   in the future' : '   future';
    lines.push(`${label.padEnd(6)}   ${String(candidate.epoch).padEnd(4)} ${when(candidate.time, zone)}${note}`);
  }
  for (const other of description.others.filter((candidate) => plausible(candidate.time, description.nextWrap))) {
    lines.push(`${`or ${other.format}`.padEnd(9)}${String(epochOf(other.time)).padEnd(4)} ${when(other.time, zone)}`);
  }
  lines.push(...wrap(placeText(description), 71).map((line, index) => `${index === 0 ? 'sorts' : '     '}    ${line}`));
  if (description.format === 'v1') lines.push(`wraps    next ${when(description.nextWrap, zone)}`);
  else if (description.format !== 'opaque') lines.push('wraps    never in this format');
  return `${lines.join('\n')}\n`;
}

function placeText({ place, lastWrap, format, direction }: IdDescription): string {
  const since = `since ${utc(lastWrap)} UTC`;
  if (place === 'among') return `among the v1 ids minted ${since}`;
  const newest = direction === 'descending' ? ', so it looks newer than all of them' : '';
  if (place === 'before') return `before every v1 id minted ${since}${newest}`;
  return format === 'v1' && direction === 'ascending' ? `after every id minted ${since}` : `after every v1 id minted ${since}`;
}

/** A reading is worth a line when it could be the date of a product's row. */
function plausible(time: number, nextWrap: number): boolean {
  return time >= Date.UTC(2024, 0, 1) && time < nextWrap;
}

function when(ms: number, zone: string): string {
  const local = inZone(ms, zone);
  return zone === 'UTC' || local === null ? `${utc(ms)} UTC` : `${utc(ms)} UTC = ${local}`;
}

function utc(ms: number): string {
  return isoTime(ms)?.replace('T', ' ').replace('Z', '') ?? `${ms} ms, beyond the calendar,`;
}

function inZone(ms: number, zone: string): string | null {
  const time = DateTime.fromMillis(ms, { zone });
  return time.isValid ? time.toFormat('yyyy-MM-dd HH:mm:ss ZZ') : null;
}
