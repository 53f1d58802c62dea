import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { makePlan, rescanAs } from '../src/commands/planning.ts';
import { applyPlan } from '../src/journal/apply.ts';
import { undoJournal } from '../src/journal/undo.ts';
import type { Plan } from '../src/model/step.ts';
import { compareByTime, compareIds } from '../src/ids/index.ts';
import { contentsOf } from './helpers/journal.ts';
import { copyOf, hasRealStores, realStores, temporaryFolder } from './helpers/paths.ts';

/** What `repair` in a truth.json promises, as far as a program can tell. */
type Truth = {
  product: string;
  hostZone: string | null;
  now?: string;
  expect: { check: string; session: string; evidence?: Record<string, unknown> }[];
  mustNotFire?: { check: string; session: string }[];
  repair: { [promise: string]: unknown };
};

type Repaired = { original: string; root: string; before: string[]; after: string[]; plan: Plan; truth: Truth };

function databaseOf(root: string): InstanceType<typeof Database> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const name = names.find((one) => /(^|\/)(opencode\.db|mimocode\.db|state\.db|openclaw-agent\.sqlite)$/.test(one));
  return new Database(join(root, name ?? 'none'));
}

function ask<T>(root: string, work: (db: InstanceType<typeof Database>) => T): T {
  const db = databaseOf(root);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Watermark keys of a chat, of either era. */
function watermarks(root: string, key: string): string[] {
  const index = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((one) => one.endsWith('sessions/sessions.json'));
  const text = index === undefined ? ask(root, (db) => db.prepare('SELECT entry_json FROM session_nodes WHERE session_key = ?').pluck().get(key)) : JSON.stringify(JSON.parse(readFileSync(join(root, index), 'utf8'))[key] ?? {});
  const entry: { ambientTranscriptWatermarks?: Record<string, unknown> } = JSON.parse(String(text));
  return Object.keys(entry.ambientTranscriptWatermarks ?? {});
}

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []);
const numbers = (value: unknown): [string, unknown][] => (typeof value === 'object' && value !== null ? Object.entries(value) : []);
const filesLike = (lines: readonly string[], pattern: RegExp): string[] => lines.filter((line) => pattern.test(line));

function outOfOrder(root: string, session: string): number {
  return ask(root, (db) => {
    const sliced = (db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all('message') as string[]).includes('agent_id');
    const rows = db.prepare<[string], { id: string; time: number; slice: string }>(`SELECT id, time_created AS time, ${sliced ? 'agent_id' : "''"} AS slice FROM message WHERE session_id = ?`).all(session);
    return [...new Set(rows.map((row) => row.slice))].filter((slice) => {
      const own = rows.filter((row) => row.slice === slice);
      return own.toSorted(compareByTime).some((row, index) => row.id !== own.toSorted((a, b) => compareIds(a.id, b.id))[index]?.id);
    }).length;
  });
}

const count = (root: string, sql: string): number => ask(root, (db) => Number(db.prepare(sql).pluck().get()));
const messageTable = (truth: Truth): string => (truth.product === 'hermes' ? 'messages' : 'message');
const linesOf = (lines: readonly string[], table: string): number => lines.filter((line) => line.includes(`: ${table} `)).length;
const hasFix = ({ plan }: Repaired, fix: string): boolean => plan.steps.some((step) => step.fix === fix);

/** The index of a JSONL store, and where its files lie. */
function indexOf(root: string): { folder: string; entries: Record<string, { sessionId?: string }> } {
  const folder = join(root, 'agents/main/sessions');
  return { folder, entries: JSON.parse(readFileSync(join(folder, 'sessions.json'), 'utf8')) };
}

/** The routing mirror of a Hermes home. */
const mirrorOf = (root: string): Record<string, unknown> => JSON.parse(readFileSync(join(root, 'sessions/sessions.json'), 'utf8'));

type TranscriptRow = { type?: string; id?: string; parentId?: string | null };

function rowsOf(file: string): TranscriptRow[] {
  return readFileSync(file, 'utf8').split('\n').filter((line) => line.startsWith('{')).map((line): TranscriptRow => JSON.parse(line));
}

