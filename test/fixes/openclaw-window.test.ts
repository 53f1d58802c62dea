import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { makePlan, rescanAs } from '../../src/commands/planning.ts';
import { applyPlan } from '../../src/journal/apply.ts';
import { activeBranch } from '../../src/readers/openclaw/branch.ts';
import { discover, openStore } from '../../src/stores/discover.ts';
import { rewriteWindow, withBrokenParent, withMisplacedAppend, withoutResults, type EventRecord } from '../helpers/agent-damage.ts';
import { talk, writeAgentDatabase, type WindowRecord } from '../helpers/agent-database.ts';
import { copyOf, hasRealStores, realStores, sampleData, temporaryFolder } from '../helpers/paths.ts';
import { expectRepairCycle } from '../helpers/repair.ts';
import { rawZstd } from '../helpers/zstd.ts';

const session = '11111111-2222-4333-8444-555555555555';
const sessionKey = 'agent:main:telegram:direct:1';
const start = Date.parse('2026-09-10T08:00:00Z');
const iso = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();
const row = (id: string, parentId: string | null, minutes: number, message: object): EventRecord => ({ type: 'message', id, parentId, timestamp: iso(minutes), message: { timestamp: start + minutes * 60_000, ...message } });
const user = (id: string, parentId: string | null, minutes: number, content = 'x'): EventRecord => row(id, parentId, minutes, { role: 'user', content });
const reply = (id: string, parentId: string | null, minutes: number): EventRecord => row(id, parentId, minutes, { role: 'assistant', content: [{ type: 'text', text: 'y' }], stopReason: 'stop' });
const calls = (id: string, parentId: string | null, minutes: number, ...ids: string[]): EventRecord => row(id, parentId, minutes, { role: 'assistant', content: ids.map((call) => ({ type: 'toolCall', id: call, name: 'exec', arguments: {} })), stopReason: 'toolUse' });
const result = (id: string, parentId: string | null, minutes: number, call: string): EventRecord => row(id, parentId, minutes, { role: 'toolResult', toolCallId: call, toolName: 'exec', content: [], isError: false });
const header = talk(session, start, 0)[0] ?? {};

function store(windows: Partial<WindowRecord>[], change: (db: Database.Database) => void = () => {}, agent = 'main'): string {
  const root = temporaryFolder();
  writeAgentDatabase(databaseOf(root, agent), windows.map((window) => ({ sessionId: session, sessionKey, createdAt: start, events: [], ...window })), change);
  return root;
}

const databaseOf = (root: string, agent = 'main'): string => join(root, `agents/${agent}/agent/openclaw-agent.sqlite`);

function query<T>(root: string, sql: string, agent = 'main'): T[] {
  const db = new Database(join(copyOf(root), `agents/${agent}/agent/openclaw-agent.sqlite`));
  const rows = db.prepare(sql).raw().all() as T[];
  db.close();
  return rows;
}

/** Events as `seq id parent`, with what the list of identities says where it differs. */
function events(root: string, sessionId = session): string[] {
  return query<[number, string, string | null, number | null, string | null]>(
    root,
    `SELECT e.seq, e.event_json ->> 'id', e.event_json ->> 'parentId', i.seq, i.parent_id FROM transcript_events e LEFT JOIN transcript_event_identities i ON i.session_id = e.session_id AND i.event_id = e.event_json ->> 'id' WHERE e.session_id = '${sessionId}' AND e.seq > 0 ORDER BY e.seq`,
  ).map(([seq, id, parent, identitySeq, identityParent]) => `${seq} ${id} ${parent}${identitySeq === seq && identityParent === parent ? '' : ` but ${identitySeq} ${identityParent}`}`);
}

