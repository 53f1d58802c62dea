import type { FindingDraft } from '../../model/check.ts';
import { role, stateOf } from '../../readers/hermes/view.ts';
import { Flag } from '../../stores/hermes/digest-types.ts';
import type { HermesSnapshot, SessionDigest } from '../../stores/hermes/types.ts';
import { defineCheck, type CheckContext } from '../check.ts';
import { digestBlocks, sessionAt } from '../shared/hermes.ts';

function* counterDrift(digest: SessionDigest, snapshot: HermesSnapshot, context: CheckContext): Iterable<FindingDraft> {
  const { session, messages } = digest;
  if (session.messageCount === null) {
    context.skip('the store has no column message_count');
    return;
  }
  let active = 0;
  let unhealed = 0;
  let calls = 0;
  let results = 0;
  let unreadable = false;
  for (let i = 0; i < messages.count; i++) {
    const flags = messages.flags[i] ?? 0;
    if (flags & Flag.activeNull) unhealed++;
    if (!(flags & Flag.active)) continue;
    active++;
    calls += messages.callCounts[i] ?? 0;
    if (flags & Flag.badCalls) unreadable = true;
    if (messages.roles[i] === role.tool) results++;
  }
  // Rows with active NULL become live at the next writable open; the counters already hold them.
  const messagesAgree = session.messageCount === active || session.messageCount === active + unhealed;
  // One path that clears messages counts results instead of calls.
  const callsAgree = session.toolCallCount === null || unreadable || unhealed > 0 || session.toolCallCount === calls || session.toolCallCount === results;
  if (messagesAgree && callsAgree) return;
  if (wasRewound(digest)) return;
  yield {
    session: session.id,
    sessionKey: session.sessionKey,
    message: messagesAgree
      ? `The session's tool call counter says ${session.toolCallCount ?? 0}, its live rows declare ${calls}.`
      : `The session's message counter says ${session.messageCount}, but ${active} of its ${messages.count} rows are live.`,
    details: [
      `Messages: ${session.messageCount} stored, ${active} live. Tool calls: ${session.toolCallCount ?? 'not'} stored, ${unreadable ? 'not countable' : calls} live.`,
      'Lists, limits and the decision when to compress go by the counters; the rows themselves are untouched.',
    ],
    location: sessionAt(snapshot, session),
    evidence: { storedMessages: session.messageCount, activeMessages: active, storedToolCalls: session.toolCallCount, activeToolCalls: calls, rows: messages.count },
  };
}

/** Builds of schema 21 leave the counters as they were when a session is rewound: there drift is the normal state. */
function wasRewound(digest: SessionDigest): boolean {
  if ((digest.session.rewindCount ?? 0) > 0) return true;
  if (digest.session.rewindCount !== null) return false;
  const copied = new Set(digestBlocks(digest).flatMap((block) => [...block.origins]));
  for (let i = 0; i < digest.messages.count; i++) if (stateOf(digest.messages.flags[i] ?? 0) === 'set-aside' && !copied.has(i)) return true;
  return false;
}

export default defineCheck({
  meta: {
    id: 'session/counter-drift',
    severity: 'warning',
    title: "a session's counters differ from its live rows",
    products: ['hermes'],
    fix: { id: 'recount', class: 'safe' },
    affects: 'every Hermes build: session lists and limits show wrong numbers',
  },
  hermes: { session: counterDrift },
});
