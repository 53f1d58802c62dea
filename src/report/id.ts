import { DateTime } from 'luxon';
import { epochOf, type IdDescription } from '../ids/index.ts';
import { isoTime } from '../model/time.ts';
import { groupDigits, printable, wrap } from './printable.ts';
import type { Style } from './style.ts';

/** A description, with the row that was found for it in a store; null: there is none, undefined: nobody asked. */
export type DescribedId = IdDescription & { row: { store: string; table: string; sessionId: string; time: number } | null | undefined };

/** `--json` of the command id. `zone` is an IANA name. */
export function idsDocument(ids: readonly DescribedId[], zone: string): object {
  return {
    schemaVersion: 1,
    ids: ids.map(({ row, ...description }) => ({
      ...description,
      candidates: description.candidates.map(({ epoch, time, future, nearest }) => ({ epoch, time: isoTime(time), zoneTime: inZone(time, zone), future, nearest })),
      others: description.others.map(({ format, time }) => ({ format, time: isoTime(time) })),
      lastWrap: isoTime(description.lastWrap),
      nextWrap: isoTime(description.nextWrap),
      zone,
      row: !row ? null : { ...row, time: isoTime(row.time) },
    })),
  };
}

/** One block an id. Times in UTC, and in `zone` beside it where that differs. */
export function renderIds(descriptions: readonly DescribedId[], zone: string, style: Style): string {
  return descriptions.map((description) => block(description, zone, style, descriptions.length > 1)).join('\n');
}

function block(description: DescribedId, zone: string, style: Style, named: boolean): string {
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
    const note = candidate.nearest ? (zone === 'UTC' ? '   the one in its row' : '   its row') : !candidate.future ? '' : zone === 'UTC' ? '   in the future' : '   future';
    lines.push(`${label.padEnd(6)}   ${String(candidate.epoch).padEnd(4)} ${when(candidate.time, zone)}${note}`);
  }
  for (const other of description.others.filter((candidate) => plausible(candidate.time, description.nextWrap))) {
    lines.push(`${`or ${other.format}`.padEnd(9)}${String(epochOf(other.time)).padEnd(4)} ${when(other.time, zone)}`);
  }
  const { row } = description;
  if (row === null) lines.push('row      none in that store');
  else if (row !== undefined) lines.push(...labelled('row', `${row.table} of ${printable(row.sessionId)}, written ${utc(row.time)} UTC${lag(description, row.time)}`));
  lines.push(...labelled('sorts', placeText(description)));
  if (description.format === 'v1') lines.push(`wraps    next ${when(description.nextWrap, zone)}`);
  else if (description.format !== 'opaque') lines.push('wraps    never in this format');
  return `${lines.join('\n')}\n`;
}

function labelled(label: string, text: string): string[] {
  return wrap(text, 71).map((line, index) => `${(index === 0 ? label : '').padEnd(9)}${line}`);
}

/** Forks, imports and repairs mint ids at other times than those of their rows. */
function lag({ candidates }: IdDescription, rowTime: number): string {
  const minted = candidates.find((candidate) => candidate.nearest)?.time ?? rowTime;
  const minutes = Math.round(Math.abs(minted - rowTime) / 60_000);
  if (minutes === 0) return '';
  const size = minutes < 120 ? `${minutes} min` : minutes < 2880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
  return `; its id was minted ${size} ${minted > rowTime ? 'later' : 'earlier'}: a fork, an import, a repair or another clock`;
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