/** The rows that the product has listed as the active branch, what it says of that list, and the branch as the reader's model walks it. */
async function lists(root: string, sessionId = session): Promise<{ listed: number[]; messages: (number | null)[]; state: unknown; walked: number[] }> {
  const listed = query<[number, number | null]>(root, `SELECT event_seq, message_position FROM session_transcript_active_events WHERE session_id = '${sessionId}' ORDER BY active_position`);
  const [state] = query<unknown[]>(root, `SELECT needs_rebuild, indexed_seq, active_event_count, active_message_count FROM session_transcript_index_state WHERE session_id = '${sessionId}'`);
  const ref = discover([root]).stores.find((one) => one.layout === 'sqlite');
  if (!ref) throw new Error('no database');
  const opened = await openStore(ref, { snapshotDir: null, inPlace: false, deep: false, now: start });
  if (opened.product !== 'openclaw') throw new Error('another product');
  let walked: number[] = [];
  for (const digest of opened.snapshot.digests()) if (digest.file.kind === 'window' && digest.sessionId === sessionId) walked = activeBranch(digest, { reattaches: false }).rows.map((at) => (digest.rows.line[at] ?? 0) - 1);
  opened.snapshot.close();
  return { listed: listed.map(([seq]) => seq), messages: listed.map(([, message]) => message), state, walked };
}

const token = (root: string): unknown => query<[string]>(root, 'SELECT generation FROM transcript_rewrite_watermarks')[0]?.[0];
const oldToken = '0123456789abcdef0123456789abcdef';

describe('reparent-entry in a database', () => {
  const broken = [header, user('a', null, 1), reply('b', 'a', 2), user('c', 'gone', 3), reply('d', 'c', 4)];
  it('links a row whose parent is missing and leaves a list that shows it already', async () => {
    const [step] = await expectRepairCycle(store([{ events: broken, active: [1, 2, 3, 4] }]), {
      check: 'transcript/broken-parent',
      allow: 'judgement',
      async repaired(root) {
        expect(events(root)).toEqual(['1 a null', '2 b a', '3 c b', '4 d c']);
        expect(await lists(root)).toEqual({ listed: [1, 2, 3, 4], messages: [0, 1, 2, 3], state: [0, 4, 4, 4], walked: [1, 2, 3, 4] });
        expect(token(root)).not.toBe(oldToken);
      },
    });
    expect(step).toMatchObject({ fix: 'reparent-entry', class: 'judgement' });
  });

  it.each<[string, Partial<WindowRecord>, (db: Database.Database) => void, object]>([
    ['that lacks the rows before the gap gets them', { active: [3, 4] }, () => {}, { state: [0, 4, 4, 4], listed: [1, 2, 3, 4], messages: [0, 1, 2, 3] }],
    ['that was marked to be made anew stays so', { active: [3, 4] }, (db) => void db.exec('UPDATE session_transcript_index_state SET needs_rebuild = 1'), { state: [1, 4, 2, 2], listed: [3, 4] }],
    ['that is behind the events stays so', { active: [3, 4] }, (db) => void db.exec('UPDATE session_transcript_index_state SET indexed_seq = 3'), { state: [0, 3, 2, 2], listed: [3, 4] }],
    ['that was never made is not made', {}, () => {}, { state: undefined, listed: [] }],
  ])('a list %s', async (_name, window, change, left) => {
    await expectRepairCycle(store([{ events: broken, ...window }], change), { check: 'transcript/broken-parent', allow: 'judgement', repaired: async (root) => expect(await lists(root)).toMatchObject(left) });
  });

  it('a list that has other rows than the transcript is left to the gateway, and the plan says so', async () => {
    const { plan } = await makePlan([store([{ events: [...broken, user('other', 'a', 5), user('e', 'd', 6)], active: [1, 2, 3, 4, 5, 6] }])], { zone: 'UTC' }, []);
    expect([plan.steps.length, plan.left.find((left) => left.checkId === 'transcript/broken-parent')?.alternatives.join()]).toEqual([0, expect.stringContaining('start the OpenClaw gateway')]);
  });

  it('links messages beside a reset behind it, each to the one before', async () => {
    const beside = [header, user('a', null, 1), reply('b', 'a', 2), { type: 'reset', id: 'r', parentId: 'b', timestamp: iso(3), reason: 'daily' }, user('c', 'b', 3.01), reply('d', 'c', 3.02), user('e', 'b', 3.03)];
    const [step] = await expectRepairCycle(store([{ events: beside, active: [1, 2, 3, 4, 5, 6] }]), {
      check: 'transcript/misplaced-append',
      allow: 'judgement',
      async repaired(root) {
        expect(events(root)).toEqual(['1 a null', '2 b a', '3 r b', '4 c r', '5 d c', '6 e d']);
        expect(await lists(root)).toMatchObject({ state: [0, 6, 6, 5], walked: [1, 2, 3, 4, 5, 6] });
      },
    });
    expect(step?.fix).toBe('reparent-entry');
  });

  it('writes a compressed event as text, with its length', async () => {
    const packed = broken.map((event) => (event['id'] === 'c' ? { ...event, message: { role: 'user', content: 'ö'.repeat(2000), timestamp: start } } : event));
    const root = store([{ events: packed, active: [1, 2, 3, 4] }], (db) => {
      const json = db.prepare('SELECT event_json FROM transcript_events WHERE seq = 3').pluck().get() as string;
      db.prepare("UPDATE transcript_events SET event_json = NULL, event_zstd = ?, event_utf8_bytes = ?, navigation_json = '{}' WHERE seq = 3").run(rawZstd(Buffer.from(json)), Buffer.byteLength(json));
    });
    const [step] = await expectRepairCycle(root, {
      check: 'transcript/broken-parent',
      allow: 'judgement',
      repaired(copy) {
        expect(events(copy)[2]).toBe('3 c b');
        expect(query(copy, 'SELECT event_zstd, navigation_json, event_utf8_bytes = length(CAST(event_json AS BLOB)), instr(event_json, \'öö\') > 0 FROM transcript_events WHERE seq = 3')).toEqual([[null, null, 1, 1]]);
      },
    });
    expect(step?.fix).toBe('reparent-entry');
  });

  it('links two gaps of one window in two steps that do not wait for each other, whatever the agent is called', async () => {
    const twice = [...broken, user('e', 'lost', 5), reply('f', 'e', 6)];
    const steps = await expectRepairCycle(store([{ events: twice, active: [1, 2, 3, 4, 5, 6] }], () => {}, 'side'), { check: 'transcript/broken-parent', allow: 'judgement' });
    expect(steps.map((step) => step.target)).toEqual([`${session} gone`, `${session} lost`]);
  });
});

