import { compareIds } from '../../ids/index.ts';
import { noFix, type FixRef, type Severity } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import { formatReader } from '../../model/version.ts';
import { mimocodeRules } from '../../readers/mimocode/rules.ts';
import { visibleRows } from '../../readers/opencode/compacted.ts';
import { opencodeRules, type OrderRules } from '../../readers/opencode/rules.ts';
import type { MessageRow, OpencodeSnapshot, SessionRow } from '../../stores/opencode/types.ts';
import type { CheckContext } from '../check.ts';

/** The rules of the build that will read this store. */
export function rulesOf(snapshot: OpencodeSnapshot, context: Pick<CheckContext, 'store' | 'reader'>): OrderRules {
  return context.store.product === 'mimocode' ? mimocodeRules(context.reader, snapshot.holdsV2Ids()) : opencodeRules(context.reader);
}

/** The rules of the same product's builds that are harmed: they order by id. */
export function harmedRules(rules: OrderRules): OrderRules {
  return { ...rules, order: 'id' };
}

/** How a finding of `order/*` is graded: a build that orders by time is not harmed, and nobody waits in an archived session. */
export function grade(rules: OrderRules, usual: Severity, session: SessionRow | null = null): Severity {
  return rules.order === 'time' || (session !== null && session.archived !== null) ? 'info' : usual;
}

/** The repair that puts the ids of a straddling session in order; none where the reader does not need it. */
export function orderFix(rules: OrderRules): FixRef {
  if (rules.order === 'time') return noFix;
  return { id: rules.mints === 'v2' ? 'convert-postwrap-ids' : 'rekey-prewrap-ids', class: 'judgement' };
}

/** Whom an order of ids that is not the order of time harms, in words. */
export function harmed(context: CheckContext, rules: OrderRules): string {
  if (context.store.product === 'mimocode') return rules.mints === 'v2' ? 'every MiMo-Code build known orders by id; those that mint v2 ids answer new prompts' : 'MiMo-Code builds up to 0.1.12, which mint v1 ids; every build known orders by id';
  if (rules.order === 'time') return `opencode before 1.18.15; ${formatReader(context.reader)} orders by time`;
  return 'opencode before 1.18.15, which orders by id; later builds order by time and need no repair';
}

/** The rows by agent slice, `main` first; each slice in (time, id) order. */
export function slicesOf(rows: readonly MessageRow[]): Map<string, MessageRow[]> {
  const slices = new Map<string, MessageRow[]>([['main', []]]);
  for (const row of rows) {
    const slice = slices.get(row.agent);
    if (slice) slice.push(row);
    else slices.set(row.agent, [row]);
  }
  return slices;
}

/** What compaction leaves of a session's rows, for the reader models. */
export function visibleFor(snapshot: OpencodeSnapshot, sessionId: string): (rows: readonly MessageRow[]) => MessageRow[] {
  const marks = snapshot.carriers(sessionId).filter((carrier) => carrier.type === 'compaction');
  return (rows) => visibleRows(rows, marks);
}

/** The row with the greatest id, or null. */
export function greatestById(rows: readonly MessageRow[]): MessageRow | null {
  let greatest: MessageRow | null = null;
  for (const row of rows) if (greatest === null || compareIds(row.id, greatest.id) > 0) greatest = row;
  return greatest;
}

/** A time for people: UTC to the second, or what the store holds where no calendar has such a time. */
export function when(ms: number): string {
  const iso = isoTime(ms);
  return iso === null ? `the impossible time ${ms}` : `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}

/** `1 message`, `3 messages`. */
export function plural(count: number, word: string, many = `${word}s`): string {
  return `${count} ${count === 1 ? word : many}`;
}
