import type { FindingDraft } from '../../model/check.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import type { CheckContext } from '../check.ts';

/** True when a table lacks a column that a check needs; the check then counts as skipped. */
export function lacks(snapshot: OpencodeSnapshot, context: CheckContext, table: string, ...columns: string[]): boolean {
  const missing = columns.filter((column) => !snapshot.has(table, column));
  if (missing.length === 0) return false;
  context.skip(`this database has no ${missing.map((column) => `${table}.${column}`).join(', ')}`);
  return true;
}

/** What checks that work on digests do with the store: they say so when there is nothing to make digests of. */
export function skipWithoutMessages(snapshot: OpencodeSnapshot, context: CheckContext): FindingDraft[] {
  if (snapshot.ref.layout === 'json') context.skip('the JSON layout keeps no table of messages');
  else lacks(snapshot, context, 'message', 'id', 'session_id', 'time_created', 'data');
  return [];
}
