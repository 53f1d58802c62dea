import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { timelineOf } from '../../src/checks/timeline.ts';
import type { Timeline } from '../../src/model/timeline.ts';
import { hermesStore, startSeconds } from '../helpers/hermes.ts';
import { hasRealStores, realStores, sampleData, temporaryFolder } from '../helpers/paths.ts';
import { scanUntouched } from '../helpers/untouched.ts';

const now = Date.parse('2026-12-01T12:00:00Z');

async function timelines(path: string): Promise<Timeline[]> {
  const found: Timeline[] = [];
  await scanUntouched(path, {
    onScanned(opened, findings, reader) {
      const named = new Set(findings.flatMap((finding) => [finding.session, finding.sessionKey]).filter((name) => name !== null));
      const timeline = timelineOf(opened, { zone: 'UTC', zoneGiven: true, now, version: reader.version }, named);
      if (timeline) found.push(timeline);
    },
  });
  return found;
}

/** Compactions by lane: `name: number`. */
function compactions(timeline: Timeline): { [lane: string]: number } {
  return Object.fromEntries(timeline.lanes.map((lane) => [lane.sessionKey ?? lane.session, lane.marks.filter((mark) => mark.kind === 'compaction').length] as const).filter(([, number]) => number > 0));
}

describe('the sessions of a store over time', () => {
  it('has Hermes sessions without a chat by their id, and both kinds of compaction', async () => {
    const folder = temporaryFolder();
    const store = hermesStore(folder);
    const chat = store.session({ id: 'in-chat', key: 'agent:main:telegram:dm:7' });
    const held = store.talk(chat, 'one', 4, startSeconds);
    store.compact(chat, { rule: 'E', held, tail: 2, ts: startSeconds + 600 });
    store.session({ id: 'alone' });
    store.talk('alone', 'two', 2, startSeconds + 1000);
    store.session({ id: 'ended', ended: startSeconds + 5000, reason: 'compression', started: startSeconds + 4000 });
    store.talk('ended', 'three', 2, startSeconds + 4000);
    store.session({ id: 'goes-on', parent: 'ended', started: startSeconds + 5001 });
    store.talk('goes-on', 'four', 1, startSeconds + 5001);
    store.recount();
    store.close();
    const [timeline] = await timelines(folder);
    expect(timeline?.lanes.map((lane) => lane.sessionKey ?? lane.session).sort()).toEqual(['agent:main:telegram:dm:7', 'alone', 'ended', 'goes-on']);
    expect(timeline && compactions(timeline)).toEqual({ 'agent:main:telegram:dm:7': 1, ended: 1 });
    expect(timeline?.lanes.find((lane) => lane.session === 'ended')?.segments).toEqual([{ session: 'ended', from: (startSeconds + 4000) * 1000, to: (startSeconds + 5000) * 1000, rows: 4, end: 'compaction', boundary: null }]);
    expect(timeline?.more).toBe(0);
  });

  it('keeps what findings name, then the newest, of five thousand sessions', async () => {
    const folder = temporaryFolder();
    const store = hermesStore(folder);
    store.db.exec('BEGIN');
    for (let i = 0; i < 5000; i++) {
      store.session({ id: `session-${i}`, started: startSeconds + i * 60 });
      store.message(`session-${i}`, { ts: startSeconds + i * 60 + 5 });
    }
    store.recount();
    store.db.exec(`UPDATE sessions SET message_count = 9 WHERE id = 'session-17'`);
    store.db.exec('COMMIT');
    store.close();
    const [timeline] = await timelines(folder);
    expect(timeline?.lanes.slice(0, 3).map((lane) => lane.session)).toEqual(['session-17', 'session-4999', 'session-4998']);
    expect(timeline?.lanes).toHaveLength(41);
    expect(timeline?.more).toBe(4959);
  });

  it('counts opencode sessions without messages', async () => {
    const [timeline] = await timelines(join(sampleData, 'opencode-wrap', 'store'));
    expect(timeline?.lanes.length).toBeGreaterThan(0);
    expect(timeline?.lines.map((line) => line.label)).toEqual(['ids wrap 2026-08-14 11:19 UTC']);
    expect(timeline?.untimed).toBe(0);
  });

  describe.skipIf(!hasRealStores)('of the labelled stores (skipped where they do not lie beside the project)', () => {
    it.each([
      ['hermes-compaction', 10, { 'agent:main:telegram:dm:70563': 1, 'agent:main:telegram:dm:70923': 1, '20260805_163519_9b5769': 2, '20260805_160100_5f5228': 2, '20260805_161239_3030f3': 1 }],
      ['hermes-compaction-noflag', 3, { 'agent:main:telegram:dm:70563': 1 }],
      ['openclaw-healthy', 2, { 'agent:main:main': 1 }],
      ['openclaw-sqlite-healthy', 2, { 'agent:main:main': 1 }],
    ])('%s has %i lanes with their compactions', async (name, lanes, wanted) => {
      const [timeline] = await timelines(join(realStores, name, 'store'));
      expect(timeline?.lanes).toHaveLength(lanes);
      expect(timeline && compactions(timeline)).toEqual(wanted);
    });

    it('opencode-healthy has its compaction at the row that carries it', async () => {
      const [timeline] = await timelines(join(realStores, 'opencode-healthy', 'store'));
      expect(Object.values(timeline ? compactions(timeline) : {})).toEqual([1, 1]);
    });
  });
});
