import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import { localText, spanText } from '../../model/zone.ts';
import type { HermesSnapshot } from '../../stores/hermes/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { resurrectedSessions } from '../shared/hermes-resets.ts';
import { judgeOptions, zoneOf } from '../shared/reset-facts.ts';

function* resurrected(snapshot: HermesSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const zone = zoneOf(context);
  for (const { row, expiredAt, by, message } of resurrectedSessions(snapshot, judgeOptions(context))) {
    yield {
      session: row.id,
      sessionKey: row.sessionKey,
      confidence: by === 'end' ? 'certain' : 'likely',
      message: `The expiry of this session was processed, yet it took a message ${spanText(message - expiredAt)} after ${by === 'end' ? `its end (${row.endReason ?? 'no reason stamped'})` : `the boundary of ${localText(expiredAt, zone)} ${zone.name}`}.`,
      details: [`last message of a person ${localText(message, zone, true)}`],
      location: { path: snapshot.databases[0]?.path ?? snapshot.ref.path, table: 'sessions', row: row.id },
      evidence: { endReason: row.endReason, endedAt: isoTime(row.endedAt), expiredAt: isoTime(expiredAt), message: isoTime(message), by },
    };
  }
}

export default defineCheck({
  meta: {
    id: 'reset/resurrected',
    severity: 'warning',
    title: 'the expiry of a session was processed and the session went on',
    products: ['hermes'],
    fix: noFix,
    affects: 'what runs at expiry (memory, cleanup) ran too early and will not run again',
  },
  hermes: { store: resurrected },
});