describe('abort-unanswered-call in a database', () => {
  const open = [header, user('a', null, 1), calls('b', 'a', 2, 'k1', 'k2', 'k3'), result('k', 'b', 2.1, 'k2'), user('c', 'k', 3), calls('d', 'c', 4, 'k4'), user('side', 'b', 4.5), user('e', 'd', 5), reply('f', 'e', 6)];
  const answered = (root: string): unknown[] => query(root, "SELECT e.seq, e.event_json ->> '$.message.toolCallId', e.event_json ->> '$.message.isError', e.created_at, e.event_utf8_bytes = length(e.event_json) FROM transcript_events e WHERE e.event_json ->> '$.message.role' = 'toolResult' ORDER BY e.seq");

  it('writes results between the rows, numbers the others on, and keeps the list of the active branch true', async () => {
    const [step] = await expectRepairCycle(store([{ events: open, active: [1, 2, 3, 4, 5, 7, 8] }]), {
      check: 'tool/unanswered-call',
      allow: 'judgement',
      async repaired(root) {
        const rows = events(root).map((line) => line.split(' '));
        const parents = new Map(rows.map(([, id, parent]) => [id, parent]));
        expect(rows.map(([, id]) => id)).toEqual(['a', 'b', expect.any(String), expect.any(String), 'k', 'c', 'd', expect.any(String), 'side', 'e', 'f']);
        expect(rows.every((line) => line.length === 3)).toBe(true);
        expect([parents.get('k'), parents.get('e'), parents.get('side')]).toEqual([rows[3]?.[1], rows[7]?.[1], 'b']);
        expect(answered(root)).toEqual([[3, 'k1', 1, start + 120_000, 1], [4, 'k3', 1, start + 120_000, 1], [5, 'k2', 0, start + 126_000, null], [8, 'k4', 1, start + 240_000, 1]]);
        const list = [1, 2, 3, 4, 5, 6, 7, 8, 10, 11];
        expect(await lists(root)).toEqual({ listed: list, messages: list.map((_, position) => position), state: [0, 11, 10, 10], walked: list });
        expect(token(root)).not.toBe(oldToken);
      },
    });
    expect(step?.fix).toBe('abort-unanswered-call');
  });

  it.each<[string, number[] | undefined]>([
    ['that is marked to be made anew', [1, 2, 7, 8]],
    ['that was never made', undefined],
  ])('a list %s goes on naming the same events', async (_name, active) => {
    const root = store([{ events: open, ...(active ? { active } : {}) }], (db) => void db.exec('UPDATE session_transcript_index_state SET needs_rebuild = 1'));
    const named = (copy: string): string[] => query<[string]>(copy, "SELECT i.event_id FROM session_transcript_active_events a JOIN transcript_event_identities i ON i.session_id = a.session_id AND i.seq = a.event_seq ORDER BY a.active_position").map(([id]) => id);
    const before = named(root);
    const [step] = await expectRepairCycle(root, {
      check: 'tool/unanswered-call',
      allow: 'judgement',
      async repaired(copy) {
        expect(named(copy).filter((id) => open.some((event) => event['id'] === id))).toEqual(before);
        expect(query<[number]>(copy, 'SELECT needs_rebuild FROM session_transcript_index_state')).toEqual(active ? [[1]] : []);
      },
    });
    expect(step?.fix).toBe('abort-unanswered-call');
  });

  it.each<[string, (db: Database.Database) => void]>([
    ['whose numbers have gaps', (db) => void db.exec('UPDATE transcript_events SET seq = 90 WHERE seq = 8; UPDATE transcript_event_identities SET seq = 90 WHERE seq = 8')],
  ])('a window %s is left, and the plan says why', async (_name, change) => {
    const { plan } = await makePlan([store([{ events: open }], change)], { zone: 'UTC' }, []);
    expect(plan.steps.filter((step) => step.fix === 'abort-unanswered-call')).toEqual([]);
    expect(plan.left.find((left) => left.checkId === 'tool/unanswered-call')?.reason).toContain('numbers are missing');
  });

  it('works on the tables of schema 8 to 13 as well', async () => {
    const root = store([{ events: open, active: [1, 2, 3, 4, 5, 7, 8] }], (db) => {
      for (const table of ['session_transcript_active_events', 'transcript_rewrite_watermarks']) db.exec(`DROP TABLE ${table}`);
      for (const column of ['active_event_count', 'active_message_count']) db.exec(`ALTER TABLE session_transcript_index_state DROP COLUMN ${column}`);
      for (const column of ['event_zstd', 'event_utf8_bytes', 'navigation_json']) db.exec(`ALTER TABLE transcript_events DROP COLUMN ${column}`);
      db.exec('ALTER TABLE session_windows RENAME TO sessions; ALTER TABLE session_nodes RENAME TO session_entries; ALTER TABLE session_entries RENAME COLUMN current_session_id TO session_id');
      db.exec('CREATE TABLE session_routes (session_key TEXT PRIMARY KEY, session_id TEXT NOT NULL); INSERT INTO session_routes SELECT session_key, session_id FROM sessions; ALTER TABLE sessions DROP COLUMN session_key');
      db.exec('UPDATE schema_meta SET schema_version = 9');
      db.pragma('user_version = 9');
    });
    await expectRepairCycle(root, {
      check: 'tool/unanswered-call',
      allow: 'judgement',
      repaired: (copy) => expect(query(copy, 'SELECT needs_rebuild, indexed_seq FROM session_transcript_index_state')).toEqual([[0, 11]]),
    });
  });
});

