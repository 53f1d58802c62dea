import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectResets, resetsExitCode, type ResetFilter } from '../../src/checks/collect-resets.ts';
import { zoneNamed, utc } from '../../src/model/zone.ts';
import { renderResets } from '../../src/report/resets.ts';
import { renderResetsJson } from '../../src/report/resets-json.ts';
import { runCli } from '../helpers/cli.ts';
import { hasRealStores, realStores, sampleData, temporaryFolder } from '../helpers/paths.ts';
import { ids, writeResetStore } from '../helpers/reset-store.ts';
import { untouched } from '../helpers/untouched.ts';

const night = join(sampleData, 'reset-night/store');
const busy = join(sampleData, 'reset-unexplained/store');
const now = Date.parse('2026-12-01T12:00:00Z');

async function textOf(store: string, zone: string, filter: ResetFilter = {}): Promise<string> {
  const { stores, errors } = await untouched(store, () => collectResets([store], { zone, now }, filter));
  return renderResets(stores, errors, zoneNamed(zone) ?? utc, { color: false, verbose: false, quiet: false, width: 80, paths: [store], onlyUnexplained: filter.unexplained ?? false });
}

type Event = { sessionId: string; at: string | null; kind: string; verdict: string; cause: string | null; boundary: string | null; archive: string | null; arithmetic: { [name: string]: unknown } };

async function eventsOf(store: string, zone: string, filter: ResetFilter = {}): Promise<Event[]> {
  const { stores, errors } = await collectResets([store], { zone, now }, filter);
  const report: { schemaVersion: number; events: Event[] } = JSON.parse(renderResetsJson(stores, errors));
  expect(report.schemaVersion).toBe(1);
  return report.events;
}

describe('resets, the night of the report', () => {
  it('in UTC: a deletion, then a daily reset that follows from it', async () => {
    const text = await textOf(night, 'UTC');
    expect(text).toMatch(/03 Jul 03:00 {2}┴ DELETED after 22 h 29 min/);
    expect(text).toMatch(/03 Jul 04:23 {2}┴ RESET after 37 min/);
    expect(text).toMatch(/······ 04:00 ·│·+ daily boundary/);
    expect(text).toMatch(/46 min without a session/);
    expect(text.replace(/\s+/g, ' ')).toContain('2 ends: 1 daily, 1 deletion, 0 unexplained. Without the deletion at 03:00:18 the session of 02 Jul would have been reset at 04:23 as usual.');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('in Berlin: the second is unexplained there, UTC would explain it, and the chat repeats', async () => {
    const text = (await textOf(night, 'Europe/Berlin')).replace(/\s+/g, ' ');
    expect(text).toContain('RESET, UNEXPLAINED in Europe/Berlin');
    expect(text).toContain('(02:00:00 UTC)');
    expect(text).toContain('UTC would explain it: 04:00 there was 03 Jul 04:00:00 UTC');
    expect(text).toContain('repeated 2 ends on the policy day of 2026-07-03');
  });

  it('as JSON', async () => {
    expect(await eventsOf(night, 'UTC')).toMatchObject([
      { at: '2026-07-03T03:00:18.412Z', kind: 'delete-archive', verdict: 'explained', cause: 'delete' },
      { at: '2026-07-03T04:23:04.118Z', kind: 'reset-archive', verdict: 'explained', cause: 'daily', boundary: '2026-07-03T04:00:00.000Z', arithmetic: { zone: 'UTC', atHour: 4, ageMinutes: 37.03 } },
    ]);
    expect(await eventsOf(night, 'Europe/Berlin')).toMatchObject([{ verdict: 'explained' }, { verdict: 'zone-mismatch', arithmetic: { boundary: '2026-07-03T02:00:00.000Z', matchingZone: 'UTC' } }]);
  });
});

describe('resets, filtered', () => {
  it.each([
    ['all', {}, 4],
    ['since', { since: Date.parse('2026-10-07T07:34:00Z') }, 3],
    ['until', { until: Date.parse('2026-10-07T07:34:00Z') }, 1],
    ['a session', { session: ids[2].slice(0, 8) }, 1],
    ['a chat', { session: 'direct:41002' }, 1],
    ['unexplained', { unexplained: true }, 2],
    ['nothing', { session: 'nobody' }, 0],
  ] as [string, ResetFilter, number][])('%s', async (_name, filter, count) => {
    expect(await eventsOf(busy, 'Europe/Berlin', filter)).toHaveLength(count);
  });
});

describe('resets, long and hostile', () => {
  it('folds ordinary ends', async () => {
    const sessions = Array.from({ length: 30 }, (_, index) => {
      const from = Date.UTC(2026, 5, 1 + index, 9);
      return { id: `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`, from: new Date(from).toISOString(), said: [new Date(from).toISOString()], ...(index < 29 ? { end: { kind: 'reset' as const, at: new Date(from + 86_398_000).toISOString() } } : {}) };
    });
    const store = writeResetStore(temporaryFolder(), [{ key: 'agent:main:telegram:direct:1', sessions }]);
    const text = await textOf(store, 'UTC');
    expect(text).toContain('29 sessions that ended as they should: 29 daily');
    expect(text.split('\n').length).toBeLessThan(12);
  });

  it('prints no control character of a key', async () => {
    const store = writeResetStore(temporaryFolder(), [{ key: 'agent:main:x\u001b[31m:direct:1', sessions: [{ id: ids[0], from: '2026-10-07T05:30:13Z', said: ['2026-10-07T05:30:11Z'], end: { kind: 'reset', at: '2026-10-07T07:34:00Z' } }, { id: ids[1], from: '2026-10-07T07:34:01Z', said: ['2026-10-07T07:33:59Z'] }] }]);
    expect(await textOf(store, 'Europe/Berlin')).not.toContain('\u001b');
  });
});

describe('resets, exit codes', () => {
  it('1 for what is unexplained, 0 otherwise, 2 for what cannot be read', async () => {
    const code = async (path: string, zone: string, failOn: 'warning' | 'error' | 'info' | 'never' = 'warning'): Promise<number> => {
      const { stores, errors } = await collectResets([path], { zone, now });
      return resetsExitCode(stores, errors, failOn);
    };
    expect(await code(busy, 'Europe/Berlin')).toBe(1);
    expect(await code(busy, 'Europe/Berlin', 'error')).toBe(0);
    expect(await code(busy, 'Europe/Berlin', 'never')).toBe(0);
    expect(await code(night, 'UTC', 'info')).toBe(0);
    expect(await code(join(busy, 'nowhere'), 'UTC')).toBe(2);
  });

  it('2 and a clear word for a zone that does not exist, a time that is none', () => {
    const zone = runCli(['resets', night, '--zone', 'Mars/Olympus']);
    expect([zone.code, zone.stdout]).toEqual([2, '']);
    expect(zone.stderr).toContain('there is no time zone Mars/Olympus');
    expect(runCli(['resets', night, '--since', 'yesterday']).code).toBe(2);
  });

  it.skipIf(!hasRealStores)('a Hermes chat (needs ../shared/real-stores)', async () => {
    const events = await eventsOf(join(realStores, 'hermes-resets/store'), 'Europe/Lisbon');
    expect(events.map((event) => `${event.verdict} ${event.cause}`)).toEqual(['explained daily', 'explained compaction', 'explained idle', 'unexplained null', 'unexplained null', 'explained daily', 'zone-mismatch daily', 'explained switch']);
  });
});
