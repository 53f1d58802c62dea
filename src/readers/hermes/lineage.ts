import type { SessionRow } from '../../stores/hermes/types.ts';

/** How a session came from its parent (Hermes format notes §3.7). */
export type Edge = 'branch' | 'subagent' | 'tool' | 'reset' | 'continuation' | 'child';

/** End reasons that close one conversation of a chat and open the next. */
export const resetReasons: ReadonlySet<string> = new Set(['session_reset', 'session_switch', 'idle', 'daily', 'suspended', 'resume_pending_expired']);

/** End reasons with which a repair of the product retired a session. */
const retiredReasons: ReadonlySet<string> = new Set(['orphaned_compression', 'superseded_by_repair']);

type Child = Pick<SessionRow, 'source' | 'sessionKey' | 'startedAt' | 'markers'>;
type Parent = Pick<SessionRow, 'id' | 'sessionKey' | 'endReason' | 'endedAt'>;

/** ms by which a continuation may have begun before the stamp on its parent: both are written in one transaction. */
const stampTolerance = 5_000;

/**
 * Classifies the edge from a child to its parent. A marker counts only when it names this parent: continuations inherit
 * model_config word for word. A child of a compressed parent that began before the compression is no continuation.
 */
export function classifyEdge(child: Child, parent: Parent): Edge {
  if (child.markers.branchedFrom === parent.id) return 'branch';
  if (parent.endReason === 'branched' && parent.endedAt !== null && child.startedAt !== null && parent.endedAt <= child.startedAt + stampTolerance) return 'branch';
  if (child.markers.delegateFrom === parent.id || child.source === 'subagent') return 'subagent';
  if (child.source === 'tool') return 'tool';
  if (child.markers.resetFrom === parent.id) return 'reset';
  if (child.sessionKey !== null && child.sessionKey === parent.sessionKey && parent.endReason !== null && resetReasons.has(parent.endReason)) return 'reset';
  if (parent.endReason === 'compression' && !(child.startedAt !== null && parent.endedAt !== null && child.startedAt < parent.endedAt - stampTolerance)) return 'continuation';
  return 'child';
}

/** The children that continue a parent ended by compression; those that the product retired itself are left out. */
export function continuationsOf(parent: SessionRow, children: readonly SessionRow[]): SessionRow[] {
  return children.filter((child) => classifyEdge(child, parent) === 'continuation' && !retiredReasons.has(child.endReason ?? ''));
}

/** Longest chain the product follows. */
export const chainCap = 1000;

/**
 * The session in which a conversation goes on today: from `start` along continuations. Preferred: one that was compressed again,
 * then a live one, then others; the newest of equals. A ring or more than 1000 steps ends the walk where it is.
 */
export function continuationTip(start: SessionRow, childrenOf: (id: string) => readonly SessionRow[], lastActive: (id: string) => number): SessionRow {
  const seen = new Set([start.id]);
  let current = start;
  for (let step = 0; step < chainCap; step++) {
    const rank = (row: SessionRow): number => (row.endReason === 'compression' ? 0 : row.endedAt === null ? 1 : 2);
    const next = continuationsOf(current, childrenOf(current.id)).sort((a, b) => rank(a) - rank(b) || lastActive(b.id) - lastActive(a.id) || (a.id < b.id ? 1 : -1))[0];
    if (!next || seen.has(next.id)) return current;
    seen.add(next.id);
    current = next;
  }
  return current;
}
