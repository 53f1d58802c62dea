import type { JudgedEvent } from './reset-event.ts';

/** Several ends of one chat on one policy day that the policy does not explain. */
export type Repeat = { sessionKey: string; policyDay: string; events: JudgedEvent[] };

/** Chats that ended twice or more within one policy day (from one local `atHour` to the next) without the policy's doing. */
export function repeatsOf(events: readonly JudgedEvent[]): Repeat[] {
  const groups = new Map<string, Repeat>();
  for (const event of events) {
    const { sessionKey, policyDay } = event;
    if (!event.unruly || sessionKey === null || policyDay === null) continue;
    const key = `${policyDay} ${sessionKey}`;
    const group = groups.get(key);
    if (group) group.events.push(event);
    else groups.set(key, { sessionKey, policyDay, events: [event] });
  }
  return [...groups.values()].filter((group) => group.events.length > 1);
}