describe('both in one window', () => {
  it('are done in one go: results behind calls, and a gap right behind them', async () => {
    const rows = [header, user('a', null, 1), calls('b', 'a', 2, 'k1'), user('c', 'b', 3), calls('d', 'c', 4, 'k2', 'k3'), reply('e', 'd', 5), user('f', 'gone', 6), reply('g', 'f', 7)];
    const root = store([{ events: rows, active: [1, 2, 3, 4, 5, 6, 7] }]);
    const steps = await expectRepairCycle(root, { check: 'tool/unanswered-call', allow: 'judgement' });
    expect(steps.map((step) => step.fix)).toEqual(['abort-unanswered-call']);
    const { plan } = await makePlan([root], { zone: 'UTC', now: start + 86_400_000 }, []);
    expect(plan.steps.map((step) => step.fix).sort()).toEqual(['abort-unanswered-call', 'reparent-entry']);
    const state = temporaryFolder();
    process.env.XDG_STATE_HOME = state;
    const applied = await applyPlan(plan, JSON.stringify(plan), { journals: join(state, 'journals'), allowJudgement: true, steps: null, dryRun: false, waitMs: 0 }, rescanAs(plan.scan, undefined));
    expect(applied.rolledBack).toBeNull();
    const list = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    expect(await lists(root)).toEqual({ listed: list, messages: list.map((_, position) => position), state: [0, 10, 10, 10], walked: list });
  });
});

