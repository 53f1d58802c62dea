import { compareIds } from '../../ids/index.ts';
import type { FindingDraft } from '../../model/check.ts';
import type { MessageRow, OpencodeDigest, OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { skipWithoutMessages } from '../shared/needs.ts';
import { harmed, plural, rulesOf, slicesOf } from '../shared/order.ts';
import { byEpoch } from '../shared/wrap.ts';

/** Ids and times of one row are two readings of the clock: rows of neighbouring milliseconds may change places (opencode #46102). */
const twoReadingsMs = 100;

function outOfPlace(rows: readonly MessageRow[]): { rows: MessageRow[]; widest: number } {
  const byId = [...rows].sort((a, b) => compareIds(a.id, b.id));
  const moved = rows.filter((row, index) => byId[index]?.id !== row.id);
  const widest = rows.reduce((most, row, index) => Math.max(most, Math.abs(row.time - (byId[index]?.time ?? row.time))), 0);
  return { rows: moved, widest };
}

function* skewedSession(digest: OpencodeDigest, snapshot: OpencodeSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const moved: MessageRow[] = [];
  let widest = 0;
  for (const slice of slicesOf(digest.rows).values()) {
    for (const stretch of byEpoch(slice)) {
      const found = outOfPlace(stretch);
      if (found.widest <= twoReadingsMs) continue;
      moved.push(...found.rows);
      widest = Math.max(widest, found.widest);
    }
  }
  if (moved.length === 0) return;
  yield {
    session: digest.sessionId,
    message: `${plural(moved.length, 'message')} stand in another place by id than by time, inside one epoch and up to ${(widest / 1000).toFixed(1)} s apart: a clock was set, or a client with another clock made the ids.`,
    details: [`rows: ${moved.slice(0, 8).map((row) => row.id).join(', ')}${moved.length > 8 ? ', …' : ''}`],
    location: { path: context.store.path, table: 'message', row: moved[0]?.id ?? '' },
    evidence: { rowsOutOfPlace: moved.length, rows: moved.slice(0, 1000).map((row) => row.id), widestMs: widest },
    affects: harmed(context, rulesOf(snapshot, context)),
    record: 'skew',
  };
}

export default defineCheck({
  meta: {
    id: 'order/clock-skew-inversion',
    severity: 'info',
    title: 'ids out of order inside one epoch: a clock was set or skewed',
    products: ['opencode', 'mimocode'],
    fix: { id: null, class: 'none' },
    affects: 'readers that order by id: opencode before 1.18.15, MiMo-Code',
  },
  opencode: { session: skewedSession, store: skipWithoutMessages },
  mimocode: { session: skewedSession, store: skipWithoutMessages },
});
