import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import { continuationsOf, continuationTip } from '../../readers/hermes/lineage.ts';
import type { HermesSnapshot } from '../../stores/hermes/types.ts';
import { defineCheck } from '../check.ts';
import { sessionAt } from '../shared/hermes.ts';

function* forks(snapshot: HermesSnapshot): Iterable<FindingDraft> {
  for (const parent of snapshot.sessions()) {
    if (parent.endReason !== 'compression') continue;
    const children = continuationsOf(parent, snapshot.childrenOf(parent.id));
    if (children.length < 2) continue;
    const ids = children.map((child) => child.id).sort();
    const tip = continuationTip(parent, (id) => snapshot.childrenOf(id), (id) => snapshot.activity(id).lastMessageAt ?? 0);
    yield {
      session: parent.id,
      sessionKey: parent.sessionKey,
      message: `${ids.length} sessions continue the compressed session ${parent.id}; a conversation goes on in one of them only.`,
      details: [
        ...children.slice(0, 6).map((child) => {
          const { messages, lastMessageAt } = snapshot.activity(child.id);
          return `${child.id}: began ${isoTime(child.startedAt) ?? 'at an unknown time'}, ${messages} rows, last ${isoTime(lastMessageAt) ?? 'none'}, ${child.endedAt === null ? 'open' : `ended (${child.endReason ?? 'no reason'})`}`;
        }),
        `Hermes resumes ${tip.id}; what was said in the others is not in its context.`,
      ],
      location: sessionAt(snapshot, parent),
      evidence: { children: ids, resumed: tip.id },
    };
  }
}

export default defineCheck({
  meta: {
    id: 'compaction/forked-continuation',
    severity: 'warning',
    title: 'a compressed session has two or more continuations',
    products: ['hermes'],
    fix: noFix,
    affects: 'every Hermes build: it follows one continuation, the others are dead ends',
  },
  hermes: { store: forks },
});
