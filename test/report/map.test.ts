import { describe, expect, it } from 'vitest';
import type { Timeline, TimelineLane, TimelineMark } from '../../src/model/timeline.ts';
import { ticksOf } from '../../src/report/html/axis.ts';
import { mapFigure, mapGaps, mapLegend } from '../../src/report/html/map.ts';
import { mapTable } from '../../src/report/html/map-table.ts';

const hour = 3_600_000;
const start = Date.parse('2026-07-02T18:00:00Z');

function lane(number: number, marks: TimelineMark[] = [], segments = 1): TimelineLane {
  return {
    sessionKey: null,
    session: `session-${number}`,
    segments: Array.from({ length: segments }, (_, i) => ({ session: `session-${number}-${i}`, from: start + i * 24 * hour, to: start + i * 24 * hour + hour / 2, rows: 3, end: 'reset' as const, boundary: null })),
    marks,
  };
}

function timeline(lanes: TimelineLane[], more = 0, untimed = 0): Timeline {
  return { store: 's', lanes, lines: [], more, untimed };
}

describe('the axis of a map', () => {
  it.each([
    ['a minute', 60_000, 'UTC', ['2 Jul 18:00:00', '18:00:15', '18:00:30', '18:00:45', '18:01:00']],
    ['two minutes', 120_000, 'UTC', ['2 Jul 18:00:00', '18:00:30', '18:01:00', '18:01:30', '18:02:00']],
    ['a night over midnight', 10 * hour, 'UTC', ['2 Jul 18:00', '20:00', '22:00', '3 Jul 00:00', '02:00', '04:00']],
    ['round on the local clock', 12 * hour, 'Asia/Kolkata', ['3 Jul 00:00', '03:00', '06:00', '09:00']],
    ['days', 5 * 24 * hour, 'UTC', ['3 Jul 2026', '4 Jul', '5 Jul', '6 Jul', '7 Jul']],
    ['years', 3 * 365 * 24 * hour, 'UTC', ['2027', '2028', '2029']],
  ])('has round times for %s', (_name, span, zone, labels) => {
    expect(ticksOf(start, start + span, zone, 6).map((tick) => tick.label)).toEqual(labels);
  });

  it('never says the same twice, whatever the span, also over a change of clocks', () => {
    const change = Date.parse('2026-10-24T20:00:00Z');
    for (let span = 1000; span < 100 * 365 * 24 * hour; span = Math.ceil(span * 1.37)) {
      const ticks = ticksOf(change, change + span, 'Europe/Berlin', 6);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(6);
      const dated = ticks.reduce<string[]>((all, { label }) => [...all, / \w{3} \d\d:/.test(label) ? label : `${/^\d+ \w{3}(?= )/.exec(all.at(-1) ?? '')?.[0] ?? ''} ${label}`], []);
      expect(new Set(dated).size).toBe(dated.length);
      expect(ticks.map((tick) => tick.at)).toEqual(ticks.map((tick) => tick.at).toSorted((a, b) => a - b));
    }
  });

  it('gives nothing for no span and for times that no clock has', () => {
    expect(ticksOf(5, 5, 'UTC', 6)).toEqual([]);
    expect(ticksOf(9e15, 9.1e15, 'UTC', 6)).toEqual([]);
  });
});

describe('the map of a report', () => {
  it('draws forty lanes and counts the others', () => {
    const many = timeline(Array.from({ length: 240 }, (_, i) => lane(i)), 4760);
    const map = mapFigure(many, 'state.db', 'UTC') ?? '';
    expect(map.match(/<rect/g)).toHaveLength(40);
    expect(map).toContain('40 of 5000 chats and sessions');
    expect(mapGaps(many)).toEqual([expect.stringMatching(/^And 4960 more, not drawn/)]);
    expect(mapTable(many, 'UTC').match(/<tr>/g)).toHaveLength(41);
  });

  it('says how many have no time', () => {
    expect(mapGaps(timeline([lane(1)], 0, 3))).toEqual([expect.stringMatching(/^3 chats or sessions without a dated message/)]);
    expect(mapGaps(timeline([lane(1)]))).toEqual([]);
  });

  it('stays small for ten years of daily resets and thousands of compactions, each counted', () => {
    const busy = lane(1, Array.from({ length: 5000 }, (_, i) => ({ at: start + i * 17 * hour, kind: 'compaction' as const, label: 'compaction' })), 3650);
    const map = mapFigure(timeline([busy]), 'state.db', 'UTC') ?? '';
    expect(map.length).toBeLessThan(60_000);
    const sessions = [...map.matchAll(/<rect[^>]*class="old"><title>(?:(\d+) sessions, )?/g)].map((match) => Number(match[1] ?? 1));
    expect(sessions.reduce((sum, number) => sum + number, 0)).toBe(3650);
    const compactions = [...map.matchAll(/class="compaction"><title>(?:(\d+): )?compaction/g)].map((match) => Number(match[1] ?? 1));
    expect(compactions.reduce((sum, number) => sum + number, 0)).toBe(5000);
  });

  it('tells a watermark that hides from one that only older builds would honour', () => {
    const kinds = (kind: 'horizon' | 'old-horizon'): string[] => mapLegend(timeline([lane(1, [{ at: start, kind, label: 'hidden before this' }])])).map(([sign]) => sign);
    expect(kinds('horizon')).toEqual(['old', 'mark']);
    expect(kinds('old-horizon')).toEqual(['old', 'mark faint']);
  });
});
