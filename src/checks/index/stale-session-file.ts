import type { FindingDraft } from '../../model/check.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';
import { entryPlace, shortName } from '../shared/openclaw-names.ts';
import { filesById, headerIdsOf, needsNoTranscript, whereabouts } from '../shared/openclaw-transcript-of.ts';

function* stale(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  if (snapshot.layout !== 'jsonl') return;
  const files = filesById(snapshot);
  const headerIds = headerIdsOf(snapshot);
  for (const entry of snapshot.entries) {
    if (needsNoTranscript(entry)) continue;
    const found = whereabouts(snapshot, files, headerIds, entry);
    if (found.state !== 'pointer') continue;
    yield {
      session: entry.sessionId,
      sessionKey: entry.key,
      message: `The index points this chat at ${shortName(found.pointsAt)}, but its current session is ${entry.sessionId}, whose own transcript exists.`,
      location: entryPlace(snapshot, entry),
      evidence: { sessionId: entry.sessionId, pointsAt: found.pointsAt, pointedFileExists: headerIds.has(found.pointsAt), ownFile: found.file.name },
      record: entry.key,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'index/stale-session-file',
    severity: 'error',
    title: "an entry points at another session's file while its own exists",
    products: ['openclaw'],
    fix: { id: 'relink-transcript', class: 'judgement' },
    affects: 'readers of the JSONL era: they show and continue the wrong transcript',
  },
  openclaw: { store: stale },
});
