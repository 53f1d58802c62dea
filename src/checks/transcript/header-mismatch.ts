import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import type { OpenclawSnapshot, TranscriptSummary } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';

function* headerMismatches(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  if (snapshot.layout !== 'jsonl') return;
  const live = new Map<string, TranscriptSummary>();
  const ids = new Set<string>();
  for (const transcript of snapshot.transcripts()) {
    const { file, header } = transcript;
    if (file.kind !== 'live') continue;
    live.set(file.path, transcript);
    ids.add(file.sessionId);
    if (!header || header.id === null || header.id === file.sessionId || header.id === file.baseId) continue;
    yield {
      session: transcript.sessionId,
      sessionKey: transcript.sessionKey,
      message: `The header names session ${header.id}, the file and its entry another one: the import into SQLite is refused, and old builds write under the wrong id.`,
      location: { path: file.path, line: header.line },
      evidence: { headerId: header.id, fileId: file.sessionId },
      record: file.name,
    };
  }
  for (const entry of snapshot.entries) {
    const file = snapshot.fileOf(entry);
    if (!file || entry.sessionId === null || file.sessionId === entry.sessionId || file.baseId === entry.sessionId) continue;
    const headerId = live.get(file.path)?.header?.id;
    // Where the session's own file exists, index/stale-session-file says so; a header that agrees with the entry was said above.
    if (headerId === undefined || headerId === null || headerId === entry.sessionId || ids.has(entry.sessionId)) continue;
    yield {
      session: entry.sessionId,
      sessionKey: entry.key,
      message: `The entry is for session ${entry.sessionId} but its file is that of session ${headerId}: a reset changed the id and went on writing into the old transcript.`,
      location: { path: file.path, line: 1 },
      evidence: { headerId, fileId: file.sessionId, entrySessionId: entry.sessionId },
      record: entry.key,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'transcript/header-mismatch',
    severity: 'warning',
    title: 'the header of a transcript names another session than its file or its entry',
    products: ['openclaw'],
    fix: noFix,
    affects: 'the import into SQLite (2026.8.1 and later) defers such a file; earlier readers look past it',
  },
  openclaw: { store: headerMismatches },
});
