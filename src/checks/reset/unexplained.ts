import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { localText, type Zone } from '../../model/zone.ts';
import type { JudgedEvent } from '../../readers/reset-event.ts';
import { defineCheck } from '../check.ts';
import { hermesResets } from '../shared/hermes-resets.ts';
import { openclawResets } from '../shared/openclaw-resets.ts';
import { judgeOptions, zoneOf } from '../shared/reset-facts.ts';
import { ageText, endFinding } from '../shared/reset-finding.ts';

function* unexplained(events: readonly JudgedEvent[], zone: Zone): Iterable<FindingDraft> {
  for (const event of events) {
    if (event.verdict !== 'unexplained') continue;
    const when = event.at === null ? 'at a time that its name does not hold' : `${localText(event.at, zone, true)} ${zone.name}`;
    const what = event.product === 'hermes' ? `The session ended (${event.statedReason ?? 'no reason stamped'})` : 'The session was reset';
    yield endFinding(event, zone, `${what} ${when}${ageText(event, zone)}: no cause that is known explains it.`);
  }
}

export default defineCheck({
  meta: {
    id: 'reset/unexplained',
    severity: 'warning',
    title: 'a session ended that neither policy, command, maintenance nor job explains',
    products: ['openclaw', 'hermes'],
    fix: noFix,
    affects: 'the conversation: the agent no longer sees what was said before',
  },
  openclaw: { store: (snapshot, context) => unexplained(openclawResets(snapshot, judgeOptions(context)).events, zoneOf(context)) },
  hermes: { store: (snapshot, context) => unexplained(hermesResets(snapshot, judgeOptions(context)).events, zoneOf(context)) },
});
