import { role, isInContext } from '../../readers/hermes/view.ts';
import { Flag } from '../../stores/hermes/digest-types.ts';
import type { SessionDigest } from '../../stores/hermes/types.ts';
import { pairToolCalls, type PairingStep } from './tool-pairing.ts';

export type HermesPairing = {
  /** Indexes of results without their call. */
  orphans: { index: number; why: 'no-call' | 'earlier-turn' }[];
  /** Indexes of assistant rows with calls that have no result. */
  unanswered: { index: number; missing: number[]; next: 'assistant' | 'user' }[];
};

/** The live rows as the pairing of calls and results sees them. Call ids are hashes, written as text. */
function* steps({ messages }: SessionDigest): Iterable<PairingStep<number>> {
  for (let i = 0; i < messages.count; i++) {
    if (!isInContext(messages.flags[i] ?? 0)) continue;
    switch (messages.roles[i]) {
      case role.user:
        yield { kind: 'user', row: i };
        break;
      case role.assistant: {
        const calls: (string | null)[] = [];
        for (let c = messages.callStarts[i] ?? 0; c < (messages.callStarts[i + 1] ?? 0); c++) calls.push(messages.declared[c] === 0 ? null : String(messages.declared[c]));
        yield { kind: 'assistant', row: i, calls, abandoned: false };
        break;
      }
      case role.tool:
        yield { kind: 'result', row: i, callId: messages.callIds[i] === 0 ? null : String(messages.callIds[i]) };
        break;
      default:
    }
  }
}

/** True when each live result follows the turn that made its call and each call has one: then nothing more need be asked. */
function looksPaired({ messages }: SessionDigest): boolean {
  const open = new Set<number>();
  const turn = new Set<number>();
  let inCalls = false;
  for (let i = 0; i < messages.count; i++) {
    if (!isInContext(messages.flags[i] ?? 0)) continue;
    const code = messages.roles[i];
    if (code === role.assistant && (messages.callCounts[i] ?? 0) > 0) {
      if (open.size > 0 && !inCalls) return false;
      if (!inCalls) turn.clear();
      inCalls = true;
      for (let c = messages.callStarts[i] ?? 0; c < (messages.callStarts[i + 1] ?? 0); c++) {
        const id = messages.declared[c] ?? 0;
        if (id === 0) continue;
        open.add(id);
        turn.add(id);
      }
    } else if (code === role.tool) {
      inCalls = false;
      const id = messages.callIds[i] ?? 0;
      if (id !== 0 && !turn.has(id)) return false;
      open.delete(id);
    } else if (code === role.user) inCalls = false;
  }
  return open.size === 0;
}

const none: HermesPairing = { orphans: [], unanswered: [] };

/** Tool results and calls of a session without each other, as the model gets them. */
export function hermesPairing(digest: SessionDigest): HermesPairing {
  if (looksPaired(digest)) return none;
  const { messages } = digest;
  const { orphans, unanswered } = pairToolCalls(steps(digest));
  return {
    // Where the calls before it cannot be read, that is the fault (db/invalid-json).
    // A second result is a copy of the first (compaction/live-duplicates).
    orphans: orphans.flatMap(({ row, why }) => (why === 'answered' || unreadableCallsBefore(digest, row) ? [] : [{ index: row, why }])),
    unanswered: unanswered.map(({ row, callIds, next }) => {
      const open = new Set(callIds);
      const missing: number[] = [];
      for (let c = messages.callStarts[row] ?? 0; c < (messages.callStarts[row + 1] ?? 0); c++) if (open.has(String(messages.declared[c]))) missing.push(c - (messages.callStarts[row] ?? 0));
      return { index: row, missing, next };
    }),
  };
}

function unreadableCallsBefore({ messages }: SessionDigest, row: number): boolean {
  for (let i = row - 1; i >= 0; i--) {
    const flags = messages.flags[i] ?? 0;
    if (!isInContext(flags) || messages.roles[i] === role.tool) continue;
    return messages.roles[i] === role.assistant && (flags & Flag.badCalls) !== 0;
  }
  return false;
}
