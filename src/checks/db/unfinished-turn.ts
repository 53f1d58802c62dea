import type { FindingDraft } from '../../model/check.ts';
import { isoTime } from '../../model/time.ts';
import type { OpencodeSnapshot, UnfinishedRow } from '../../stores/opencode/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { plural, when } from '../shared/order.ts';

/** Younger rows may belong to a turn that still runs somewhere this user cannot see. */
const quietMs = 3_600_000;

function* unfinishedInOpencode(snapshot: OpencodeSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (!snapshot.thorough) context.skip('only the newest messages of each session were looked at; --deep looks at all of them');
  const bySession = new Map<string, UnfinishedRow[]>();
  for (const row of snapshot.unfinished()) {
    if (context.now - Math.max(row.time, row.touched) < quietMs) continue;
    // An importer leaves tool calls of other programs without a result.
    if (row.partId !== null && snapshot.importedSessions().has(row.sessionId)) continue;
    const rows = bySession.get(row.sessionId);
    if (rows) rows.push(row);
    else bySession.set(row.sessionId, [row]);
  }
  if (bySession.size === 0 || snapshot.inUse()) return;
  for (const [session, rows] of bySession) {
    const replies = rows.filter((row) => row.partId === null);
    const tools = rows.filter((row) => row.partId !== null);
    const newest = Math.max(...rows.map((row) => row.time));
    const words = [...(replies.length > 0 ? [`${plural(replies.length, 'reply', 'replies')} without an end`] : []), ...(tools.length > 0 ? [`${plural(tools.length, 'tool call')} still pending or running`] : [])];
    yield {
      session,
      message: `${words.join(' and ')}, the newest of ${when(newest)}, and no process has the database open: the turn was cut off.`,
      location: { path: context.store.path, table: tools.length > 0 ? 'part' : 'message', row: tools[0]?.partId ?? replies[0]?.messageId ?? '' },
      evidence: {
        rows: [...new Set(rows.map((row) => row.messageId))].slice(0, 1000),
        parts: tools.slice(0, 1000).map((row) => row.partId),
        replies: replies.length,
        toolCalls: tools.length,
        newestTime: isoTime(newest),
      },
      record: 'unfinished',
    };
  }
}

export default defineCheck({
  meta: {
    id: 'db/unfinished-turn',
    severity: 'info',
    title: 'a reply without an end, or a tool call without a result, that nothing works on any more',
    products: ['opencode', 'mimocode'],
    fix: { id: 'abort-unanswered-call', class: 'judgement' },
    affects: 'providers may refuse a history with an open tool call; the session looks busy',
  },
  opencode: { store: unfinishedInOpencode },
  mimocode: { store: unfinishedInOpencode },
});
