import type { FindingDraft } from '../../model/check.ts';
import { isoTime } from '../../model/time.ts';
import type { OpencodeDigest, OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { skipWithoutMessages } from '../shared/needs.ts';
import { grade, harmed, orderFix, plural, rulesOf, slicesOf, when } from '../shared/order.ts';
import { straddle } from '../shared/wrap.ts';

function* straddlingSession(digest: OpencodeDigest, snapshot: OpencodeSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const hit = [...slicesOf(digest.rows)].map(([agent, rows]) => ({ agent, rows, found: straddle(rows) })).filter((slice) => slice.found !== null);
  const [first] = hit;
  if (first === undefined || first.found === null) return;
  const { agent, rows, found } = first;
  const rules = rulesOf(snapshot, context);
  const { before, after, misplaced, v2, v1After, boundary } = found;
  const counts = { preWrap: before.length, postWrap: after.length, messages: rows.length };
  yield {
    session: digest.sessionId,
    severity: grade(rules, 'warning', digest.session),
    message:
      v2.length > 0
        ? `${plural(v1After.length, 'message')} written after the id wrap with an id of the old format ${v1After.length === 1 ? 'sorts' : 'sort'} before the ${plural(before.length, 'older message')}; the ${plural(v2.length, 'message')} of the new format ${v2.length === 1 ? 'is' : 'are'} in place.`
        : `The session lies on both sides of the id wrap of ${when(boundary)}: its ${plural(after.length, 'newer message')} ${after.length === 1 ? 'sorts' : 'sort'} by id before ${misplaced.length === after.length ? '' : 'some of '}its ${plural(before.length, 'older message')}.`,
    details: [
      `by time it ends with ${rows.at(-1)?.id ?? ''} (${when(rows.at(-1)?.time ?? 0)})`,
      ...(hit.length > 1 ? [`also in ${plural(hit.length - 1, 'other agent slice')}: ${hit.slice(1).map((slice) => slice.agent).join(', ')}`] : []),
    ],
    location: { path: context.store.path, table: 'message' },
    evidence: {
      ...counts,
      ...(v2.length > 0 ? { misplacedRows: v1After.length, v2Rows: v2.length } : { misplacedRows: misplaced.length }),
      boundary: isoTime(boundary),
      agents: hit.map((slice) => slice.agent),
      agent,
    },
    affects: harmed(context, rules),
    fix: orderFix(rules),
  };
}

export default defineCheck({
  meta: {
    id: 'order/id-wrap-inversion',
    severity: 'warning',
    title: 'rows on both sides of an id wrap: the order of ids is not the order of time',
    products: ['opencode', 'mimocode'],
    fix: { id: 'rekey-prewrap-ids', class: 'judgement' },
    affects: 'readers that order by id: opencode before 1.18.15, MiMo-Code',
  },
  opencode: { session: straddlingSession, store: skipWithoutMessages },
  mimocode: { session: straddlingSession, store: skipWithoutMessages },
});
