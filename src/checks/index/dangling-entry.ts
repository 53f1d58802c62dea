import type { FindingDraft } from '../../model/check.ts';
import { isoTime } from '../../model/time.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { entryPlace, isCronKey } from '../shared/openclaw-names.ts';
import { filesById, headerIdsOf, needsNoTranscript, whereabouts } from '../shared/openclaw-transcript-of.ts';

/** A transcript is written with the first answer: an entry this young may still be waiting for it. */
const youngMs = 10 * 60_000;

function* dangling(snapshot: OpenclawSnapshot, context: CheckContext): Iterable<FindingDraft> {
  if (snapshot.layout !== 'jsonl') return;
  const files = filesById(snapshot);
  const headerIds = headerIdsOf(snapshot);
  const byHeader = new Map<string, string>();
  for (const [name, id] of headerIds) if (id !== null && !byHeader.has(id)) byHeader.set(id, name);
  for (const entry of snapshot.entries) {
    if (needsNoTranscript(entry) || entry.sessionId === null) continue;
    const touched = Math.max(entry.updatedAt ?? 0, entry.sessionStartedAt ?? 0);
    if (touched > context.now - youngMs) continue;
    if (whereabouts(snapshot, files, headerIds, entry).state !== 'nowhere') continue;
    // The reaper takes the transcripts of ended runs and keeps the job's own entry.
    if (isCronKey(entry.key)) continue;
    const renamed = byHeader.get(entry.sessionId) ?? null;
    const elsewhere = renamed === null ? snapshot.elsewhere(entry.sessionId) : [];
    const candidate = renamed ?? elsewhere[0] ?? null;
    const used = isoTime(entry.updatedAt);
    yield {
      session: entry.sessionId,
      sessionKey: entry.key,
      message: `The transcript of this chat is gone: the index names session ${entry.sessionId}, but neither ${entry.sessionId}.jsonl nor an archive of it exists here${used === null ? '' : ` (last used ${used})`}.`,
      details: candidate === null ? [] : [`A transcript of that session lies at ${candidate}`],
      location: entryPlace(snapshot, entry),
      evidence: { sessionId: entry.sessionId, sessionFile: entry.sessionFile, updatedAt: used, foundAt: candidate },
      fix: candidate === null ? { id: null, class: 'none' } : { id: 'relink-transcript', class: 'judgement' },
      record: entry.key,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'index/dangling-entry',
    severity: 'error',
    title: 'an entry whose transcript exists nowhere',
    products: ['openclaw'],
    fix: { id: 'relink-transcript', class: 'judgement' },
    affects: 'every reader: the chat starts empty',
  },
  openclaw: { store: dangling },
});
