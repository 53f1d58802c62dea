import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3';
import { applyPlan, type ApplyOptions, type ApplyResult } from '../../src/journal/apply.ts';
import { storeFingerprint } from '../../src/journal/fingerprint.ts';
import type { RescanFinding } from '../../src/journal/rescan.ts';
import { undoJournal, type UndoResult } from '../../src/journal/undo.ts';
import type { Action, Plan, StepClass } from '../../src/model/step.ts';
import type { StoreRef } from '../../src/model/store.ts';
import { toolVersion } from '../../src/model/tool.ts';
import { temporaryFolder } from './paths.ts';

/** A store that is only files or databases: the engine knows no product. */
export function plainStore(folder: string): StoreRef {
  return { id: `openclaw:${folder}`, product: 'openclaw', layout: 'jsonl', path: folder, label: 'agents/main', home: folder };
}

/** A plan with one step, as a fix would have made it. */
export function planOf(folder: string, actions: Action[], stepClass: StepClass = 'safe'): Plan {
  const store = plainStore(folder);
  return {
    schemaVersion: 1,
    kind: 'sessionfsck-plan',
    tool: { name: 'sessionfsck', version: toolVersion },
    created: '2026-12-01T12:00:00.000Z',
    scan: { zone: 'UTC', zoneGiven: true, now: '2026-12-01T12:00:00.000Z', readers: [], check: [], skip: [], deep: false },
    stores: [{ ...store, reader: 'openclaw@unknown', fingerprint: storeFingerprint(store), findings: [{ checkId: 'area/fault', severity: 'error', fingerprint: 'f1', session: 's1', sessionKey: null }] }],
    steps: [
      { id: '1', fix: 'some-fix', class: stepClass, store: store.id, target: 't', session: 's1', sessionKey: null, title: 'a test', consequences: [], alternatives: [], findings: [{ checkId: 'area/fault', fingerprint: 'f1' }], actions },
    ],
    left: [],
  };
}

export type Bench = {
  journals: string;
  apply(plan: Plan, options?: Partial<ApplyOptions>, rescan?: RescanFinding[]): Promise<ApplyResult>;
  undo(id: string, dryRun?: boolean): Promise<UndoResult>;
};

/** Journals and locks in a folder of their own. */
export function journalBench(): Bench {
  const state = temporaryFolder();
  process.env.XDG_STATE_HOME = state;
  const journals = join(state, 'journals');
  return {
    journals,
    apply: (plan, options = {}, rescan = []) => applyPlan(plan, JSON.stringify(plan), { journals, allowJudgement: false, steps: null, dryRun: false, waitMs: 0, ...options }, { rescan: async () => rescan }),
    undo: (id, dryRun = false) => undoJournal(id, { journals, dryRun, waitMs: 0 }),
  };
}

const tail = /-(wal|shm)$/;

/** Every row of every table with its rowid and storage classes, sequences and schema; the tables of a full-text index by what it answers. */
export function dumpDatabase(path: string): string[] {
  const folder = temporaryFolder();
  const copy = join(folder, 'copy.db');
  cpSync(path, copy);
  if (existsSync(`${path}-wal`)) cpSync(`${path}-wal`, `${copy}-wal`);
  const db = new Database(copy);
  try {
    const lines: string[] = [];
    const schema = db.prepare("SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY 1").pluck().all() as string[];
    lines.push(...schema, `user_version ${db.pragma('user_version', { simple: true })}`, `application_id ${db.pragma('application_id', { simple: true })}`);
    const tables = db.prepare("SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name <> 'sqlite_schema' ORDER BY name").all() as { name: string; type: string; wr: number }[];
    for (const { name, type, wr } of tables) {
      const columns = (db.prepare('SELECT name FROM pragma_table_xinfo(?)').pluck().all(name) as string[]).filter((column) => type !== 'virtual' || column !== name);
      const cells = columns.map((column) => `typeof("${column}") || ':' || coalesce(hex(CAST("${column}" AS BLOB)), '')`);
      const rowid = type === 'table' && wr === 0 ? 'rowid' : "''";
      try {
        const rows = db.prepare(`SELECT '${name} ' || ${rowid} || ' ' || ${cells.join(" || '|' || ")} FROM "${name}"`).pluck().all() as string[];
        lines.push(...rows.sort());
      } catch (error) {
        lines.push(`${name} cannot be read: ${String(error)}`);
      }
    }
    return lines;
  } catch {
    // A damaged database has no rows to speak of: its bytes must stay.
    return [`damaged ${createHash('sha256').update(readFileSync(path)).digest('hex')}`];
  } finally {
    db.close();
  }
}

/** What a store holds: files by bytes and mode, databases by their rows. */
export function contentsOf(root: string): string[] {
  const rows: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const name = relative(root, path);
      if (entry.isDirectory()) {
        rows.push(`${name} folder`);
        visit(path);
      } else if (entry.isSymbolicLink()) {
        rows.push(`${name} link ${readlinkSync(path)}`);
      } else if (tail.test(name)) {
        continue;
      } else if (readFileSync(path).subarray(0, 15).toString('latin1') === 'SQLite format 3') {
        rows.push(...dumpDatabase(path).map((line) => `${name}: ${line}`));
      } else {
        rows.push(`${name} ${statSync(path).mode.toString(8)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`);
      }
    }
  };
  visit(root);
  return rows.sort();
}
