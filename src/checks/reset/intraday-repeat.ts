import type { FindingDraft } from '../../model/check.ts';
import { noFix, type Confidence } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import { localText, spanText, type Zone } from '../../model/zone.ts';
import { repeatsOf } from '../../readers/repeats.ts';
import type { JudgedEvent } from '../../readers/reset-event.ts';
import { defineCheck } from '../check.ts';
import { hermesResets } from '../shared/hermes-resets.ts';
import { openclawResets } from '../shared/openclaw-resets.ts';
import { judgeOptions, zoneOf } from '../shared/reset-facts.ts';

const words: Record<JudgedEvent['verdict'], string> = { explained: 'deleted', unexplained: 'unexplained', 'zone-mismatch': 'explained in another zone' };

function* repeated(events: readonly JudgedEvent[], zone: Zone): Iterable<FindingDraft> {
  for (const { sessionKey, policyDay, events: ends } of repeatsOf(events)) {
    ends.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
    const [first] = ends;
    const last = ends.at(-1);
    if (!first || !last) continue;
    const confidence: Confidence = ends.some((end) => end.verdict !== 'unexplained' && end.confidence === 'suspect') ? 'suspect' : ends.some((end) => end.confidence !== 'certain') ? 'likely' : 'certain';
    yield {
      session: null,
      sessionKey,
      confidence,
      message: `The chat lost its session ${ends.length} times on the policy day of ${policyDay}, within ${spanText((last.at ?? 0) - (first.at ?? 0))}; its policy (${first.policy}) explains none of them.`,
      details: ends.map((end) => `${localText(end.at ?? 0, zone, true)}  ${words[end.verdict]}${end.startedAt === null || end.at === null ? '' : ` after ${spanText(end.at - end.startedAt)}`}: ${end.archive ?? end.sessionId}`),
      location: { path: first.path },
      evidence: { policyDay, changes: ends.length, ends: ends.map((end) => ({ at: isoTime(end.at), session: end.sessionId, archive: end.archive, verdict: end.verdict, cause: end.cause })) },
      record: policyDay,
    };
  }
}

export default defineCheck({
  meta: {
    id: 'reset/intraday-repeat',
    severity: 'warning',
    title: 'one chat lost its session repeatedly within one policy day',
    products: ['openclaw', 'hermes'],
    fix: noFix,
    affects: 'the conversation: each time the agent begins with an empty transcript',
  },
  openclaw: { store: (snapshot, context) => repeated(openclawResets(snapshot, judgeOptions(context)).events, zoneOf(context)) },
  hermes: { store: (snapshot, context) => repeated(hermesResets(snapshot, judgeOptions(context)).events, zoneOf(context)) },
});
