import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { scan } from '../../src/checks/scan.ts';
import { activeBranch, branchRules } from '../../src/readers/openclaw/branch.ts';
import { discover, openStore } from '../../src/stores/discover.ts';
import type { TranscriptDigest } from '../../src/stores/openclaw/types.ts';
import { copyOf, hasRealStores, realStores, sampleData } from '../helpers/paths.ts';
import { untouched } from '../helpers/untouched.ts';
import { preparePrograms } from './harness.ts';
import { runOpenclaw, sqliteRelease } from './openclaw.ts';

const programs = preparePrograms([sqliteRelease.program, sqliteRelease.node]);
const reason = 'reason' in programs ? programs.reason : '';

type ImportReport = {
  totals: { importedEntries: number; importedTranscriptEvents: number; sqliteEntries: number };
  targets: { agentId: string; sqlitePath: string; archivedTranscriptFiles: string[]; issues: { code: string; sessionKey: string | null }[] }[];
};

/** Imports a copy of a JSONL store with the published program and returns what it reports. */
function importStore(state: string): ImportReport {
  if ('reason' in programs) throw new Error(programs.reason);
  const run = runOpenclaw(programs.folders, sqliteRelease, state, ['doctor', '--session-sqlite', 'import', '--json']);
  const report: ImportReport = JSON.parse(run.stdout);
  return report;
}

/** Per window: the rows that the reader model walks, and those that the program itself has marked as active. By seq. */
async function activeRows(state: string): Promise<{ sessionId: string; events: number; model: number[]; program: number[] }[]> {
  const ref = discover([state]).stores.find((store) => store.layout === 'sqlite');
  if (!ref) throw new Error('the import left no database');
  // A copy of its own: this connection may do to it what it likes.
  const db = new Database(join(copyOf(state), 'agents/main/agent/openclaw-agent.sqlite'));
  const marked = db.prepare<[string], number>('SELECT event_seq FROM session_transcript_active_events WHERE session_id = ? ORDER BY active_position').pluck();
  const opened = await openStore(ref, { snapshotDir: null, inPlace: false, deep: false, now: Date.now() });
  if (opened.product !== 'openclaw') throw new Error(`found ${opened.product}`);
  const rules = branchRules({ product: 'openclaw', version: '2026.9.6', source: 'option' }, 'sqlite');
  const found: { sessionId: string; events: number; model: number[]; program: number[] }[] = [];
  for (const digest of opened.snapshot.digests() as Iterable<TranscriptDigest>) {
    if (digest.file.kind !== 'window') continue;
    found.push({ sessionId: digest.sessionId, events: digest.rows.length + (digest.header ? 1 : 0), model: activeBranch(digest, rules).rows.map((row) => (digest.rows.line[row] ?? 0) - 1), program: marked.all(digest.sessionId) });
  }
  opened.snapshot.close();
  db.close();
  return found;
}

/** Chats of the database that an import wrote, and rows of leftover files that it does not hold, as a scan sees them. */
async function scanned(state: string): Promise<{ sessions: number; missing: Record<string, number> }> {
  const result = await untouched(state, () => scan([state], { zone: 'UTC', now: Date.parse('2026-12-01T12:00:00Z') }));
  const missing = result.findings.filter((finding) => finding.checkId === 'migration/unimported-rows').map((finding) => [finding.session ?? '', Number(finding.evidence['missingRows'])]);
  return { sessions: result.stores.find((one) => one.layout === 'sqlite')?.sessions ?? -1, missing: Object.fromEntries(missing) };
}

const cases: [name: string, store: string][] = [
  ...(hasRealStores ? (['openclaw-healthy', 'openclaw-night', 'openclaw-resets', 'openclaw-damage'] as const).map((name): [string, string] => [name, join(realStores, name, 'store')]) : []),
  ...readdirSync(sampleData)
    .filter((name) => name === 'openclaw-damage' || name === 'openclaw-night' || name === 'openclaw-transcripts')
    .map((name): [string, string] => [`sample ${name}`, join(sampleData, name, 'store')]),
];

describe.skipIf(reason !== '')(`stores imported by ${sqliteRelease.program}${reason === '' ? '' : ` (skipped: ${reason})`}`, () => {
  it.each(cases)('%s: counts and the active branch agree with the program', { timeout: 240_000 }, async (_name, store) => {
    const state = copyOf(store);
    const report = importStore(state);
    const seen = await scanned(state);
    expect(seen.sessions).toBe(report.totals.sqliteEntries);
    const branches = await activeRows(state);
    for (const { sessionId, model, program } of branches) expect({ sessionId, rows: model }).toEqual({ sessionId, rows: program });
    // Where the program has no complaint, it counts what it wrote, and every row of every file that it moved away is there.
    const clean = report.targets.every((target) => target.issues.length === 0);
    const events = branches.reduce((sum, branch) => sum + branch.events, 0);
    const counted = clean ? { events, missing: seen.missing } : { events: 0, missing: {} };
    expect(counted).toEqual({ events: clean ? report.totals.importedTranscriptEvents : 0, missing: {} });
  });

  it.skipIf(!hasRealStores)('openclaw-damage: the rows that the import loses without a word are found (skipped without ../shared/real-stores)', { timeout: 240_000 }, async () => {
    const state = copyOf(join(realStores, 'openclaw-damage/store'));
    importStore(state);
    expect((await scanned(state)).missing).toEqual({ '4c50c5e3-230d-4d98-99f9-36cf4f25ac60': 8, '04992e2c-2688-4b2e-b786-bf7fad71f3e3': 1 });
  });
});
