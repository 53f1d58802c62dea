import { readId, timeNear } from '../../ids/index.ts';
import { revertCleanup } from '../../readers/opencode/revert.ts';
import type { OrderRules } from '../../readers/opencode/rules.ts';
import type { MessageRow, OpencodeSnapshot, RevertPoint, SessionRow } from '../../stores/opencode/types.ts';
import { harmedRules } from './order.ts';

/** A pending undo for which counting by id and counting by time delete different rows. */
export type ArmedRevert = {
  revert: RevertPoint;
  rows: readonly MessageRow[];
  /** The row of the undo point, when it is still there. */
  point: MessageRow | null;
  deletedById: MessageRow[];
  afterByTime: MessageRow[];
  /** Rows that only the count by id deletes. */
  wrong: MessageRow[];
};

/** The rows at or after the undo point in time; where its row is gone, those after the time that its id was minted at. */
function rowsAfter(rows: readonly MessageRow[], session: SessionRow, revert: RevertPoint): MessageRow[] {
  const byTime = revertCleanup(rows, revert, { order: 'time', mints: 'v1' }).deletedMessages;
  if (rows.some((row) => row.id === revert.messageId)) return byTime;
  const reading = readId(revert.messageId, session.updated);
  if (reading === null) return byTime;
  const point = timeNear(reading, session.updated);
  return rows.filter((row) => row.time >= point);
}

/** The pending undo of a session if it is dangerous, or null. */
export function armedRevert(snapshot: OpencodeSnapshot, session: SessionRow, rules: OrderRules): ArmedRevert | null {
  const { revert } = session;
  // Where the ids of a session agree with its times, both ways of counting delete the same rows.
  if (revert === null || !snapshot.disordered().has(session.id)) return null;
  const rows = snapshot.messages(session.id);
  const deletedById = revertCleanup(rows, revert, harmedRules(rules)).deletedMessages;
  const afterByTime = rowsAfter(rows, session, revert);
  const wanted = new Set(afterByTime.map((row) => row.id));
  const wrong = deletedById.filter((row) => !wanted.has(row.id));
  if (deletedById.length === afterByTime.length && wrong.length === 0) return null;
  return { revert, rows, point: rows.find((row) => row.id === revert.messageId) ?? null, deletedById, afterByTime, wrong };
}
