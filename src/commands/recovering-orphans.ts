import type { Finding } from '../model/finding.ts';
import type { FindingRecovery, RecoveredText } from '../model/recovery.ts';
import type { OpenStore } from '../stores/discover.ts';
import { rowText } from '../stores/openclaw/row-texts.ts';
import type { OpenclawSnapshot, TranscriptFile } from '../stores/openclaw/types.ts';
import { isObject } from '../model/values.ts';
import { counted, numberOf } from './recovering-findings.ts';

/** Events of a session without a window, as if it had one. */
function eventTexts(snapshot: OpenclawSnapshot, sessionId: string): RecoveredText[] {
  const file: TranscriptFile = { name: sessionId, path: snapshot.ref.path, kind: 'window', baseId: sessionId, sessionId, topic: null, archivedAt: null, generation: null, compressed: false, bytes: 0, modifiedAt: null };
  const texts: RecoveredText[] = [];
  snapshot.rowsOf(file)((json, line) => {
    let row: unknown;
    try {
      row = JSON.parse(json);
    } catch {
      row = null;
    }
    texts.push(isObject(row) ? rowText(row, file.path, line) : { id: `line ${line}`, role: 'unknown', time: null, text: json, from: { path: file.path, line } });
  });
  return texts;
}

/** Rows whose parent row is gone: no reader shows them. */
export function* orphansOf(opened: OpenStore, findings: readonly Finding[]): Iterable<FindingRecovery> {
  for (const finding of findings) {
    if (finding.checkId !== 'db/orphan-rows') continue;
    const { missing, parentTable, tables, messages } = finding.evidence;
    if (typeof missing !== 'string') continue;
    switch (opened.product) {
      case 'hermes':
        if (numberOf(messages) > 0) yield counted(finding, 'row', numberOf(messages), opened.snapshot.texts(opened.snapshot.rowsOfSession(missing)));
        break;
      case 'opencode':
      case 'mimocode': {
        const byTable = isObject(tables) ? tables : {};
        const parent = parentTable === 'message' ? 'message' : 'session';
        const expected = numberOf(byTable[parent === 'session' ? 'message' : 'part']);
        if (expected > 0) yield counted(finding, parent === 'session' ? 'message' : 'part', expected, opened.snapshot.orphanTexts(parent, missing));
        break;
      }
      case 'openclaw': {
        const texts = eventTexts(opened.snapshot, missing);
        yield counted(finding, 'row', Math.max(texts.length, numberOf(finding.evidence['rows'])), texts);
        break;
      }
    }
  }
}