describe('clear-stuck-status in a database', () => {
  const entry = { status: 'running', startedAt: start, sessionStartedAt: start };
  const marks = "SELECT n.entry_json ->> 'status', n.status, w.status, n.entry_valid, n.updated_at = w.updated_at FROM session_nodes n JOIN session_windows w ON w.session_id = n.current_session_id";
  it.each<[string, string, unknown[]]>([
    ['everywhere', "UPDATE session_nodes SET status = 'running'; UPDATE session_windows SET status = 'running'", ['killed', 'killed', 'killed', 1, 1]],
    ['in the entry alone', '', ['killed', null, null, 1, 1]],
    ['in the column alone', `UPDATE session_nodes SET entry_json = json_remove(entry_json, '$.status'), status = 'running', entry_valid = 1`, [null, 'killed', null, 1, 1]],
    ['with a window that has ended', "UPDATE session_nodes SET status = 'running'; UPDATE session_windows SET status = 'done'", ['killed', 'killed', 'done', 1, 1]],
  ])('running %s', async (_name, sql, after) => {
    // The product's own trigger: whoever edits an entry makes it doubtful.
    const trigger = 'CREATE TRIGGER doubt AFTER UPDATE OF entry_json ON session_nodes BEGIN UPDATE session_nodes SET entry_valid = 0 WHERE session_key = NEW.session_key; END';
    const root = store([{ events: talk(session, start, 4), entry }], (db) => void db.exec(`${sql}; ${trigger}`));
    await expectRepairCycle(root, { check: 'index/stuck-running', allow: 'judgement', repaired: (copy) => expect(query(copy, marks)).toEqual([after]) });
  });
});

