import type { Action, CellMap, Shift } from '../../model/step.ts';
import type { Left } from '../fix.ts';
import { keepList } from './active-list.ts';
import { relinksNext, resultRows, type OpenTurn } from './open-turns.ts';
import { markRewritten, relinkEvent, type StoredWindow } from './stored-window.ts';

/** A result row and where it is to stand. */
type NewRow = { seq: number; id: string; parentId: string | null; json: string; createdAt: number };

/**
 * Writes results behind calls of a stored transcript. Its rows are read in the order of their numbers, and a row whose parent
 * comes later counts as lost: the results need numbers between the others, so those behind them move on, with whatever
 * refers to them.
 */
export function answerStoredCalls(window: StoredWindow, open: readonly OpenTurn[]): { actions: Action[] } | Left {
  const { database, sessionId, storage } = window;
  if (storage.lastSeq + 1 !== storage.events) return { left: 'numbers are missing among its rows (transcript/sequence-gap): no row is put between them' };
  if (open.some((turn) => turn.row === null)) return { left: 'its rows have no ids' };
  const shifts: Shift[] = [];
  const rows: NewRow[] = [];
  const relinks: Action[] = [];
  for (const turn of open) {
    const call = turn.line - 1;
    const createdAt = (turn.at === null ? null : Date.parse(turn.at)) ?? storage.createdAt(call);
    if (createdAt === null) return { left: `row ${turn.row} has no time` };
    for (const row of resultRows(turn)) rows.push({ ...row, seq: call + 1 + rows.length, createdAt });
    shifts.push({ from: call + 1, by: turn.calls.length });
    const last = turn.calls.at(-1)?.resultRow;
    if (relinksNext(turn) && last !== undefined) relinks.push(...relinkEvent(window, { seq: turn.nextLine - 1, id: turn.nextRow, before: turn.nextParent, after: last }));
  }
  const where = { session_id: sessionId };
  const shift = (table: string, column: string, moved: Shift[], count: number): Action[] => (count === 0 ? [] : [{ kind: 'shift-rows', database, table, where, column, shifts: moved, rows: count }]);
  const insert = (table: string, cells: CellMap[]): Action => ({ kind: 'insert-rows', database, table, rows: cells });
  const first = shifts[0]?.from ?? 0;
  const actions = [
    ...relinks,
    ...shift('transcript_events', 'seq', shifts, storage.lastSeq + 1 - first),
    insert('transcript_events', rows.map(({ seq, json, createdAt }) => ({ ...where, seq, event_json: json, created_at: createdAt, ...(storage.packed ? { event_utf8_bytes: Buffer.byteLength(json) } : {}) }))),
  ];
  if (storage.identitiesFrom !== null) {
    actions.push(...shift('transcript_event_identities', 'seq', shifts, storage.identitiesFrom(first)));
    actions.push(insert('transcript_event_identities', rows.map(({ seq, id, parentId, createdAt }) => ({ ...where, event_id: id, seq, event_type: 'message', parent_id: parentId, message_idempotency_key: null, created_at: createdAt }))));
  }
  const list = keepList(window, shifts, rows);
  if ('left' in list) return list;
  return { actions: [...actions, ...list.actions, ...markRewritten(window)] };
}
