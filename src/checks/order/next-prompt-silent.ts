import type { FindingDraft } from '../../model/check.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { lacks } from '../shared/needs.ts';
import { grade, harmed, harmedRules, orderFix, plural, rulesOf } from '../shared/order.ts';
import { nextPromptHarm } from '../shared/silent.ts';

function* silentNext(snapshot: OpencodeSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (snapshot.ref.layout === 'json' || lacks(snapshot, context, 'message', 'id', 'session_id', 'time_created', 'data')) return;
  const rules = rulesOf(snapshot, context);
  if (rules.mints === 'v2') return;
  const sessions: string[] = [];
  const repeating: string[] = [];
  for (const span of snapshot.spans()) {
    const harm = nextPromptHarm(snapshot, span, harmedRules(rules), context.now);
    if (harm === 'silent') sessions.push(span.sessionId);
    else if (harm === 'repeats') repeating.push(span.sessionId);
  }
  if (sessions.length === 0) return;
  const asleep = rules.order === 'time';
  yield {
    session: null,
    severity: grade(rules, 'warning'),
    message: `${plural(sessions.length, 'session')} will go silent at the very next prompt${asleep ? ' of a reader that orders by id' : ''}: the newest finished reply sorts by id after anything that can be minted now.`,
    details: [
      asleep ? 'This reader orders by time and answers; do not go back to an older one.' : 'Nothing is lost yet. Upgrade before anybody writes there, or repair their ids.',
      `sessions: ${sessions.slice(0, 5).join(', ')}${sessions.length > 5 ? `, and ${sessions.length - 5} more` : ''}`,
      ...(repeating.length > 0 ? [`${plural(repeating.length, 'session')} more would ask the provider again and again until stopped, because an unanswered or aborted row sorts last: ${repeating.slice(0, 5).join(', ')}`] : []),
    ],
    location: { path: context.store.path, table: 'message' },
    evidence: { sessions, ...(repeating.length > 0 ? { repeating } : {}) },
    affects: harmed(context, rules),
    fix: orderFix(rules),
  };
}

export default defineCheck({
  meta: {
    id: 'order/next-prompt-silent',
    severity: 'warning',
    title: 'sessions whose next prompt will get no reply',
    products: ['opencode', 'mimocode'],
    fix: { id: 'rekey-prewrap-ids', class: 'judgement' },
    affects: 'readers that order by id and mint v1 ids: opencode before 1.18.15, MiMo-Code up to 0.1.12',
  },
  opencode: { store: silentNext },
  mimocode: { store: silentNext },
});