/** What the label of a fault says of it, for each finding of a check. */
const labelled = (truth: Truth, check: string): { session: string; evidence: Record<string, unknown> }[] => truth.expect.filter((one) => one.check === check).map(({ session, evidence }) => ({ session, evidence: evidence ?? {} }));
const ids = (value: unknown): number[] => (Array.isArray(value) ? value.filter((item): item is number => typeof item === 'number') : []);

/** `active` and `compacted` of rows, e.g. `0 0`. */
const stateOf = (root: string, row: number): unknown => ask(root, (db) => db.prepare("SELECT active || ' ' || compacted FROM messages WHERE id = ?").pluck().get(row));

/** How many live rows of its session say what a row says, in its role and (for a tool result) to its call. */
const liveTwins = (root: string, row: number): unknown => ask(root, (db) => db.prepare('SELECT count(*) FROM messages m JOIN messages o ON o.id = ? WHERE m.session_id = o.session_id AND m.role = o.role AND m.content IS o.content AND m.tool_call_id IS o.tool_call_id AND m.timestamp = o.timestamp AND m.active = 1').pluck().get(row));

/** Each promise with what must be empty where it holds. Promises that only a person can check are not here. */
const judges: { [promise: string]: (value: unknown, repaired: Repaired) => unknown[] } = {
  watermarkKeyAbsent: (value, { root }) => strings(value).filter((key) => watermarks(root, key).length > 0),
  watermarkKept: (value, { root }) => strings(value).filter((key) => watermarks(root, key).length === 0),
  transcriptsUnchanged: (_value, { before, after }) => filesLike(before, /\.jsonl (?!folder)/).filter((line) => !after.includes(line)),
  archivesUnchanged: (_value, { before, after }) => filesLike(before, /\.jsonl\.(reset|deleted)\./).filter((line) => !after.includes(line)),
  // An entry that the product's own triggers mark as not valid keeps it from listing any chat.
  eventCountUnchanged: (_value, { root, before, after }) => [...(linesOf(before, 'transcript_events') === linesOf(after, 'transcript_events') ? [] : ['events']), ...ask(root, (db) => db.prepare('SELECT session_key FROM session_nodes WHERE entry_valid <> 1').pluck().all())],
  messageCount: (value, { root, truth }) =>
    typeof value === 'string'
      ? ask(root, (db) => db.prepare('SELECT id FROM sessions s WHERE message_count <> (SELECT count(*) FROM messages m WHERE m.session_id = s.id AND m.active = 1) AND coalesce(rewind_count, 0) = 0').pluck().all())
      : numbers(value).filter(([session, wanted]) => count(root, `SELECT count(*) FROM ${messageTable(truth)} WHERE session_id = '${session}'`) !== wanted),
  idOrderEqualsTimeOrder: (value, { root }) => strings(value).filter((session) => outOfOrder(root, session) > 0),
  'idOrderEqualsTimeOrder per agent slice': (value, { root }) => strings(value).filter((session) => outOfOrder(root, session) > 0),
  partsAndParentsStillLinked: (_value, { root }) => [
    ...ask(root, (db) => db.prepare('SELECT id FROM part WHERE message_id NOT IN (SELECT id FROM message)').pluck().all()),
    ...ask(root, (db) => db.prepare("SELECT id FROM message WHERE json_extract(data, '$.parentID') IS NOT NULL AND json_extract(data, '$.parentID') NOT IN (SELECT id FROM message)").pluck().all()),
  ],
  noRowDeleted: (_value, { before, after }) => (linesOf(after, 'message') >= linesOf(before, 'message') ? [] : ['message']),
  'no row deleted': (_value, { before, after }) => (linesOf(after, 'messages') >= linesOf(before, 'messages') ? [] : ['messages']),
  rowsNeverDeleted: (_value, { before, after }) => (linesOf(after, 'messages') >= linesOf(before, 'messages') ? [] : ['messages']),
  afterRepair: (_value, repaired) => (hasFix(repaired, 'disarm-revert') ? ask(repaired.root, (db) => db.prepare("SELECT id FROM session WHERE id = 'ses_01a08f729ffeWTJzTV0JExjSPA' AND revert IS NOT NULL").pluck().all()) : ['not disarmed']),
  'history_fts row count unchanged': (_value, { before, after }) => (linesOf(before, 'history_fts') === linesOf(after, 'history_fts') ? [] : ['history_fts']),
  'external_import.message_ids still name existing rows': (_value, { root }) => ask(root, (db) => db.prepare('SELECT value FROM external_import, json_each(message_ids) WHERE value NOT IN (SELECT id FROM message)').pluck().all()),
  'nothing to do': (_value, { plan }) => plan.steps.map((step) => step.fix),
  'nothing to change': (_value, { before, after }) => before.filter((line) => !after.includes(line)),
  'never in place': (_value, { plan }) => plan.steps.map((step) => step.fix),
  counters: (value, { root }) => (value === 'recounted' || String(value).startsWith('message_count') ? ask(root, (db) => db.prepare('SELECT id FROM sessions s WHERE message_count <> (SELECT count(*) FROM messages m WHERE m.session_id = s.id AND m.active = 1) AND coalesce(rewind_count, 0) = 0').pluck().all()) : ['unknown promise']),
  'NULL active': (_value, { root }) => ask(root, (db) => db.prepare('SELECT id FROM messages WHERE active IS NULL').pluck().all()),
  'missing parent': (_value, { root }) => ask(root, (db) => db.prepare('SELECT id FROM sessions WHERE parent_session_id IS NOT NULL AND parent_session_id NOT IN (SELECT id FROM sessions)').pluck().all()),
  messageCountTotalUnchanged: (value, { root }) => (count(root, 'SELECT count(*) FROM messages') === value ? [] : [value]),
  'double summary': (_value, { plan, truth }) => plan.steps.filter((step) => truth.expect.some((one) => one.check === 'compaction/double-summary' && one.session === step.session) && step.findings.some((finding) => finding.checkId === 'compaction/double-summary')),
  cycle: (_value, { plan }) => plan.steps.filter((step) => step.findings.some((finding) => finding.checkId === 'session/parent-cycle')),
  'live archived': (_value, repaired) => (hasFix(repaired, 'restore-archive') ? [] : ['not restored']),
  'stuck running': (_value, repaired) => (hasFix(repaired, 'clear-stuck-status') ? [] : ['still running']),
  'stale lock': (_value, { after }) => filesLike(after, /\.lock /),
  'broken parent': (_value, { root, truth }) =>
    labelled(truth, 'transcript/broken-parent').flatMap(({ session, evidence }) => {
      const { folder, entries } = indexOf(root);
      const rows = rowsOf(join(folder, `${entries[session]?.sessionId}.jsonl`));
      // The labelled talks have no branches: the right parent of a row is the one before it.
      return strings(evidence['rows']).filter((id) => {
        const at = rows.findIndex((row) => row.id === id);
        return at < 1 || rows[at]?.parentId !== rows[at - 1]?.id;
      });
    }),
  dangling: (_value, { original, root, truth }) => labelled(truth, 'index/dangling-entry').filter(({ session }) => !sameEntry(original, root, session)),
  'look-alikes untouched': (_value, { original, root, before, after, truth }) =>
    (truth.mustNotFire ?? []).filter(({ session }) => {
      const id = indexOf(original).entries[session]?.sessionId ?? session;
      const files = filesLike(before, new RegExp(`/${id}\\.`));
      return !sameEntry(original, root, session) || files.some((line) => !after.includes(line)) || filesLike(after, new RegExp(`/${id}\\.`)).length !== files.length;
    }),
  entries: (value, repaired) => (repaired.truth.product === 'openclaw' ? unlisted(repaired.root) : Object.keys(mirrorOf(repaired.root)).length === value ? [] : ['entries']),
  'sessions.json': (_value, { root, plan }) => {
    const routes = ask(root, (db) => db.prepare<[], { key: string; entry: string }>('SELECT session_key AS key, entry_json AS entry FROM gateway_routing').all());
    const mirror = mirrorOf(root);
    return [...(plan.steps.some((step) => step.fix === 'rebuild-index') ? [] : ['no step']), ...routes.filter(({ key, entry }) => JSON.stringify(mirror[key]) !== JSON.stringify(JSON.parse(entry)))];
  },
  'stranded rows': (_value, { root, truth }) => labelled(truth, 'compaction/stranded-rows').flatMap(({ evidence }) => ids(evidence['rows'])).filter((row) => stateOf(root, row) !== '0 0' || liveTwins(root, row) !== 1),
  'live duplicates': (_value, { root, truth }) =>
    labelled(truth, 'compaction/live-duplicates').flatMap(({ evidence }) => [...ids(evidence['firstCopies']).filter((row) => stateOf(root, row) !== '1 0' || liveTwins(root, row) !== 1), ...ids(evidence['rows']).filter((row) => stateOf(root, row) !== '0 0')]),
  'orphan result': (_value, { root, truth }) => labelled(truth, 'tool/orphan-result').flatMap(({ evidence }) => ids(evidence['rows'])).filter((row) => stateOf(root, row) !== '0 0'),
  'orphaned end': (_value, { root, truth }) =>
    labelled(truth, 'compaction/orphaned-end').filter(({ session }) => ask(root, (db) => db.prepare('SELECT count(*) FROM sessions WHERE id = ? AND ended_at IS NULL AND end_reason IS NULL').pluck().get(session)) !== 1),
  rowsKept: (_value, { before, after }) => (filesLike(after, /\.jsonl/).length >= filesLike(before, /\.jsonl/).length ? [] : ['files']),
};

