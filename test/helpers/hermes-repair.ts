import { join } from 'node:path';
import { loadSqlite, type SqliteDatabase } from '../../src/io/sqlite.ts';
import type { Step } from '../../src/model/step.ts';
import { hermesStore, type StoreShape } from './hermes.ts';
import type { Build } from './hermes-cases.ts';
import { temporaryFolder } from './paths.ts';
import { expectRepairCycle, type RepairCase } from './repair.ts';

/** A home as the case builds it; its counters are set right unless they are the fault. */
export function hermesHome(build: Build, options: { shape?: StoreShape; keepCounters?: boolean } = {}): string {
  const folder = join(temporaryFolder(), 'home');
  const store = hermesStore(folder, options.shape);
  build(store, folder);
  if (!options.keepCounters) store.recount();
  store.close();
  return folder;
}

/** Reads the repaired database, beside the store's own files as they lie. */
export function readState<T>(folder: string, read: (db: SqliteDatabase) => T): T {
  const db = new (loadSqlite())(join(folder, 'state.db'), { readonly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** What the model gets of a session: ids and texts in id order. */
export function contextOf(folder: string, session: string): { id: number; content: string }[] {
  return readState(folder, (db) => db.prepare<[string], { id: number; content: string }>('SELECT id, content FROM messages WHERE session_id = ? AND active = 1 ORDER BY id').all(session));
}

/** Runs the whole cycle (plan, apply, rescan, undo, undo of undo) over a home. */
export function hermesRepair(build: Build, repair: RepairCase, options: { shape?: StoreShape; keepCounters?: boolean } = {}): Promise<Step[]> {
  return expectRepairCycle(hermesHome(build, options), repair);
}
