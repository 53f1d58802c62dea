import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlan, rescanAs } from '../../src/commands/planning.ts';
import { applyPlan } from '../../src/journal/apply.ts';
import { undoJournal } from '../../src/journal/undo.ts';
import { contentsOf } from '../helpers/journal.ts';
import { copyOf, hasRealStores, realStores, temporaryFolder } from '../helpers/paths.ts';
import { asked, inSequence, preparePrograms } from './harness.ts';
import { jsonlRelease, promptOpenclaw, runOpenclaw, sqliteRelease, type OpenclawRelease } from './openclaw.ts';

const ready = hasRealStores ? preparePrograms([jsonlRelease, sqliteRelease].flatMap(({ program, node }) => [program, node])) : { reason: 'the labelled stores do not lie beside the project' };
const reason = 'reason' in ready ? ready.reason : null;
if (reason !== null) console.log(`skipped: ${reason}`);
const programs = 'reason' in ready ? new Map<string, string>() : ready.folders;

const direct = (chat: number): string => `agent:main:telegram:direct:${chat}`;
const originalOf = (name: string): string => join(realStores, name, 'store');

/** A copy of a store with every step applied. The programs get copies of it: they write into what they read. */
async function repaired(name: string): Promise<{ root: string; undo: () => Promise<unknown> }> {
  const root = copyOf(originalOf(name));
  const state = temporaryFolder();
  process.env.XDG_STATE_HOME = state;
  const journals = join(state, 'journals');
  const { plan } = await makePlan([root], { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z') }, []);
  const applied = await applyPlan(plan, JSON.stringify(plan), { journals, allowJudgement: true, steps: null, dryRun: false, waitMs: 0 }, rescanAs(plan.scan, undefined));
  expect({ steps: plan.steps.length > 0, rolledBack: applied.rolledBack }).toEqual({ steps: true, rolledBack: null });
  return { root, undo: () => undoJournal(applied.journal ?? '', { journals, dryRun: false, waitMs: 0 }) };
}

type Listing = { totalCount: number; sessions: { key: string; sessionId: string }[] };
type Cleanup = { beforeCount: number; missing: number };

function json<T>(release: OpenclawRelease, state: string, args: readonly string[]): T {
  const run = runOpenclaw(programs, release, copyOf(state), args);
  expect({ args, exit: run.exitCode, stopped: run.stopped }).toEqual({ args, exit: 0, stopped: 'no' });
  const value: T = JSON.parse(run.stdout);
  return value;
}

const listed = (release: OpenclawRelease, state: string): Listing => json(release, state, ['sessions', '--json']);
const cleaned = (release: OpenclawRelease, state: string): Cleanup => json(release, state, ['sessions', 'cleanup', '--dry-run', '--fix-missing', '--json']);

/** What `sessions --json` counted in the store before the repair, as its label says. */
function countedBefore(name: string): number {
  const truth: { realClient: { 'openclaw sessions --json': { totalCount: number } } } = JSON.parse(readFileSync(join(realStores, name, 'truth.json'), 'utf8'));
  return truth.realClient['openclaw sessions --json'].totalCount;
}

/** What was asked in a transcript, in order of its rows; lines that cannot be read are passed over. */
function promptsIn(state: string, sessionId: string): string[] {
  const lines = readFileSync(join(state, `agents/main/sessions/${sessionId}.jsonl`), 'utf8').split('\n');
  return lines.flatMap((line) => {
    try {
      const row: { message?: { role?: string; content?: unknown } } = JSON.parse(line);
      return row.message?.role === 'user' && typeof row.message.content === 'string' ? [row.message.content] : [];
    } catch {
      return [];
    }
  });
}

/** Counts of an import and its complaints, except that files of a store with complaints stay where they are. */
function imported(state: string): { events: number; issues: string[] } {
  const run = runOpenclaw(programs, sqliteRelease, copyOf(state), ['doctor', '--session-sqlite', 'import', '--json']);
  const report: { totals: { importedTranscriptEvents: number }; targets: { issues: { code: string; sessionKey: string | null }[] }[] } = JSON.parse(run.stdout);
  const issues = report.targets.flatMap((target) => target.issues).filter((issue) => issue.code !== 'active_sqlite_transcript_jsonl');
  return { events: report.totals.importedTranscriptEvents, issues: issues.map((issue) => `${issue.code} ${issue.sessionKey}`).sort() };
}

describe.skipIf(reason !== null)(`repaired OpenClaw stores, read by the published programs (${reason ?? 'offline, in a network namespace'})`, () => {
  it.each([
    ['openclaw-night', jsonlRelease],
    ['openclaw-sqlite', sqliteRelease],
  ] as const)('%s is listed whole, nothing is missing; an undo leaves what was there', async (name, release) => {
    const before = contentsOf(originalOf(name));
    const { root, undo } = await repaired(name);
    expect(contentsOf(root)).not.toEqual(before);
    const { totalCount, sessions } = listed(release, root);
    expect([totalCount, sessions.length]).toEqual([countedBefore(name), countedBefore(name)]);
    expect(cleaned(release, root)).toMatchObject({ beforeCount: countedBefore(name), missing: 0 });
    await undo();
    expect(contentsOf(root)).toEqual(before);
    expect(listed(release, root).sessions.map(({ key, sessionId }) => [key, sessionId])).toEqual(sessions.map(({ key, sessionId }) => [key, sessionId]));
  });

  it('openclaw-damage: 2026.7.1-2 lists it and misses one transcript less, until the undo', async () => {
    const before = contentsOf(originalOf('openclaw-damage'));
    const { root, undo } = await repaired('openclaw-damage');
    expect(listed(jsonlRelease, root).totalCount).toBe(countedBefore('openclaw-damage'));
    expect(cleaned(jsonlRelease, root).missing).toBe(3);
    await undo();
    expect(contentsOf(root)).toEqual(before);
    expect(cleaned(jsonlRelease, root).missing).toBe(4);
  });

  it('openclaw-damage: the agent of 2026.7.1-2 sends the repaired talk, where it sent the part behind the gap', { timeout: 600_000 }, async () => {
    const { root } = await repaired('openclaw-damage');
    const key = direct(31004);
    const prompts = promptsIn(root, '92506418-b154-468b-bac1-a1715a80f530');
    expect(prompts.length).toBe(4);
    const sent = (state: string): string => {
      const run = promptOpenclaw(programs, jsonlRelease, copyOf(state), key, 'Are you there?');
      expect([run.exitCode, run.calls.length]).toEqual([0, 1]);
      return asked(run.calls[0]);
    };
    const unrepaired = sent(originalOf('openclaw-damage'));
    expect(prompts.map((prompt) => inSequence([prompt], unrepaired))).toEqual([false, false, true, true]);
    expect(inSequence([...prompts, 'Are you there?'], sent(root))).toBe(true);
  });

  it.each([
    ['a restored archive', 31015, '7249aa62-137e-4739-b1ec-1687f66a1087'],
    ['an answered call', 31008, '27b84338-70b9-4b64-875a-e9e8c57a0c90'],
  ] as const)('openclaw-damage: the agent of 2026.7.1-2 sends the whole talk of %s', async (_name, chat, sessionId) => {
    const { root } = await repaired('openclaw-damage');
    const prompts = promptsIn(root, sessionId);
    expect(prompts.length).toBeGreaterThan(2);
    const run = promptOpenclaw(programs, jsonlRelease, copyOf(root), direct(chat), 'Are you there?');
    expect([run.exitCode, run.calls.length]).toEqual([0, 1]);
    expect(inSequence([...prompts, 'Are you there?'], asked(run.calls[0]))).toBe(true);
  });

  it('openclaw-damage: 2026.9.6 imports more of the repaired store and complains of fewer transcripts', async () => {
    const { root } = await repaired('openclaw-damage');
    const left = [`sqlite_transcript_count_mismatch ${direct(31006)}`, `transcript_missing ${direct(31010)}`];
    expect(imported(originalOf('openclaw-damage'))).toEqual({
      events: 242,
      issues: [left[0], `transcript_malformed ${direct(31001)}`, `transcript_malformed ${direct(31002)}`, left[1], `transcript_missing ${direct(31015)}`],
    });
    expect(imported(root)).toEqual({ events: 264, issues: left });
  });
});
