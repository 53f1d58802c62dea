import type { Finding } from '../../model/finding.ts';
import type { Action, CellMap } from '../../model/step.ts';
import type { HermesSnapshot } from '../../stores/hermes/types.ts';
import type { Left } from '../fix.ts';

/** Why nothing may be written to this store, or null. A schema that is not known is only read (Hermes format notes §1.4). */
export function mayNotWrite(snapshot: HermesSnapshot): Left | null {
  if (snapshot.schema?.newer) return { left: `the schema ${snapshot.schema.version ?? ''} is newer than what is known here (${snapshot.schema.newestKnown}): nothing is written to it`, alternatives: ['look for a newer sessionfsck'] };
  return null;
}

/** Whole numbers of one evidence key. */
export function numbersOf(finding: Finding, key: string): number[] {
  const value = finding.evidence[key];
  return Array.isArray(value) ? value.filter((item): item is number => typeof item === 'number' && Number.isSafeInteger(item)) : [];
}

/** Sets the flags of rows; each must still have the flags that the snapshot saw. */
export function flagRows(snapshot: HermesSnapshot, rows: readonly number[], after: { active: number; compacted: number }): Action {
  return {
    kind: 'update-rows',
    database: snapshot.ref.path,
    table: 'messages',
    rows: snapshot.rowFlags(rows).map(({ row, active, compacted }) => ({
      key: { id: row },
      before: { active, compacted },
      after: { ...(active === after.active ? {} : { active: after.active }), ...(compacted === after.compacted ? {} : { compacted: after.compacted }) },
    })),
  };
}

/** Sets a session's counters to what its live rows say in the end; nothing where the store has no counters. */
export function recountSession(snapshot: HermesSnapshot, sessionId: string): Action[] {
  const before = snapshot.sessionCells(sessionId, ['message_count', 'tool_call_count']);
  const where: CellMap = { session_id: sessionId, ...(snapshot.columns.messages.has('active') ? { active: 1 } : {}) };
  const after: CellMap = {};
  if ('message_count' in before) after['message_count'] = { $count: { table: 'messages', where } };
  if ('tool_call_count' in before) after['tool_call_count'] = { $arrayLengths: { table: 'messages', where, column: 'tool_calls' } };
  if (Object.keys(after).length === 0) return [];
  return [{ kind: 'update-rows', database: snapshot.ref.path, table: 'sessions', rows: [{ key: { id: sessionId }, before, after }] }];
}

/**
 * What must be done so that rows can be inserted at all: the triggers of the CJK index need a tokenizer that only the product has.
 * They are dropped and the index is marked stale, as the product does; its own optimize-storage builds it again.
 */
export function withoutCjkTriggers(snapshot: HermesSnapshot): Action[] {
  const triggers = snapshot.cjkTriggers();
  if (triggers.length === 0) return [];
  const database = snapshot.ref.path;
  const stale = snapshot.stateMeta('fts_cjk_stale');
  const mark: Action =
    stale === undefined
      ? { kind: 'insert-rows', database, table: 'state_meta', rows: [{ key: 'fts_cjk_stale', value: '1' }] }
      : { kind: 'update-rows', database, table: 'state_meta', rows: [{ key: { key: 'fts_cjk_stale' }, before: { value: stale }, after: { value: '1' } }] };
  return [{ kind: 'drop-triggers', database, triggers }, mark];
}
