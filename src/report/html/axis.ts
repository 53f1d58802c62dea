import { DateTime, type DateTimeUnit } from 'luxon';

/** A line of a time axis: ms, and what is written at it. */
export type Tick = { at: number; label: string };

type Step = { unit: DateTimeUnit; amount: number; ms: number };

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const sizes = { second, minute, hour, day, month: 30 * day, year: 365 * day } as const;

const steps: readonly Step[] = [
  ...of('second', [1, 2, 5, 10, 15, 30]),
  ...of('minute', [1, 2, 5, 10, 15, 30]),
  ...of('hour', [1, 2, 3, 6, 12]),
  ...of('day', [1, 2, 4, 7, 14]),
  ...of('month', [1, 2, 3, 6]),
  ...of('year', [1, 2, 5, 10, 20, 50, 100]),
];

function of(unit: keyof typeof sizes, amounts: readonly number[]): Step[] {
  return amounts.map((amount) => ({ unit, amount, ms: amount * sizes[unit] }));
}

/**
 * Round local times between two instants (ms), at most `most` of them and on one day no two with the same words: seconds, hours or
 * days, whatever fits. The date stands at the first one and where the day (or, between days, the year) changes.
 */
export function ticksOf(from: number, to: number, zone: string, most: number): Tick[] {
  const step = steps.find((one) => (to - from) / one.ms <= most - 1) ?? steps.at(-1);
  if (step === undefined || !(to > from)) return [];
  const ticks: Tick[] = [];
  const saidToday = new Set<string>();
  let before: DateTime | null = null;
  for (const moment of roundTimes(from, to, step, zone)) {
    if (ticks.length === most) break;
    const newDay: boolean = before === null || !before.hasSame(moment, 'day');
    const newYear: boolean = before === null || !before.hasSame(moment, 'year');
    const label = moment.setLocale('en-GB').toFormat(formatOf(step.unit, newDay, newYear));
    if (newDay) saidToday.clear();
    // The hour that a change of clocks repeats is drawn once.
    if (!saidToday.has(label)) ticks.push({ at: moment.toMillis(), label });
    saidToday.add(label);
    before = moment;
  }
  return ticks;
}

function formatOf(unit: DateTimeUnit, newDay: boolean, newYear: boolean): string {
  switch (unit) {
    case 'second':
      return newDay ? 'd LLL HH:mm:ss' : 'HH:mm:ss';
    case 'minute':
    case 'hour':
      return newDay ? 'd LLL HH:mm' : 'HH:mm';
    case 'day':
      return newYear ? 'd LLL yyyy' : 'd LLL';
    case 'year':
      return 'yyyy';
    default:
      return 'LLL yyyy';
  }
}

/** Multiples of a step that are round on the clock of the zone. */
function* roundTimes(from: number, to: number, { unit, amount }: Step, zone: string): Iterable<DateTime> {
  const begin = DateTime.fromMillis(from, { zone });
  if (unit === 'hour') {
    for (let days = begin.startOf('day'); days.toMillis() <= to; days = days.plus({ days: 1 })) {
      for (let hours = 0; hours < 24; hours += amount) {
        const moment = days.set({ hour: hours });
        if (moment.toMillis() >= from && moment.toMillis() <= to) yield moment;
      }
    }
    return;
  }
  const wider: { [of: string]: DateTimeUnit } = { second: 'minute', minute: 'hour', day: 'day', month: 'year', year: 'year' };
  let moment = begin.startOf(wider[unit] ?? 'day');
  if (unit === 'year') moment = moment.set({ year: Math.floor(moment.year / amount) * amount });
  for (; moment.toMillis() <= to; moment = moment.plus({ [unit]: amount })) {
    if (moment.toMillis() >= from) yield moment;
  }
}
