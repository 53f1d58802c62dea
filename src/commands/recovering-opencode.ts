import { lostBySession } from '../checks/shared/lost.ts';
import type { Finding } from '../model/finding.ts';
import type { FindingRecovery, RecoveredText, Recovery } from '../model/recovery.ts';
import { count } from '../report/printable.ts';
import type { LegacyReason } from '../stores/opencode/legacy-copy.ts';
import type { OpencodeSnapshot } from '../stores/opencode/types.ts';
import { counted, numberOf } from './recovering-findings.ts';

/** Messages that are gone from the tables, by the places that still have them. */
export function* fromOpencode(snapshot: OpencodeSnapshot, findings: readonly Finding[]): Iterable<FindingRecovery> {
  const dropped = findings.filter((finding) => finding.checkId === 'history/dropped-messages');
  if (dropped.length === 0) return;
  for (const { sessionId, messages } of lostBySession(snapshot)) {
    const finding = dropped.find((one) => one.session === sessionId);
    if (!finding) continue;
    const texts = function* (): Iterable<RecoveredText> {
      for (const { messageId } of [...messages].sort((a, b) => a.firstTime - b.firstTime || (a.messageId < b.messageId ? -1 : 1))) yield* snapshot.lostTexts(sessionId, messageId);
    };
    const memory = snapshot.memoryFiles(sessionId);
    const notes = memory.length === 0 ? [] : [`What the agent noted of this session is not among them: ${memory.join(', ')}.`];
    yield counted(finding, 'message', numberOf(finding.evidence['droppedMessages']), texts(), notes);
  }
}

const reasons: { [R in LegacyReason]: string } = {
  'no-session': 'Its session file is gone: no reader lists it.',
  'no-project': 'Its project file is missing: 1.2.0 and later leave it out when they import these files.',
  'no-database': 'The database that took the place of these files cannot be read.',
};

/** The JSON files of before 1.2.0: what no reader shows of them, then how many they are in all. */
export function* opencodeCopies(snapshot: OpencodeSnapshot): Iterable<Recovery> {
  const legacy = snapshot.legacyCopy();
  if (legacy === null) return;
  const { ref } = snapshot;
  for (const hidden of legacy.hidden) {
    const expected = hidden.messages.length;
    const about = { checkId: 'history/dropped-messages', store: ref.id, session: hidden.sessionId, sessionKey: null, message: `${reasons[hidden.why]} ${count(expected, 'message')} of it ${expected === 1 ? 'lies' : 'lie'} in the JSON files of before 1.2.0.` };
    yield { about, source: null, unit: 'message', texts: legacy.texts(hidden), outcome: () => ({ expected, notes: [reasons[hidden.why]], problem: null }) };
  }
  if (ref.layout !== 'json') return;
  const hiddenMessages = legacy.hidden.reduce((sum, one) => sum + one.messages.length, 0);
  yield {
    about: { checkId: 'history/dropped-messages', store: ref.id, session: null, sessionKey: null, message: '' },
    source: ref.path,
    unit: 'message',
    texts: [],
    outcome: () => ({
      expected: 0,
      notes: [
        `JSON files of before 1.2.0, and no database beside them: ${count(legacy.messages, 'message')} in ${count(legacy.sessions, 'session')}; builds of that time show ${legacy.messages - hiddenMessages} of them where they lie.`,
        'opencode 1.2.0 and later import them at their first start and leave the files as they are.',
      ],
      problem: null,
    }),
  };
}
