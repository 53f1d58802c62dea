import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import { defineCheck } from '../check.ts';

function* unimportedRows(snapshot: OpenclawSnapshot): Iterable<FindingDraft> {
  if (!snapshot.sqlite) return;
  const keys = new Map(snapshot.sqlite.windows.map((window) => [window.sessionId, window.sessionKey]));
  for (const leftover of snapshot.sqlite.leftovers()) {
    const { missingRows, rowsInFile, unreadableLines, sessionKnown } = leftover;
    if (missingRows === 0) continue;
    // An original that was imported once, of a session that is gone now: it may have been deleted on purpose since.
    const deletedSince = leftover.kind !== 'live' && !sessionKnown;
    const name = leftover.path.slice(leftover.path.lastIndexOf('/') + 1);
    const firstTime = isoTime(leftover.firstTime);
    const lastTime = isoTime(leftover.lastTime);
    yield {
      session: leftover.sessionId,
      sessionKey: keys.get(leftover.sessionId) ?? null,
      ...(deletedSince ? { confidence: 'suspect' as const } : {}),
      message: `${missingRows} of ${rowsInFile} rows in a JSONL transcript left beside the database are nowhere in the database.`,
      details: [
        `file ${name}`,
        ...(firstTime && lastTime ? [`the missing rows run from ${firstTime} to ${lastTime}`] : []),
        ...(unreadableLines > 0 ? [`${unreadableLines} more lines cannot be parsed; the importer stops at the first of them`] : []),
        ...(sessionKnown ? [] : ['the database does not know this session at all']),
        'keep this file: openclaw update cleanup would throw it away',
      ],
      location: { path: leftover.path },
      evidence: { file: name, rowsInFile, missingRows, missingIds: leftover.missingIds.slice(0, 20), unreadableLines, firstTime, lastTime, sessionKnown },
      record: name,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'migration/unimported-rows',
    severity: 'error',
    title: 'a transcript left by the JSONL era holds rows that the database does not',
    products: ['openclaw'],
    fix: noFix,
    affects: 'openclaw 2026.8.1 and later: they read the database only',
  },
  openclaw: { store: unimportedRows },
});
