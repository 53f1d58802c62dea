import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectWraps } from '../../src/checks/collect-wraps.ts';
import type { WrapStore } from '../../src/model/wrap.ts';
import { renderWraps, renderWrapsJson } from '../../src/report/wraps.ts';
import { buildStore, day, hour, v1, v2, wrap, type StoreBuilder } from '../helpers/opencode-store.ts';
import { runCli } from '../helpers/cli.ts';
import { hasRealStores, realStores, sampleData, temporaryFolder } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';

const now = Date.parse('2026-12-01T12:00:00Z');
const text = { color: false, verbose: false, quiet: false, width: 80, paths: ['store'] };
const ses = (created: number): string => v1(created, 1, 'ses');

async function wrapsOf(product: 'opencode' | 'mimocode', fill: (store: StoreBuilder) => void, version?: string): Promise<WrapStore> {
  const folder = temporaryFolder();
  const store = buildStore(join(folder, `${product}.db`), product, version);
  fill(store);
  store.close();
  const result = await untouched(folder, () => collectWraps([folder], { now }));
  expect(result.errors).toEqual([]);
  expect(result.stores).toHaveLength(1);
  return result.stores[0]!;
}

function mixed(store: StoreBuilder): void {
  store.talk(store.session(wrap - 9 * day), wrap - 9 * day, 2);
  const wedged = store.session(wrap - day);
  store.talk(wedged, wrap - day, 3);
  store.user(wedged, wrap + hour);
  store.talk(store.session(wrap + day), wrap + day, 1);
  const imported = store.session(wrap + 40 * day);
  for (const [index, time] of [wrap - day, wrap + day].entries()) store.user(imported, time, { id: v1(wrap + 40 * day, index + 1) });
}

describe('wraps', () => {
  it('tells a session whose next prompt would be asked again and again', async () => {
    const store = await wrapsOf('opencode', (builder) => {
      const open = builder.session(wrap - 9 * day);
      builder.talk(open, wrap - 9 * day, 2);
      builder.user(open, wrap - 8 * day);
      builder.talk(builder.session(wrap - 5 * day), wrap - 5 * day, 2);
    });
    expect(store.rows.map((row) => [row.session, row.state])).toEqual([
      [ses(wrap - 5 * day), 'silent-next'],
      [ses(wrap - 9 * day), 'repeats-next'],
    ]);
    expect(store.hit).toBe(2);
  });

  it('lists what touches a boundary, worst first, with the counts on both sides', async () => {
    const store = await wrapsOf('opencode', mixed);
    expect(store).toMatchObject({ order: 'id', mints: 'v1', sessions: 4, hit: 2, boundary: wrap, nextBoundary: Date.parse('2028-10-17T20:04:31.872Z') });
    expect(store.rows.map(({ session, before, after, state, unanswered, unansweredSince }) => ({ session, before, after, state, unanswered, unansweredSince }))).toEqual([
      { session: ses(wrap - day), before: 6, after: 1, state: 'wedged', unanswered: 1, unansweredSince: wrap + hour },
      { session: ses(wrap - 9 * day), before: 4, after: 0, state: 'silent-next', unanswered: 0, unansweredSince: null },
      { session: ses(wrap + 40 * day), before: 1, after: 1, state: 'in-order', unanswered: 2, unansweredSince: wrap - day },
    ]);
  });

  it('counts no session as hit for a reader that orders by time', async () => {
    const store = await wrapsOf('opencode', mixed, '1.18.31');
    expect(store).toMatchObject({ order: 'time', hit: 0 });
    expect(store.rows.map((row) => row.state)).toEqual(['in-order', 'in-order']);
  });

  it('names the formats of a MiMo-Code session and does not fear its next prompt', async () => {
    const store = await wrapsOf('mimocode', (builder) => {
      const session = builder.session(wrap - day);
      builder.talk(session, wrap - day, 1);
      builder.user(session, wrap + hour);
      const prompt = builder.user(session, wrap + 30 * day, { id: v2(wrap + 30 * day) });
      builder.assistant(session, wrap + 30 * day + 5, prompt, { id: v2(wrap + 30 * day + 5) });
      builder.talk(builder.session(wrap - 9 * day), wrap - 9 * day, 1);
    });
    expect(store).toMatchObject({ mints: 'v2', hit: 1, rows: [{ state: 'out-of-order', formats: ['v1', 'v2'], before: 2, after: 3 }] });
  });

  it('prints totals and the next step, stays in 80 columns, and says nothing of a healthy store with --quiet', async () => {
    const result = await collectWraps([join(sampleData, 'opencode-wrap/store')], { now });
    const lines = renderWraps(result, text).split('\n');
    expect(lines.filter((line) => line.includes('WEDGED'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('ARMED UNDO'))).toHaveLength(1);
    expect(lines.some((line) => line.startsWith('4 of 7 sessions'))).toBe(true);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const healthy = { stores: [{ ...result.stores[0]!, hit: 0, rows: [] }], errors: [] };
    expect(renderWraps(healthy, { ...text, quiet: true })).toBe('');
  });

  it('escapes what could move the cursor', async () => {
    const result = await collectWraps([join(sampleData, 'opencode-wrap/store')], { now });
    const hostile = { ...result, stores: result.stores.map((store) => ({ ...store, rows: store.rows.map((row) => ({ ...row, session: '\u001b[2J\u0007x' })) })) };
    expect(renderWraps(hostile, text)).not.toMatch(/[\u0007\u001b]/);
    expect(renderWrapsJson(hostile)).not.toMatch(/[\u0007\u001b]/);
  });

  it('is a command with JSON of its own, and exit code 2 for what cannot be read', () => {
    const run = runCli(['wraps', join(sampleData, 'opencode-wrap/store'), '--json', '--now', '2026-12-01T12:00:00Z']);
    const document = JSON.parse(run.stdout);
    expect(run.code).toBe(0);
    expect(document).toMatchObject({ schemaVersion: 1, totals: [{ reader: 'opencode@1.18.14', sessions: 7, hit: 4, wedged: 1, share: 0.5714, nextBoundary: '2028-10-17T20:04:31.872Z' }] });
    expect(document.wraps).toHaveLength(4);
    expect(runCli(['wraps', join(sampleData, 'opencode-truncated/store'), '--json']).code).toBe(2);
  });

  it.skipIf(!hasRealStores)('says of the labelled store what its screen shows (skipped without ../shared/real-stores)', async () => {
    const result = await collectWraps([join(realStores, 'opencode-wedged/store')], { now });
    expect(result.stores[0]?.rows.map(({ before, after, state, unanswered }) => [before, after, state, unanswered])).toEqual([
      [11, 2, 'wedged', 2],
      [6, 4, 'silent-next', 0],
      [8, 0, 'silent-next', 0],
    ]);
    expect(renderWraps(result, text)).toContain('WEDGED  2 prompts unanswered');
  });
});
