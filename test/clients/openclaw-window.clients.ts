import { cpSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { makePlan, rescanAs } from '../../src/commands/planning.ts';
import { applyPlan } from '../../src/journal/apply.ts';
import { undoJournal } from '../../src/journal/undo.ts';
import { rewriteWindow, withBrokenParent, withMisplacedAppend, withoutResults } from '../helpers/agent-damage.ts';
import { dumpDatabase } from '../helpers/journal.ts';
import { copyOf, hasRealStores, realStores, temporaryFolder } from '../helpers/paths.ts';
import { asked, inSequence, preparePrograms, type ClientRun } from './harness.ts';
import { promptOpenclaw, runOpenclaw, sqliteRelease } from './openclaw.ts';

const ready = hasRealStores ? preparePrograms([sqliteRelease.program, sqliteRelease.node]) : { reason: 'the labelled stores do not lie beside the project' };
const reason = 'reason' in ready ? ready.reason : null;
if (reason !== null) console.log(`skipped: ${reason}`);
const programs = 'reason' in ready ? new Map<string, string>() : ready.folders;

const group = '749e2135-3de3-483c-a5b8-d1b53370b648';
const direct = { session: 'd8340091-5736-4a4b-84f5-a0ccf9e32913', key: 'agent:main:telegram:direct:8801' };
const stuck = 'agent:main:telegram:direct:8810';
const clock = Date.parse('2026-12-01T12:00:00Z');
const databaseOf = (root: string): string => join(root, 'agents/main/agent/openclaw-agent.sqlite');

/** A copy of the labelled store with several faults: a gap and a message beside the reset in one window, a call without result in another; a run without end. */
function damagedStore(): string {
  const root = copyOf(join(realStores, 'openclaw-sqlite/store'));
  rewriteWindow(databaseOf(root), group, (events) => withBrokenParent(20)(withMisplacedAppend(events)));
  rewriteWindow(databaseOf(root), direct.session, withoutResults);
  const db = new Database(databaseOf(root));
  db.prepare("UPDATE session_nodes SET entry_json = json_set(entry_json, '$.status', 'running'), status = 'running' WHERE session_key = ?").run(stuck);
  db.exec('UPDATE session_nodes SET entry_valid = 1; DELETE FROM session_canonical_validation_pending');
  db.close();
  return root;
}

/** What the program's database says of one window: its user texts, the list of its active branch, and whether the program takes that for current. */
function stored(root: string, sessionId: string): { prompts: string[]; listed: number[]; all: number[]; state: unknown } {
  const copy = join(temporaryFolder(), 'agent');
  cpSync(join(root, 'agents/main/agent'), copy, { recursive: true });
  const db = new Database(join(copy, 'openclaw-agent.sqlite'));
  const column = <T>(sql: string): T[] => db.prepare<[string], T>(sql).pluck().all(sessionId);
  const found = {
    prompts: column<string>("SELECT event_json ->> '$.message.content' FROM transcript_events WHERE session_id = ? AND event_json ->> '$.message.role' = 'user' ORDER BY seq"),
    listed: column<number>('SELECT event_seq FROM session_transcript_active_events WHERE session_id = ? ORDER BY active_position'),
    all: column<number>('SELECT seq FROM transcript_events WHERE session_id = ? AND seq > 0 ORDER BY seq'),
    state: db.prepare('SELECT needs_rebuild, active_event_count = (SELECT max(seq) FROM transcript_events e WHERE e.session_id = s.session_id) AS whole FROM session_transcript_index_state s WHERE session_id = ?').raw().get(sessionId),
  };
  db.close();
  return found;
}

function prompted(root: string, key: string): ClientRun {
  const run = promptOpenclaw(programs, sqliteRelease, root, key, 'Are you there?');
  expect({ exit: run.exitCode, calls: run.calls.length, stopped: run.stopped }).toEqual({ exit: 0, calls: 1, stopped: 'no' });
  return run;
}

/** The damaged store, its faults repaired. The programs get copies of it where they write into what they read. */
async function repairedStore(): Promise<{ root: string; damaged: string[]; undo: () => Promise<unknown> }> {
  const root = damagedStore();
  const damaged = dumpDatabase(databaseOf(root));
  const state = temporaryFolder();
  process.env.XDG_STATE_HOME = state;
  const journals = join(state, 'journals');
  const check = ['transcript/broken-parent', 'transcript/misplaced-append', 'tool/unanswered-call', 'index/stuck-running'];
  const { plan } = await makePlan([root], { zone: 'UTC', now: clock, check }, []);
  expect(plan.steps.map((step) => step.fix).sort()).toEqual(['abort-unanswered-call', 'clear-stuck-status', 'reparent-entry', 'reparent-entry']);
  const applied = await applyPlan(plan, JSON.stringify(plan), { journals, allowJudgement: true, steps: null, dryRun: false, waitMs: 0 }, rescanAs(plan.scan, undefined));
  expect(applied.rolledBack).toBeNull();
  return { root, damaged, undo: () => undoJournal(applied.journal ?? '', { journals, dryRun: false, waitMs: 0 }) };
}

type Listing = { totalCount: number; sessions: { key: string; status?: string }[] };

describe.skipIf(reason !== null)(`repaired windows of a database, read by ${sqliteRelease.program} (${reason ?? 'offline, in a network namespace'})`, () => {
  it('the agent sends the whole talk with our result behind the call, and goes on writing the list as the repair left it', async () => {
    const { root: copy } = await repairedStore();
    const before = stored(copy, direct.session);
    expect([before.state, before.listed]).toEqual([[0, 1], before.all]);
    const run = prompted(copy, direct.key);
    expect(inSequence([...before.prompts, 'Are you there?'], asked(run.calls[0]))).toBe(true);
    const results = run.calls[0]?.messages.filter((message) => message.role === 'tool').map((message) => JSON.stringify(message.content));
    expect(results).toEqual([expect.stringContaining('[sessionfsck] no result of this call was recorded')]);
    const after = stored(copy, direct.session);
    expect(after.all.length).toBeGreaterThan(before.all.length);
    expect([after.state, after.listed]).toEqual([[0, 1], after.all]);
  });

  it('every chat is listed, no run goes on, and the undo works after the program has looked', async () => {
    const { root, damaged, undo } = await repairedStore();
    const run = runOpenclaw(programs, sqliteRelease, root, ['sessions', '--json']);
    expect(run.exitCode).toBe(0);
    const { totalCount, sessions }: Listing = JSON.parse(run.stdout);
    expect([totalCount, sessions.find((session) => session.key === stuck)?.status]).toEqual([7, 'killed']);
    await undo();
    expect(dumpDatabase(databaseOf(root))).toEqual(damaged);
  });
});
