import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { localText, type Zone } from '../../model/zone.ts';
import type { JudgedEvent } from '../../readers/reset-event.ts';
import { defineCheck } from '../check.ts';
import { hermesResets } from '../shared/hermes-resets.ts';
import { openclawResets } from '../shared/openclaw-resets.ts';
import { judgeOptions, zoneOf } from '../shared/reset-facts.ts';
import { ageText, endFinding } from '../shared/reset-finding.ts';

function* mismatched(events: readonly JudgedEvent[], zone: Zone): Iterable<FindingDraft> {
  for (const event of events) {
    if (event.verdict !== 'zone-mismatch' || event.at === null) continue;
    yield endFinding(event, zone, `The session ended ${localText(event.at, zone, true)} ${zone.name}${ageText(event, zone)}: unexplained in this zone, a daily reset in ${event.matchingZone}.`);
  }
}

export default defineCheck({
  meta: {
    id: 'reset/zone-mismatch',
    severity: 'info',
    title: 'a reset that the policy explains only in another time zone',
    products: ['openclaw', 'hermes'],
    fix: noFix,
    affects: 'nobody by itself: the host may run in another zone than assumed',
  },
  openclaw: { store: (snapshot, context) => mismatched(openclawResets(snapshot, judgeOptions(context)).events, zoneOf(context)) },
  hermes: { store: (snapshot, context) => mismatched(hermesResets(snapshot, judgeOptions(context)).events, zoneOf(context)) },
});
