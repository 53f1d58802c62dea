import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { rowKinds } from '../../stores/openclaw/digest-types.ts';
import type { OpenclawSnapshot, TranscriptDigest } from '../../stores/openclaw/types.ts';
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

/** The first event is there, but it is no session header: the runtime refuses such a transcript (openclaw issue 118675). */
function* headless(digest: TranscriptDigest, snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  const { rows, header, file } = digest;
  if (file.kind !== 'window' || header !== null || rows.length === 0 || rows.line[0] !== 1) return;
  yield {
    session: digest.sessionId,
    sessionKey: digest.sessionKey,
    message: `The first of ${rows.length} events of this transcript is no session header but a ${rowKinds[rows.kind[0] ?? 0] ?? 'row'}: the runtime takes it for a legacy transcript and refuses each turn.`,
    details: ['openclaw doctor --fix puts a header before such a transcript'],
    location: { path: snapshot.sqlite?.path ?? file.path, table: 'transcript_events', row: `${digest.sessionId}/0` },
    evidence: { events: rows.length, firstSeq: 0, lastSeq: (rows.line[rows.length - 1] ?? 1) - 1, missing: 0, firstEvent: rowKinds[rows.kind[0] ?? 0] ?? 'other' },
    record: 'header',
  };
}

export default defineCheck({
  meta: {
    id: 'transcript/sequence-gap',
    severity: 'error',
    title: 'events are missing from a stored transcript, or it does not begin with a header',
    products: ['openclaw'],
    fix: noFix,
    affects: 'openclaw 2026.8.1 and later',
  },
  openclaw: { session: headless, store: sequenceGaps },
});
