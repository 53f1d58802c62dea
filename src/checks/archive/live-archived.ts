import type { FindingDraft } from '../../model/check.ts';
import { isoTime } from '../../model/time.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';
import { isCronKey, shortName } from '../shared/openclaw-names.ts';
import { filesById, headerIdsOf, needsNoTranscript, whereabouts } from '../shared/openclaw-transcript-of.ts';

function* liveArchived(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  if (snapshot.layout !== 'jsonl') return;
  const files = filesById(snapshot);
  const headerIds = headerIdsOf(snapshot);
  const rows = new Map(snapshot.transcripts().map((one) => [one.file.name, one.messageRows]));
  for (const entry of snapshot.entries) {
    if (needsNoTranscript(entry)) continue;
    const found = whereabouts(snapshot, files, headerIds, entry);
    if (found.state !== 'archived') continue;
    // A run's transcript is archived when the run is reaped; the job's own entry keeps naming it until the next run.
    if (isCronKey(entry.key) && !entry.key.includes(':run:')) continue;
    const newest = found.archives.at(-1);
    if (!newest) continue;
    yield {
      session: entry.sessionId,
      sessionKey: entry.key,
      message: `The current transcript of this chat was archived under it: the index still names session ${entry.sessionId}, and its ${rows.get(newest.name) ?? 0} messages lie only in ${shortName(newest.name)}.`,
      details: found.archives.length > 1 ? [`${found.archives.length} archives have this session id; the newest was made ${isoTime(newest.archivedAt)}`] : [],
      location: { path: newest.path },
      evidence: { archive: newest.name, sessionId: entry.sessionId, archivedAt: isoTime(newest.archivedAt), archives: found.archives.map((file) => file.name) },
      record: entry.key,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'archive/live-archived',
    severity: 'error',
    title: "an archive whose id is still an entry's current one, with no live file",
    products: ['openclaw'],
    fix: { id: 'restore-archive', class: 'judgement' },
    affects: 'every reader: the chat starts empty',
  },
  openclaw: { store: liveArchived },
});
