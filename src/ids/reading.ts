import { epochMs, epochOf } from './epoch.ts';

/**
 * v1: 12 hex of 36-bit ms and a 12-bit counter, then 14 base62; the clock wraps. v2: a mark, 16 hex, 9 base62 (MiMo-Code since
 * August 2026). hex14, hex16: wider clocks of proposals and forks. ms48: 12 hex of plain ms (a fork). opaque: anything else,
 * never decoded (opencode format notes §1.1–1.3).
 */
export type IdFormat = 'v1' | 'v2' | 'hex14' | 'hex16' | 'ms48' | 'opaque';

/** Session ids are minted descending: the newest sorts first. */
export type Direction = 'ascending' | 'descending';

/** One way to read an id. */
export type IdReading = {
  format: Exclude<IdFormat, 'opaque'>;
  direction: Direction;
  /** The word before the underscore. */
  prefix: string;
  /** The hex digits that hold clock and counter, as written. */
  hex: string;
  /** The random tail. */
  suffix: string;
  /** The clock in ms: modulo 2^36 for v1, absolute for the others. */
  clock: number;
  /** Counts the ids of one process and ms from 1; null where the format has none. */
  counter: number | null;
};

const shape = /^([a-z]+)_([g-]?)([0-9A-Za-z]+)$/;
const hexDigits = /^[0-9a-f]*/;

/** Lengths of the random tail behind the hex digits, by format. */
const forms = [
  { format: 'v1', hex: 12, tails: [14] },
  { format: 'ms48', hex: 12, tails: [14] },
  { format: 'hex14', hex: 14, tails: [12] },
  { format: 'hex16', hex: 16, tails: [10, 11, 12] },
] as const;

/** Every format that an id's characters allow, v1 first. Empty: the id is opaque. */
export function readingsOf(id: string): IdReading[] {
  const match = shape.exec(id);
  if (!match) return [];
  const [, prefix = '', mark = '', payload = ''] = match;
  const digits = hexDigits.exec(payload)?.[0].length ?? 0;
  if (mark !== '') {
    if (digits < 16 || payload.length !== 25) return [];
    return [read('v2', mark === '-' ? 'descending' : 'ascending', prefix, payload, 16)];
  }
  const direction = prefix === 'ses' ? 'descending' : 'ascending';
  return forms
    .filter((form) => digits >= form.hex && form.tails.some((tail) => payload.length === form.hex + tail))
    .map((form) => read(form.format, direction, prefix, payload, form.hex));
}

function read(format: IdReading['format'], direction: Direction, prefix: string, payload: string, width: number): IdReading {
  const hex = payload.slice(0, width);
  const clockDigits = format === 'ms48' ? 12 : width - 3;
  const invert = (value: number, digits: number): number => (direction === 'descending' ? 16 ** digits - 1 - value : value);
  return {
    format,
    direction,
    prefix,
    hex,
    suffix: payload.slice(width),
    clock: invert(parseInt(hex.slice(0, clockDigits), 16), clockDigits),
    counter: format === 'ms48' ? null : invert(parseInt(hex.slice(clockDigits), 16), 3),
  };
}

/** A row's id and time were taken by one process within moments, unless the row is a fork, an import or was re-keyed. */
const sameMomentMs = 3_600_000;

/** Before the products existed there was no id to mint. */
const firstPlausible = Date.UTC(2024, 0, 1);

/**
 * The one reading of an id, or null when it is opaque. Where the characters allow several, the row's time (ms) decides: a
 * reading other than v1 is taken only when it lies within an hour of it and nearer than v1. Without a time a wider clock is
 * taken when it gives a date between 2024 and `now`, because few v1 ids look like one.
 */
export function readId(id: string, timeCreated: number | null = null, now: number = Date.now()): IdReading | null {
  const readings = readingsOf(id);
  const [first, ...others] = readings;
  if (first === undefined || others.length === 0) return first ?? null;
  if (timeCreated === null) {
    return others.find((other) => other.format !== 'ms48' && other.clock >= firstPlausible && other.clock <= now + sameMomentMs) ?? first;
  }
  const distance = (reading: IdReading): number => Math.abs(timeNear(reading, timeCreated) - timeCreated);
  let best = first;
  for (const other of others) {
    const away = distance(other);
    if (away <= sameMomentMs && away < distance(best)) best = other;
  }
  return best;
}

/** The format of an id; `timeCreated` (ms) decides where the characters allow several. */
export function formatOfId(id: string, timeCreated: number | null = null): IdFormat {
  return readId(id, timeCreated)?.format ?? 'opaque';
}

/** When the id was minted (ms): for v1 the candidate nearest to `reference`, because the id alone does not tell its epoch. */
export function timeNear(reading: IdReading, reference: number): number {
  if (reading.format !== 'v1') return reading.clock;
  return reading.clock + Math.round((reference - reading.clock) / epochMs) * epochMs;
}

/** The times (ms) a v1 id may stand for, one an epoch; the one time of any other format. */
export function timeCandidates(reading: IdReading, firstEpoch: number, lastEpoch: number): { epoch: number; time: number }[] {
  if (reading.format !== 'v1') return [{ epoch: epochOf(reading.clock), time: reading.clock }];
  const candidates: { epoch: number; time: number }[] = [];
  for (let epoch = firstEpoch; epoch <= lastEpoch; epoch++) candidates.push({ epoch, time: reading.clock + epoch * epochMs });
  return candidates;
}
