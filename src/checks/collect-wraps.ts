import { formatOfId, wrapAfter, wrapBefore } from '../ids/index.ts';
import type { WrapResult, WrapRow, WrapState, WrapStore } from '../model/wrap.ts';
import { unansweredPrompts } from '../readers/opencode/unanswered.ts';
import type { OrderRules } from '../readers/opencode/rules.ts';
import type { OpencodeSnapshot, SessionSpan } from '../stores/opencode/types.ts';
import type { CheckContext } from './check.ts';
import { eachStore, refuseDamage } from './each-store.ts';
import { chooseReader, type ScanOptions } from './scan.ts';
import { armedRevert } from './shared/armed.ts';
import { rulesOf, slicesOf } from './shared/order.ts';
import { nextPromptHarm } from './shared/silent.ts';
import { wedgedBy } from './shared/wedged.ts';
import { boundariesBetween, straddle } from './shared/wrap.ts';

const worstFirst: readonly WrapState[] = ['wedged', 'silent-next', 'repeats-next', 'out-of-order', 'in-order'];

/** The sessions around an id epoch of every opencode and MiMo-Code store at `paths`. Never throws for what a store holds. */
export async function collectWraps(paths: readonly string[], options: ScanOptions = {}): Promise<WrapResult> {
  const now = options.now ?? Date.now();
  const stores: WrapStore[] = [];
  const errors = await eachStore(paths, options, (opened) => {
    if (opened.product !== 'opencode' && opened.product !== 'mimocode') return;
    const { snapshot } = opened;
    refuseDamage(opened);
    stores.push(wrapsOf(snapshot, { store: snapshot.ref, reader: chooseReader(snapshot, options.readers), now }));
  });
  return { stores, errors };
}

/** What the wraps of one opened store come to, for the reader and the clock of `context`. */
export function wrapsOf(snapshot: OpencodeSnapshot, context: Pick<CheckContext, 'store' | 'reader' | 'now'>): WrapStore {
  const rules = rulesOf(snapshot, context);
  const rows: WrapRow[] = [];
  const last = wrapBefore(context.now);
  for (const span of snapshot.spans()) {
    if (!snapshot.sessions().has(span.sessionId)) continue;
    const row = rowOf(snapshot, span, rules, context.now, last);
    if (row !== null) rows.push(row);
  }
  rows.sort((a, b) => worstFirst.indexOf(a.state) - worstFirst.indexOf(b.state) || b.after - a.after || b.before - a.before || (a.session < b.session ? -1 : 1));
  return {
    store: context.store.id,
    name: context.store.label,
    product: context.store.product === 'mimocode' ? 'mimocode' : 'opencode',
    readerVersion: context.reader.version,
    order: rules.order,
    mints: rules.mints,
    boundary: last,
    nextBoundary: wrapAfter(context.now),
    sessions: snapshot.sessions().size,
    hit: rows.filter((row) => row.state !== 'in-order').length,
    rows,
  };
}

/** A session's row, or null when it lies wholly on one side and its next prompt is answered. */
function rowOf(snapshot: OpencodeSnapshot, span: SessionSpan, rules: OrderRules, now: number, lastWrap: number): WrapRow | null {
  const crossed = boundariesBetween(span.firstTime, Math.min(span.lastTime, now)).at(-1);
  const concerned = rules.order === 'id' && rules.mints === 'v1' && (crossed !== undefined || span.lastTime < lastWrap);
  const harm = concerned ? nextPromptHarm(snapshot, span, rules, now) : null;
  if (crossed === undefined && harm === null) return null;
  const boundary = crossed ?? lastWrap;
  const session = snapshot.sessions().get(span.sessionId);
  const disordered = snapshot.disordered().has(span.sessionId);
  const main = disordered ? (slicesOf(snapshot.messages(span.sessionId)).get('main') ?? []) : snapshot.tail(span.sessionId, 'main', 40).reverse();
  const wedge = disordered && rules.order === 'id' ? wedgedBy(snapshot, span.sessionId, main, rules) : null;
  const waiting = wedge?.waiting ?? unansweredPrompts(main);
  const state: WrapState = wedge !== null ? 'wedged' : harm !== null ? `${harm}-next` : disordered && rules.order === 'id' && straddle(main) !== null ? 'out-of-order' : 'in-order';
  const looked = disordered ? main.map((row) => formatOfId(row.id, row.time)) : [formatOfId(span.firstId, span.firstTime), formatOfId(span.lastId, span.lastTime)];
  return {
    session: span.sessionId,
    boundary,
    nextBoundary: wrapAfter(now),
    ...snapshot.countSides(span.sessionId, boundary),
    formats: [...new Set(looked)],
    state,
    unanswered: waiting.length,
    unansweredSince: waiting[0]?.time ?? null,
    newestPrompt: main.findLast((row) => row.role === 'user')?.time ?? null,
    armed: session !== undefined && rules.order === 'id' && armedRevert(snapshot, session, rules) !== null,
    archived: session !== undefined && session.archived !== null,
  };
}
