import type { FindingDraft } from '../../model/check.ts';
import { noFix } from '../../model/finding.ts';
import { isoTime } from '../../model/time.ts';
import { continuationsOf } from '../../readers/hermes/lineage.ts';
import { isBookkeeping, isInContext } from '../../readers/hermes/view.ts';
import { Flag } from '../../stores/hermes/digest-types.ts';
import type { HermesSnapshot, SessionDigest } from '../../stores/hermes/types.ts';
import { defineCheck } from '../check.ts';
import { idsOf, messageAt, rowsText } from '../shared/hermes.ts';

/** Seconds after the end in which an agent may still flush what it had said, or clocks may disagree. */
const flushSeconds = 120;
/** `messages.timestamp` beyond is no time. */
const latestSane = 4.2e9;

function* endedButWritten(digest: SessionDigest, snapshot: HermesSnapshot): Iterable<FindingDraft> {
  const { session, messages } = digest;
  if (session.endedAt === null) return;
  const end = session.endedAt / 1000;
  const late: number[] = [];
  let lastBefore = -1;
  for (let i = 0; i < messages.count; i++) {
    const flags = messages.flags[i] ?? 0;
    const time = messages.timestamps[i] ?? Number.NaN;
    if (!isInContext(flags) || isBookkeeping(messages, i) || flags & Flag.summary) continue;
    if (time > end + flushSeconds && time < latestSane) late.push(i);
    else lastBefore = i;
  }
  // Row order is the order of writing: a late time below rows of the time before the end is a wrong clock.
  let behind = late.filter((i) => i > lastBefore);
  if (behind.length === 0) return;
  for (const child of continuationsOf(session, snapshot.childrenOf(session.id))) {
    const cloned = snapshot.clonedInto(child.id, idsOf(digest, behind));
    behind = behind.filter((i) => !cloned.has(messages.ids[i] ?? 0));
  }
  if (behind.length === 0) return;
  const rows = idsOf(digest, behind);
  const first = isoTime((messages.timestamps[behind[0] ?? 0] ?? 0) * 1000);
  const last = isoTime((messages.timestamps[behind.at(-1) ?? 0] ?? 0) * 1000);
  yield {
    session: session.id,
    sessionKey: session.sessionKey,
    message: `The session ended at ${isoTime(session.endedAt) ?? 'an unknown time'} (${session.endReason ?? 'no reason'}), but ${rows.length} live ${rows.length === 1 ? 'row was' : 'rows were'} written later.`,
    details: [`${rowsText(rows, 'Row')}, ${first ?? '?'} to ${last ?? '?'}.`, 'Either the stamp is stale and the conversation goes on, or these rows went to the wrong session.'],
    location: messageAt(snapshot, rows[0]),
    evidence: { rows, endedAt: isoTime(session.endedAt), endReason: session.endReason, firstLater: first, lastLater: last },
  };
}

export default defineCheck({
  meta: {
    id: 'session/ended-but-written',
    severity: 'warning',
    title: 'live rows newer than the end of the session',
    products: ['hermes'],
    fix: noFix,
    affects: 'every Hermes build: an ended session is not compressed and may be left behind at the next message',
  },
  hermes: { session: endedButWritten },
});
