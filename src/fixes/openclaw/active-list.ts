import type { Action, CellMap, Shift } from '../../model/step.ts';
import type { Left } from '../fix.ts';
import type { BranchRow, StoredWindow } from './stored-window.ts';

const table = 'session_transcript_active_events';

/** What becomes of the product's own list of the active branch. */
export type ListChange = { actions: Action[]; grows: number };

/** A row that is in neither the events nor the list yet; `seq` as it will be. */
export type AddedRow = { seq: number };

/** Whether the product takes its list for current; else it makes it anew, and a turn waits for that. */
function isCurrent({ storage: { index, lastSeq } }: StoredWindow): boolean {
  return index !== null && index['needs_rebuild'] === 0 && index['indexed_seq'] === lastSeq;
}

/**
 * Makes the product's own list of the active branch what its own rebuild would make of the repaired rows. It is not marked for
 * a rebuild instead: 2026.9.6 then refuses every turn of the chat until a gateway has made the list anew, and a turn without a
 * gateway never does (observed). A list that is marked already keeps naming the same events. `shifts`: how the events' numbers
 * move; `added`: new message rows.
 */
export function keepList(window: StoredWindow, shifts: readonly Shift[], added: readonly AddedRow[]): ListChange | Left {
  const { database, sessionId, storage } = window;
  const { path, index } = storage;
  const where = { session_id: sessionId };
  const moved = (seq: number): number => shifts.reduce((sum, { from, by }) => (from <= seq ? sum + by : sum), seq);
  const shift = (column: string, by: readonly Shift[], rows: number): Action[] => (rows === 0 || by.length === 0 ? [] : [{ kind: 'shift-rows', database, table, where, column, shifts: [...by], rows }]);
  const least = (list: readonly Shift[]): number => Math.min(...list.map(({ from }) => from));
  if (path === null) return { actions: isCurrent(window) ? updateIndex(window, added.length) : [], grows: 0 };
  const renumber = shift('event_seq', shifts, path.filter((row) => row.seq >= least(shifts)).length);
  if (!isCurrent(window)) return { actions: renumber, grows: 0 };

  const wanted = [...window.branch().map((row) => ({ ...row, seq: moved(row.seq), old: row.seq })), ...added.map(({ seq }): BranchRow & { old: null } => ({ seq, message: true, old: null }))].sort((a, b) => a.seq - b.seq);
  const positions: Shift[] = [];
  const talk: Shift[] = [];
  const cells: CellMap[] = [];
  let known = 0;
  let messages = 0;
  let knownMessages = 0;
  for (const [position, row] of wanted.entries()) {
    const listed = path[known];
    if (listed !== undefined && row.old === listed.seq) {
      if ((listed.message !== null) !== row.message) return stale;
      known++;
      if (row.message) knownMessages++;
    } else {
      grow(positions, known);
      if (row.message) grow(talk, knownMessages);
      const eligible: CellMap = storage.eligible === null ? {} : { context_eligible: row.old === null ? 1 : storage.eligible(row.old) };
      cells.push({ ...where, active_position: position, event_seq: row.seq, message_position: row.message ? messages : null, ...eligible });
    }
    if (row.message) messages++;
  }
  if (known !== path.length || (index?.['active_event_count'] ?? known) !== known || (index?.['active_message_count'] ?? knownMessages) !== knownMessages) return stale;
  const insert: Action[] = cells.length === 0 ? [] : [{ kind: 'insert-rows', database, table, rows: cells }];
  return {
    actions: [
      ...renumber,
      ...shift('active_position', positions, path.length - Math.min(least(positions), path.length)),
      ...shift('message_position', talk, path.filter((row) => row.message !== null && row.message >= least(talk)).length),
      ...insert,
      ...updateIndex(window, added.length, wanted.length, messages),
    ],
    grows: cells.length - added.length,
  };
}

const stale: Left = { left: "OpenClaw's own list of what it shows is not what its rows say", alternatives: ['start the OpenClaw gateway once and open the chat, which makes the list anew; then plan again'] };

/** One more row before what has the number `from`. */
function grow(shifts: Shift[], from: number): void {
  const last = shifts.at(-1);
  if (last?.from === from) last.by++;
  else shifts.push({ from, by: 1 });
}

/** The numbers that the product keeps of its list, as far as this schema has them. */
function updateIndex({ database, sessionId, storage }: StoredWindow, added: number, events?: number, messages?: number): Action[] {
  const now = storage.index ?? {};
  const next = { indexed_seq: storage.lastSeq + added, active_event_count: events, active_message_count: messages };
  const after: CellMap = {};
  for (const [column, value] of Object.entries(next)) if (value !== undefined && now[column] !== undefined && now[column] !== value) after[column] = value;
  const columns = Object.keys(after);
  if (columns.length === 0) return [];
  return [{ kind: 'update-rows', database, table: 'session_transcript_index_state', rows: [{ key: { session_id: sessionId }, before: Object.fromEntries(columns.map((column) => [column, now[column] ?? null])), after }] }];
}
