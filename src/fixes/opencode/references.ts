import type { MappedColumn } from '../../model/step.ts';
import type { IdUse, OpencodeSnapshot } from '../../stores/opencode/types.ts';

/** A column that may hold message ids (opencode format notes §4.1); `scope`: rows of the session only. */
type Reference = { table: string; column: string; path?: string[]; embedded?: boolean; scope?: 'session_id' | 'id' };

const messageReferences: readonly Reference[] = [
  { table: 'message', column: 'id' },
  { table: 'part', column: 'message_id' },
  { table: 'message', column: 'data', path: ['parentID'], scope: 'session_id' },
  { table: 'message', column: 'data', path: ['id'], scope: 'session_id' },
  { table: 'part', column: 'data', path: ['tail_start_id'], scope: 'session_id' },
  { table: 'part', column: 'data', path: ['coveredUpTo'], scope: 'session_id' },
  { table: 'part', column: 'data', path: ['messageID'], scope: 'session_id' },
  { table: 'session', column: 'revert', path: ['messageID'], scope: 'id' },
  // Other sessions may name these rows: a fork its origin, a child its parent's watermark.
  { table: 'session', column: 'fork_message_id' },
  { table: 'session', column: 'context_watermark' },
  { table: 'session', column: 'last_checkpoint_message_id' },
  { table: 'actor_registry', column: 'context_watermark' },
  { table: 'session_prefix_snapshot', column: 'watermark_message_id' },
  { table: 'turn_lane_state', column: 'consumed_frontier' },
  { table: 'turn_receipt', column: 'claim_frontier' },
  { table: 'turn_receipt', column: 'message_id' },
  { table: 'turn_receipt', column: 'delivery_message_id' },
  { table: 'turn_receipt', column: 'intent', path: ['messageID'], scope: 'session_id' },
  { table: 'turn_receipt', column: 'intent', path: ['assistantID'], scope: 'session_id' },
  { table: 'turn_receipt', column: 'id', embedded: true, scope: 'session_id' },
  { table: 'turn_receipt', column: 'idempotency_key', embedded: true, scope: 'session_id' },
  { table: 'turn_legacy_bootstrap', column: 'message_ids', path: ['*'], scope: 'session_id' },
  { table: 'external_import', column: 'message_ids', path: ['*'], scope: 'session_id' },
  { table: 'claude_import', column: 'message_ids', path: ['*'], scope: 'session_id' },
  { table: 'history_fts', column: 'message_id' },
];

const partReferences: readonly Reference[] = [
  { table: 'part', column: 'id' },
  { table: 'session', column: 'revert', path: ['partID'], scope: 'id' },
  // The search index once cut long parts into rows named `prt_…#n`.
  { table: 'history_fts', column: 'part_id', embedded: true, scope: 'session_id' },
];

function present(references: readonly Reference[], snapshot: OpencodeSnapshot, sessionId: string): MappedColumn[] {
  return references
    .filter(({ table, column, scope }) => snapshot.has(table, column) && (scope === undefined || snapshot.has(table, scope)))
    .map(({ table, column, path, embedded, scope }) => ({
      table,
      column,
      ...(path ? { path } : {}),
      ...(embedded ? { embedded } : {}),
      ...(scope ? { where: { [scope]: sessionId } } : {}),
    }));
}

/** Every column of this database that may hold ids of messages of a session. */
export function messageColumns(snapshot: OpencodeSnapshot, sessionId: string): MappedColumn[] {
  return present(messageReferences, snapshot, sessionId);
}

/** The same for ids of parts. */
export function partColumns(snapshot: OpencodeSnapshot, sessionId: string): MappedColumn[] {
  return present(partReferences, snapshot, sessionId);
}

/** Tables that keep their own copies of ids and are read in another order: they stay as they are. */
const kept = new Set(['event', 'session_message', 'session_input', 'session_pending', 'session_inbox']);

/** Where ids stand in a column of their own that no reference names: a shape that is not known. */
export function unknownUses(uses: readonly IdUse[]): IdUse[] {
  const named = new Set(messageReferences.map(({ table, column, path = [] }) => JSON.stringify([table, column, path])));
  return uses.filter((use) => use.whole && !kept.has(use.table) && !named.has(JSON.stringify([use.table, use.column, use.path])));
}

/** In how many texts ids are only mentioned; those stay as they were written. */
export function mentions(uses: readonly IdUse[]): number {
  const embedded = new Set(messageReferences.filter((reference) => reference.embedded).map(({ table, column }) => `${table}.${column}`));
  return uses.filter((use) => !use.whole && !kept.has(use.table) && !embedded.has(`${use.table}.${use.column}`)).reduce((sum, use) => sum + use.count, 0);
}