describe.skipIf(!hasRealStores)('damaged copies of databases that the product made', () => {
  const withReset = '749e2135-3de3-483c-a5b8-d1b53370b648';
  const withCalls = 'd8340091-5736-4a4b-84f5-a0ccf9e32913';
  const original = join(realStores, 'openclaw-sqlite/store');
  const damaged = (sessionId: string, change: (all: EventRecord[]) => EventRecord[], list?: 'marked'): string => {
    const root = copyOf(original);
    rewriteWindow(databaseOf(root), sessionId, change, list ? { list } : {});
    return root;
  };
  it.each<[string, string, string, (all: EventRecord[]) => EventRecord[], 'marked' | undefined]>([
    ['a missing parent', 'transcript/broken-parent', withReset, withBrokenParent(20), undefined],
    ['a message beside the reset', 'transcript/misplaced-append', withReset, withMisplacedAppend, undefined],
    ['calls without results', 'tool/unanswered-call', withCalls, withoutResults, undefined],
    ['calls without results, the list already marked', 'tool/unanswered-call', withCalls, withoutResults, 'marked'],
  ])('%s', async (_name, check, sessionId, change, list) => {
    const [step] = await expectRepairCycle(damaged(sessionId, change, list), {
      check,
      allow: 'judgement',
      async repaired(root) {
        const { listed, walked, state } = await lists(root, sessionId);
        expect(walked.length).toBeGreaterThan(10);
        expect((state as number[])[0] === 1 || listed.join() === walked.join()).toBe(true);
        expect(query(root, "SELECT count(*) FROM session_nodes WHERE entry_valid <> 1")).toEqual([[0]]);
      },
    });
    expect(step?.findings.map((finding) => finding.checkId)).toEqual([check]);
  });

  it('a run that never ended', async () => {
    const root = copyOf(original);
    const db = new Database(databaseOf(root));
    db.exec("UPDATE session_nodes SET entry_json = json_set(entry_json, '$.status', 'running'), status = 'running' WHERE current_session_id = 'd8340091-5736-4a4b-84f5-a0ccf9e32913'; UPDATE session_nodes SET entry_valid = 1; UPDATE session_windows SET status = 'running' WHERE session_id = 'd8340091-5736-4a4b-84f5-a0ccf9e32913'");
    db.close();
    await expectRepairCycle(root, { check: 'index/stuck-running', allow: 'judgement', repaired: (copy) => expect(query(copy, "SELECT count(*) FROM session_nodes WHERE entry_valid <> 1 OR status = 'running'")).toEqual([[0]]) });
  });
});

describe('sample stores', () => {
  it.each<[string, string, string[]]>([
    ['openclaw-database', 'transcript/broken-parent', ['reparent-entry', 'reparent-entry', 'reparent-entry']],
    ['openclaw-database', 'transcript/misplaced-append', ['reparent-entry']],
    ['openclaw-database', 'tool/unanswered-call', ['abort-unanswered-call']],
    ['openclaw-database', 'index/stuck-running', ['clear-stuck-status']],
    ['openclaw-database', 'lock/stale', ['remove-stale-lock']],
    ['openclaw-migrated', 'transcript/misplaced-append', ['reparent-entry']],
  ])('%s: %s', async (name, check, fixes) => {
    const steps = await expectRepairCycle(join(sampleData, name, 'store'), { check, ...(check === 'lock/stale' ? {} : { allow: 'judgement' }) });
    expect(steps.map((step) => step.fix)).toEqual(fixes);
  });
});

describe('one entry of a database with two faults', () => {
  const mark = { sessionId: 'ffffffff-2222-4333-8444-555555555555', messageId: '9', timestampMs: start, updatedAt: start };
  const root = (): string => store([{ events: talk(session, start, 4), entry: { status: 'running', startedAt: start, ambientTranscriptWatermarks: { '["telegram","default","-1",""]': mark, '["telegram","default","-2",""]': mark } } }]);
  it('is put right by steps that do not wait for each other', async () => {
    const steps = await expectRepairCycle(root(), { check: 'watermark/orphaned', repaired: (copy) => expect(query(copy, "SELECT entry_json ->> 'ambientTranscriptWatermarks', entry_json ->> 'status' FROM session_nodes")).toEqual([['{}', 'running']]) });
    expect(steps.map((step) => step.fix)).toEqual(['drop-orphaned-watermark', 'drop-orphaned-watermark']);
    const { plan } = await makePlan([root()], { zone: 'UTC', now: start + 86_400_000 }, []);
    expect(plan.steps.map((step) => step.fix).sort()).toEqual(['clear-stuck-status', 'drop-orphaned-watermark', 'drop-orphaned-watermark']);
  });
});
