import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import { localText, spanText, type Zone } from '../../model/zone.ts';
import { defineCheck } from '../check.ts';
import { hermesResets } from '../shared/hermes-resets.ts';
import { openclawResets } from '../shared/openclaw-resets.ts';
import { judgeOptions, zoneOf, type OverdueSession } from '../shared/reset-facts.ts';

function* overdue(sessions: readonly OverdueSession[], zone: Zone): Iterable<FindingDraft> {
  for (const late of sessions) {
    yield {
      session: late.sessionId,
      sessionKey: late.sessionKey,
      confidence: 'likely',
      message: `The session should have ended ${localText(late.deadline, zone, true)} ${zone.name} (${late.by}; policy ${late.policy}) and still took a message ${spanText(late.message - late.deadline)} later.`,
      details: [`began ${localText(late.startedAt, zone, true)}, message at ${localText(late.message, zone, true)}`],
      location: { path: late.path },
      evidence: { by: late.by, deadline: isoTime(late.deadline), message: isoTime(late.message), sessionStartedAt: isoTime(late.startedAt), policy: late.policy, zone: zone.name },
    };
  }
}

export default defineCheck({
  meta: {
    id: 'reset/overdue',
    severity: 'info',
    title: 'a session went on although its policy should have ended it',
    products: ['openclaw', 'hermes'],
    fix: noFix,
    affects: 'nobody: the context only grows longer than the policy wants',
  },
  openclaw: { store: (snapshot, context) => overdue(openclawResets(snapshot, judgeOptions(context)).overdue, zoneOf(context)) },
  hermes: { store: (snapshot, context) => overdue(hermesResets(snapshot, judgeOptions(context)).overdue, zoneOf(context)) },
});