function sameEntry(original: string, root: string, key: string): boolean {
  return JSON.stringify(indexOf(original).entries[key]) === JSON.stringify(indexOf(root).entries[key]);
}

/** Live transcripts that no entry of a rebuilt index names; the keys of this store are unknown. */
function unlisted(root: string): string[] {
  const { folder, entries } = indexOf(root);
  const listed = new Set(Object.values(entries).map((entry) => entry.sessionId));
  return readdirSync(folder).filter((name) => /^[0-9a-f-]{36}\.jsonl$/.test(name) && !listed.has(name.slice(0, 36)));
}

/** Promises that need a person, another program, or a test of their own. */
const elsewhere = new Set(['afterRepairRealClientCalls', 'a tool that ignores the -wal sees']);

const cases = hasRealStores ? readdirSync(realStores).filter((name) => existsSync(join(realStores, name, 'truth.json'))) : [];

describe.skipIf(!hasRealStores)('every repair promise of the labelled stores (skipped where they do not lie beside the project)', () => {
  it.each(cases)('%s', { timeout: 120_000 }, async (name) => {
    const truth: Truth = JSON.parse(readFileSync(join(realStores, name, 'truth.json'), 'utf8'));
    const root = copyOf(join(realStores, name, 'store'));
    const state = temporaryFolder();
    process.env.XDG_STATE_HOME = state;
    const journals = join(state, 'journals');
    const before = contentsOf(root);
    const { plan } = await makePlan([root], { zone: truth.hostZone ?? 'UTC', now: Date.parse(truth.now ?? '2026-12-01T12:00:00Z') }, []);
    const result = await applyPlan(plan, JSON.stringify(plan), { journals, allowJudgement: true, steps: null, dryRun: false, waitMs: 0 }, rescanAs(plan.scan, undefined));
    expect(result.rolledBack).toBeNull();
    const repaired: Repaired = { original: join(realStores, name, 'store'), root, before, after: contentsOf(root), plan, truth };
    const unknown = Object.keys(truth.repair).filter((promise) => judges[promise] === undefined && !elsewhere.has(promise));
    const broken = Object.entries(truth.repair).flatMap(([promise, value]) => {
      const places = judges[promise]?.(value, repaired) ?? [];
      return places.length === 0 ? [] : [{ promise, places }];
    });
    expect({ unknown, broken }).toEqual({ unknown: [], broken: [] });
    if (result.journal !== null) await undoJournal(result.journal, { journals, dryRun: false, waitMs: 0 });
    expect(contentsOf(root)).toEqual(before);
  });
});
