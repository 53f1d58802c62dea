import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import type { OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { plural, when } from '../shared/order.ts';

/** Younger messages may still be waiting for the indexer. */
const quietMs = 3_600_000;

function* unindexedMessages(snapshot: OpencodeSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (!snapshot.has('history_fts', 'part_id', 'session_id')) {
    context.skip('this database has no search index (history_fts)');
    return;
  }
  if (!snapshot.thorough) context.skip('only sessions without any index row were looked at; --deep looks at all of them');
  for (const { sessionId, parts, messages, firstTime, lastTime } of snapshot.unindexed()) {
    if (firstTime !== null && context.now - firstTime < quietMs) continue;
    yield {
      session: sessionId,
      message:
        sessionId === null
          ? `The search index is empty although there are ${plural(messages, 'message')}: search finds nothing.`
          : `${plural(parts, 'part')} of ${plural(messages, 'message')} that should be searchable ${parts === 1 ? 'is' : 'are'} not in the search index, from ${when(firstTime ?? 0)} to ${when(lastTime ?? 0)}.`,
      details: ['The walk that fills the index goes by id and passes over parts that were written after an id wrap while it ran.'],
      location: { path: context.store.path, table: 'history_fts' },
      evidence: { parts, messages, firstTime: isoTime(firstTime), lastTime: isoTime(lastTime) },
      record: 'unindexed',
    };
  }
}

export default defineCheck({
  meta: {
    id: 'history/unindexed-messages',
    severity: 'info',
    title: 'messages that should be searchable are not in the search index',
    products: ['mimocode'],
    fix: noFix,
    affects: 'search only',
  },
  mimocode: { store: unindexedMessages },
});
