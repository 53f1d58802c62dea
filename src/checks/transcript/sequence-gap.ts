import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';

function* sequenceGaps(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  if (!snapshot.sqlite) return;
  const keys = new Map(snapshot.sqlite.windows.map((window) => [window.sessionId, window.sessionKey]));
  for (const { sessionId, events, first, last } of snapshot.sqlite.sequenceGaps()) {
    const missing = last + 1 - events;
    yield {
      session: sessionId,
      sessionKey: keys.get(sessionId) ?? null,
      message: `${missing} of ${last + 1} sequence numbers of this transcript have no event.`,
      details: [`the events run from ${first} to ${last}; the product writes them from 0 without a gap`],
      location: { path: snapshot.sqlite.path, table: 'transcript_events', row: sessionId },
      evidence: { events, firstSeq: first, lastSeq: last, missing },
    };
  }
}

export default defineCheck({
  meta: {
    id: 'transcript/sequence-gap',
    severity: 'error',
    title: 'events are missing from the middle or the beginning of a stored transcript',
    products: ['openclaw'],
    fix: noFix,
    affects: 'openclaw 2026.8.1 and later',
  },
  openclaw: { store: sequenceGaps },
});
