import type { HermesSnapshot, SessionActivity, SessionRow } from '../../stores/hermes/types.ts';
import type { ResetEvent } from '../reset-event.ts';

export type HermesFacts = Pick<HermesSnapshot, 'ref' | 'sessions' | 'activity' | 'routing' | 'databases'>;

/** How a session stands to the one that followed it on the same chat. */
export type Passage = 'reset' | 'continuation' | 'branch';

/** An end of a Hermes session. */
export type HermesEnd = ResetEvent & {
  row: SessionRow;
  nextRow: SessionRow | null;
  passage: Passage;
  /** Why nothing but the start of the next session says when it ended, or null. */
  unstamped: boolean;
};

export type HermesChain = { sessionKey: string | null; sessions: SessionRow[]; ends: (HermesEnd | null)[]; current: string | null };

/** Sessions that no chat's messages go to. */
const notChats = new Set(['subagent', 'tool', 'cron', 'oneshot', 'kanban', 'webhook', 'api-server', 'acp']);
/** Ends that the gateway may undo: without a successor nothing was lost. */
export const recoverable = new Set(['agent_close', 'ws_orphan_reap', 'superseded_by_resume', 'startup_orphan_reap']);
/** Ends that are boundaries of a conversation, also for sessions without a key. */
const boundaries = new Set(['session_reset', 'session_switch', 'idle', 'daily', 'suspended', 'resume_pending_expired', 'new_session']);
/** A session is stamped shortly before or after its successor begins, ms. */
const handover = 5_000;

/** The sessions of every chat in time order, with how each of them ended. */
export function hermesChains(facts: HermesFacts): HermesChain[] {
  const byKey = new Map<string, SessionRow[]>();
  const keyless: SessionRow[] = [];
  for (const row of facts.sessions()) {
    if (notChats.has(row.source) || (row.markers.delegateFrom !== null && row.markers.delegateFrom === row.parentId)) continue;
    if (row.sessionKey === null || row.sessionKey === '') {
      if (row.endReason !== null && boundaries.has(row.endReason)) keyless.push(row);
      continue;
    }
    const list = byKey.get(row.sessionKey);
    if (list) list.push(row);
    else byKey.set(row.sessionKey, [row]);
  }
  const routed = new Map(facts.routing().map((entry) => [entry.sessionKey, entry.sessionId]));
  const path = facts.databases[0]?.path ?? facts.ref.path;
  const chains: HermesChain[] = [];
  for (const [sessionKey, sessions] of [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))) {
    sessions.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || (a.id < b.id ? -1 : 1));
    const current = routed.get(sessionKey) ?? null;
    const activities = sessions.map((row) => facts.activity(row.id));
    const children = childrenOf(sessions);
    const ends = sessions.map((row, index) => endOf(row, activities[index]!, successorOf(sessions, activities, index, children), sessionKey, current, path));
    chains.push({ sessionKey, sessions, ends, current });
  }
  for (const row of keyless) chains.push({ sessionKey: null, sessions: [row], ends: [endOf(row, facts.activity(row.id), null, null, null, path)], current: null });
  return chains;
}

/** The first child on the same chat of each session, in time order. */
function childrenOf(sessions: readonly SessionRow[]): Map<string, SessionRow> {
  const children = new Map<string, SessionRow>();
  for (const row of sessions) if (row.parentId !== null && row.parentId !== row.id && !children.has(row.parentId)) children.set(row.parentId, row);
  return children;
}

/** The next session of the chat: its continuation or the child that a reset made, else the first that began once it had ended. */
function successorOf(sessions: readonly SessionRow[], activities: readonly SessionActivity[], index: number, children: ReadonlyMap<string, SessionRow>): SessionRow | null {
  const row = sessions[index]!;
  const child = children.get(row.id);
  if (child && (row.endReason === 'compression' || child.markers.resetFrom === row.id) && (child.startedAt ?? 0) >= (row.startedAt ?? 0)) return child;
  const since = (row.endedAt ?? activities[index]?.lastMessageAt ?? row.startedAt ?? 0) - handover;
  for (let later = index + 1; later < sessions.length; later++) {
    const other = sessions[later]!;
    if (other.startedAt !== null && other.startedAt >= since) return other;
  }
  return null;
}

function endOf(row: SessionRow, activity: SessionActivity, next: SessionRow | null, sessionKey: string | null, current: string | null, path: string): HermesEnd | null {
  if (row.endedAt === null && (next === null || current === row.id)) return null;
  if (row.endedAt !== null && next === null && (row.endReason === null || recoverable.has(row.endReason))) return null;
  const passage: Passage = row.endReason === 'compression' ? 'continuation' : next !== null && next.parentId === row.id && next.markers.branchedFrom === row.id ? 'branch' : 'reset';
  return {
    product: 'hermes',
    kind: 'session',
    sessionKey,
    sessionId: row.id,
    at: row.endedAt ?? next?.startedAt ?? null,
    archive: null,
    path,
    startedAt: row.startedAt,
    lastActivity: activity.lastMessageAt,
    lastUser: activity.lastUserAt,
    rows: activity.messages,
    next: next === null ? null : { sessionId: next.id, startedAt: next.startedAt },
    row,
    nextRow: next,
    passage,
    unstamped: row.endedAt === null,
  };
}
