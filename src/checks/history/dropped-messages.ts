import type { FindingDraft } from '../../model/check.ts';
import { noFix, type Confidence } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import type { LostMessage, OpencodeSnapshot } from '../../stores/opencode/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { shellWord } from '../engine.ts';
import { lostBySession, type LostSession } from '../shared/lost.ts';
import { lacks } from '../shared/needs.ts';
import { plural, when } from '../shared/order.ts';
import { boundariesBetween } from '../shared/wrap.ts';

const places: Record<LostMessage['source'], string> = { history_fts: 'the search index (history_fts)', event: 'the event log', json: 'the JSON files of before 1.2.0' };

/**
 * How sure it is that nobody meant it. The event log knows. Without it, a block that begins somewhere in the session and has no
 * row inside may as well be an undo; a loss that ends at an id wrap, or lies between rows that are left, is none.
 */
function confidenceOf(snapshot: OpencodeSnapshot, { sessionId, messages }: LostSession, first: number, last: number): Confidence {
  if (messages.some((message) => message.sources.some((source) => source.source === 'event'))) return 'certain';
  const rows = snapshot.messages(sessionId);
  if (rows.some((row) => row.time > first && row.time < last)) return 'certain';
  const next = rows.find((row) => row.time >= last);
  const before = rows.some((row) => row.time < first);
  if (!before && next !== undefined && boundariesBetween(last, next.time).length > 0) return 'certain';
  return before ? 'suspect' : 'likely';
}

function* droppedMessages(snapshot: OpencodeSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (snapshot.ref.layout === 'json' || lacks(snapshot, context, 'message', 'id', 'session_id', 'time_created')) return;
  for (const lost of lostBySession(snapshot)) {
    const { sessionId, messages } = lost;
    const sources = messages.flatMap((message) => message.sources);
    const index = sources.filter((source) => source.source === 'history_fts');
    const timed = index.length > 0 ? index : sources.filter((source) => source.firstTime !== 0);
    const first = timed.reduce((least, source) => Math.min(least, source.firstTime), Number.POSITIVE_INFINITY);
    const last = timed.reduce((most, source) => Math.max(most, source.lastTime), Number.NEGATIVE_INFINITY);
    const left = snapshot.countMessages(sessionId);
    const imported = snapshot.sessions().has(sessionId);
    const confidence = imported ? confidenceOf(snapshot, lost, first, last) : 'likely';
    const survives = [...new Set(sources.map((source) => source.source))].map((source) => places[source]);
    const rows = index.reduce((sum, source) => sum + source.records, 0);
    yield {
      session: sessionId,
      confidence,
      message: imported
        ? `${plural(messages.length, 'message')} from ${when(first)} to ${when(last)} ${messages.length === 1 ? 'is' : 'are'} gone from the session; ${survives.join(' and ')} still ${survives.length === 1 && sources[0]?.source !== 'json' ? 'has' : 'have'} ${messages.length === 1 ? 'it' : 'them'}. ${plural(left, 'message')} ${left === 1 ? 'is' : 'are'} left.`
        : `The session was never imported from ${places.json}, because its project file is missing: ${plural(messages.length, 'message')} from ${when(first)} to ${when(last)}.`,
      details: [
        ...(index.length > 0 ? ['Copy the database before a newer MiMo-Code is started on it: its index migration deletes these rows of the search index.'] : []),
        ...(confidence === 'suspect' ? ['Nothing tells whether a user took them back with undo: the store has no event log of it.'] : []),
        `sessionfsck recover ${shellWord(context.store.path)} -o DIR writes out what survives.`,
      ],
      location: { path: context.store.path, table: 'message' },
      evidence: {
        droppedMessages: messages.length,
        messagesLeft: left,
        ftsRows: rows,
        events: sources.filter((source) => source.source === 'event').length,
        files: sources.filter((source) => source.source === 'json').length,
        firstTime: isoTime(first),
        lastTime: isoTime(last),
        messages: messages.slice(0, 1000).map((message) => message.messageId),
      },
      record: 'dropped',
    };
  }
}

export default defineCheck({
  meta: {
    id: 'history/dropped-messages',
    severity: 'error',
    title: 'messages are gone that another place in the store still has',
    products: ['opencode', 'mimocode'],
    fix: noFix,
    affects: 'every reader: the agent does not see these messages',
  },
  opencode: { store: droppedMessages },
  mimocode: { store: droppedMessages },
});
