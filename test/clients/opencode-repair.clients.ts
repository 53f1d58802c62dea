import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlan, rescanAs } from '../../src/commands/planning.ts';
import type { SqliteDatabase } from '../../src/io/sqlite.ts';
import { applyPlan } from '../../src/journal/apply.ts';
import { undoJournal } from '../../src/journal/undo.ts';
import type { Plan } from '../../src/model/step.ts';
import { contentsOf } from '../helpers/journal.ts';
import { realStores, temporaryFolder } from '../helpers/paths.ts';
import { asked, inSequence, preparePrograms } from './harness.ts';
import { messageRows, opencodeHome, promptOpencode, withDatabase, type OpencodeHome } from './opencode.ts';

const byId = 'opencode-linux-x64@1.18.14';
const byTime = 'opencode-linux-x64@1.18.31';

const wedgedStore = join(realStores, 'opencode-wedged/store/opencode.db');
const armedStore = join(realStores, 'opencode-armed-revert/store/opencode.db');
const ready = existsSync(wedgedStore) && existsSync(armedStore) ? preparePrograms([byId, byTime]) : { reason: 'the labelled stores do not lie beside the project' };
const reason = 'reason' in ready ? ready.reason : null;
if (reason !== null) console.log(`skipped: ${reason}`);

const program = (spec: string): string => ('reason' in ready ? '' : (ready.folders.get(spec) ?? ''));

const wedged = 'ses_014749500ffemmpxRP7D4KFTMJ';
const armed = 'ses_01a08f729ffeWTJzTV0JExjSPA';

/** Plans and applies the steps of these fixes in a home; returns the journal and how to take it back. */
async function repair(home: OpencodeHome, fixes: readonly string[]): Promise<{ plan: Plan; undo: () => Promise<unknown> }> {
  const journals = join(temporaryFolder(), 'journals');
  const { plan } = await makePlan([dirname(home.db)], { zone: 'UTC' }, []);
  const steps = plan.steps.filter((step) => fixes.includes(step.fix)).map((step) => step.id);
  const applied = await applyPlan(plan, JSON.stringify(plan), { journals, allowJudgement: true, steps, dryRun: false, waitMs: 0 }, rescanAs(plan.scan, undefined));
  expect({ steps: steps.length > 0, rolledBack: applied.rolledBack }).toEqual({ steps: true, rolledBack: null });
  return { plan, undo: () => undoJournal(applied.journal ?? '', { journals, dryRun: false, waitMs: 0 }) };
}

/** What people asked in a session, oldest first. */
function promptsOf(db: SqliteDatabase, session: string): string[] {
  return db
    .prepare<[string], string>(
      "SELECT json_extract(p.data, '$.text') FROM message m JOIN part p ON p.message_id = m.id WHERE m.session_id = ? AND json_extract(m.data, '$.role') = 'user' AND json_extract(p.data, '$.type') = 'text' ORDER BY m.time_created, m.id, p.id",
    )
    .pluck()
    .all(session);
}

describe.skipIf(reason !== null)(`repaired opencode stores, read by the published programs (${reason ?? 'offline, in a network namespace'})`, () => {
  it('1.18.14 answers re-keyed sessions, prompt after prompt, with the whole history', async () => {
    const home = opencodeHome(temporaryFolder(), wedgedStore);
    await repair(home, ['rekey-prewrap-ids']);
    for (const session of [wedged, wedged]) {
      const before = withDatabase(home.db, (db) => ({ prompts: promptsOf(db, session), rows: messageRows(db, session).length }));
      const run = promptOpencode(program(byId), home, session, 'Are you there?');
      expect([run.exitCode, run.calls.length, run.stdout.trim()]).toEqual([0, 1, 'reply 1']);
      expect(inSequence([...before.prompts, 'Are you there?'], asked(run.calls[0]))).toBe(true);
      expect(withDatabase(home.db, (db) => messageRows(db, session).length)).toBe(before.rows + 2);
    }
  });

  it('1.18.31 answers them as well', async () => {
    const home = opencodeHome(temporaryFolder(), wedgedStore);
    await repair(home, ['rekey-prewrap-ids']);
    const prompts = withDatabase(home.db, (db) => promptsOf(db, wedged));
    const run = promptOpencode(program(byTime), home, wedged, 'Are you there?');
    expect([run.exitCode, run.calls.length]).toEqual([0, 1]);
    expect(inSequence([...prompts, 'Are you there?'], asked(run.calls[0]))).toBe(true);
  });

  it('after an undo the tables are the same, and 1.18.14 is silent again', async () => {
    const home = opencodeHome(temporaryFolder(), wedgedStore);
    const folder = dirname(home.db);
    const before = contentsOf(folder);
    const { undo } = await repair(home, ['rekey-prewrap-ids']);
    expect(contentsOf(folder)).not.toEqual(before);
    await undo();
    expect(contentsOf(folder)).toEqual(before);
    const run = promptOpencode(program(byId), home, wedged);
    expect([run.exitCode, run.calls.length]).toEqual([0, 0]);
  });

  it('a re-keyed session with an undo point loses what was undone, and nothing else', async () => {
    const home = opencodeHome(temporaryFolder(), armedStore);
    await repair(home, ['rekey-prewrap-ids']);
    const before = withDatabase(home.db, (db) => messageRows(db, armed));
    const run = promptOpencode(program(byId), home, armed);
    expect([run.exitCode, run.calls.length]).toEqual([0, 1]);
    const after = new Set(withDatabase(home.db, (db) => messageRows(db, armed)).map((row) => row.id));
    const newest = before.toSorted((a, b) => a.time - b.time).slice(-4).map((row) => row.id);
    expect(before.filter((row) => !after.has(row.id)).map((row) => row.id).sort()).toEqual(newest.sort());
  });

  it('a disarmed and re-keyed session loses nothing', async () => {
    const home = opencodeHome(temporaryFolder(), armedStore);
    await repair(home, ['disarm-revert', 'rekey-prewrap-ids']);
    const before = withDatabase(home.db, (db) => messageRows(db, armed));
    const run = promptOpencode(program(byId), home, armed);
    expect([run.exitCode, run.calls.length]).toEqual([0, 1]);
    const after = withDatabase(home.db, (db) => messageRows(db, armed));
    expect(after.length).toBe(before.length + 2);
  });
});
