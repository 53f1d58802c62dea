import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import { baseName, classifyName } from '../../stores/openclaw/names.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';

/** Session ids and file names that an entry, its lineage, a checkpoint or another transcript's header names. */
function named(snapshot: OpenclawSnapshot): Set<string> {
  const names = new Set<string>();
  for (const entry of snapshot.entries) {
    for (const id of [entry.sessionId, entry.previousSessionId, ...entry.usageFamilySessionIds]) if (id !== null) names.add(id);
    if (entry.sessionFile !== null) names.add(baseName(entry.sessionFile));
    for (const checkpoint of entry.checkpoints) for (const name of [...checkpoint.sessionIds, ...checkpoint.files]) names.add(name);
  }
  for (const { header } of snapshot.transcripts()) {
    if (!header?.parentSession) continue;
    const file = baseName(header.parentSession);
    names.add(file);
    const parent = classifyName(file);
    if (parent.class === 'transcript') names.add(parent.sessionId);
  }
  return names;
}

function* orphans(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  if (snapshot.layout !== 'jsonl' || snapshot.index.state !== 'ok' || snapshot.ref.only !== undefined) return;
  const names = named(snapshot);
  for (const one of snapshot.transcripts()) {
    const { file, header } = one;
    if (file.kind !== 'live' || names.has(file.sessionId) || names.has(file.baseId) || names.has(file.name) || (header?.id != null && names.has(header.id))) continue;
    const key = one.sessionKey;
    const last = isoTime(one.lastTime);
    yield {
      session: file.sessionId,
      sessionKey: key,
      message: `No entry, lineage or checkpoint names this transcript of ${one.messageRows === 1 ? '1 message' : `${one.messageRows} messages`}${last === null ? '' : `, last written ${last}`}.`,
      details: key === null ? [] : [`Its trajectory names the chat ${key}`],
      location: { path: file.path },
      evidence: { file: file.name, messages: one.messageRows, bytes: file.bytes, lastRow: last, traceKey: key },
      record: file.name,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'index/orphan-transcript',
    severity: 'info',
    title: 'a transcript that no entry, lineage or checkpoint names',
    products: ['openclaw'],
    fix: noFix,
    affects: 'nobody: it is kept, but no chat leads to it',
  },
  openclaw: { store: orphans },
});
