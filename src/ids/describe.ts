import { compareIds } from './compare.ts';
import { epochOf, wrapAfter, wrapBefore } from './epoch.ts';
import { v1Digits } from './mint.ts';
import { readId, readingsOf, timeCandidates, timeNear, type Direction, type IdFormat, type IdReading } from './reading.ts';

/** Where an id sorts among those that a v1 build mints now: before all since the last wrap, among them, or after all so far. */
export type IdPlace = 'before' | 'among' | 'after';

/** Everything that can be said of an id without its row. Times in ms. */
export type IdDescription = {
  id: string;
  format: IdFormat;
  direction: Direction | null;
  prefix: string | null;
  hex: string | null;
  suffix: string | null;
  /** Modulo 2^36 for v1. */
  clock: number | null;
  counter: number | null;
  /** `nearest`: the one that its row speaks for. */
  candidates: { epoch: number; time: number; future: boolean; nearest: boolean }[];
  /** Other formats that its characters allow. */
  others: { format: IdFormat; time: number }[];
  place: IdPlace;
  lastWrap: number;
  nextWrap: number;
};

/** Decodes an id: as far as it can be without its row, or by the time (ms) of its row. */
export function describeId(id: string, now: number, rowTime: number | null = null): IdDescription {
  const reading = readId(id, rowTime, now);
  const minted = reading === null || rowTime === null ? null : timeNear(reading, rowTime);
  const current = epochOf(now);
  const others = readingsOf(id).filter((other) => reading !== null && other.format !== reading.format);
  return {
    id,
    format: reading?.format ?? 'opaque',
    direction: reading?.direction ?? null,
    prefix: reading?.prefix ?? null,
    hex: reading?.hex ?? null,
    suffix: reading?.suffix ?? null,
    clock: reading?.clock ?? null,
    counter: reading?.counter ?? null,
    candidates: candidatesOf(reading, now, minted).map((candidate) => ({ ...candidate, future: candidate.time > now, nearest: candidate.time === minted })),
    others: others.map((other) => ({ format: other.format, time: timeCandidates(other, current, current)[0]?.time ?? other.clock })),
    place: placeOf(id, now),
    lastWrap: wrapBefore(now),
    nextWrap: wrapAfter(now),
  };
}

/** The last two times that are not in the future, and the first that is: only a clock that ran ahead can mean that one. */
function candidatesOf(reading: IdReading | null, now: number, minted: number | null): { epoch: number; time: number }[] {
  if (reading === null) return [];
  const current = epochOf(now);
  const all = timeCandidates(reading, current - 2, current + 1);
  const past = all.filter((candidate) => candidate.time <= now);
  const shown = [...past.slice(-2), ...all.slice(past.length, past.length + 1)];
  if (minted === null || shown.some((candidate) => candidate.time === minted)) return shown;
  return [...shown, { epoch: epochOf(minted), time: minted }].sort((a, b) => a.time - b.time);
}

function placeOf(id: string, now: number): IdPlace {
  const prefix = id.slice(0, id.indexOf('_') + 1) || 'msg_';
  const direction = prefix === 'ses_' ? 'descending' : 'ascending';
  const ends = [v1Digits(wrapBefore(now), 0, direction), v1Digits(now, 0xfff, direction)].sort(compareIds);
  if (compareIds(id, `${prefix}${ends[0]}`) < 0) return 'before';
  return compareIds(id, `${prefix}${ends[1]}\uffff`) > 0 ? 'after' : 'among';
}
