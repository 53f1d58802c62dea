import type { OpenclawSnapshot, TranscriptKind, TranscriptSummary } from '../../stores/openclaw/types.ts';
import { chainsOf, saidAt, type Chain, type ChainFacts, type Link } from './chains.ts';
import type { ResetConfig } from './reset-config.ts';
import type { OpenclawEnd, Successor } from './reset-end.ts';
import { channelOf, chatTypeOf, resetRules, resolveResetPolicy, type ResetPolicy } from './reset-policy.ts';
import type { EventKind } from '../reset-event.ts';
import { retentionOf, type Retention } from './retention.ts';

export type LineageFacts = ChainFacts & Pick<OpenclawSnapshot, 'trajectories' | 'config' | 'layout' | 'sqlite'>;

/** A chat with the ends of its sessions; `ends[i]` belongs to `links[i]`, null where it lives or was left without a successor. */
export type OpenclawLineage = Chain & { ends: (OpenclawEnd | null)[] };

/** An archive's time and the beginning of its successor may lie this far apart, ms. */
const handover = 5_000;

/**
 * Every end of a session that an OpenClaw store tells of, chat by chat in time order: archives by their names, predecessors that
 * the family of a chat names but that lie there without an archive name, reset rows inside a transcript, and windows that their
 * chat has left. `version` is the reader's, or null.
 */
export function openclawLineages(facts: LineageFacts, config: ResetConfig, version: string | null): OpenclawLineage[] {
  const retention = retentionOf(facts.config.session, facts.config.cron);
  const runs = new Map(facts.trajectories.map((trajectory) => [trajectory.sessionId, trajectory]));
  const currentIds = new Set(facts.entries.flatMap((entry) => (entry.sessionId === null ? [] : [entry.sessionId])));
  const history = new Set(facts.entries.flatMap((entry) => entry.usageFamilySessionIds.filter((id) => id !== entry.sessionId)));
  const bursts = burstsOf(facts.transcripts(), history);
  const windowReasons = new Map(facts.sqlite?.windows.map((window) => [window.sessionId, window.reason]));
  const end = (chain: Chain, index: number): OpenclawEnd | null => {
    const link = chain.links[index]!;
    const { summary } = link;
    const { file } = summary;
    const run = runs.get(summary.sessionId);
    const cronRun = /:cron:[^:]+:run:/.test(run?.sessionKey ?? summary.sessionKey ?? '');
    const next = cronRun ? null : successorOf(chain, index);
    const kind = link.endedBy !== null ? 'reset-row' : endKinds[file.kind];
    if (kind === undefined) return null;
    const left = kind === 'orphan' || kind === 'window';
    if (left && (link.current || next === null)) return null;
    if (kind === 'orphan' && !chain.entry?.usageFamilySessionIds.includes(summary.sessionId)) return null;
    const at = link.endedBy !== null ? link.endedBy.time : left ? (next?.startedAt ?? null) : file.archivedAt;
    const rowReason = link.endedBy !== null ? link.endedBy.reason : kind === 'window' ? (windowReasons.get(next?.summary.sessionId ?? '') ?? null) : null;
    const rules = resetRules(version, layoutOf(summary), at);
    const { entry, sessionKey } = chain;
    const policy = asStated(resolveResetPolicy(config, { type: chatTypeOf(sessionKey, entry?.chatType ?? null), channel: channelOf(sessionKey, entry?.channel ?? null) }, rules), rowReason);
    const burst = bursts.get(summary);
    const { lastPerson } = summary;
    return {
      product: 'openclaw',
      kind,
      sessionKey,
      sessionId: summary.sessionId,
      at,
      archive: kind === 'reset-archive' || kind === 'delete-archive' ? file.name : null,
      path: file.path,
      startedAt: link.startedAt,
      lastActivity: summary.lastMessage?.time ?? null,
      lastUser: saidAt(lastPerson),
      rows: summary.rows,
      next: next === null ? null : { sessionId: next.summary.sessionId, startedAt: next.startedAt },
      policy,
      rules,
      lastRow: summary.lastTime,
      lastCommandAt: lastPerson?.command ? saidAt(lastPerson) : null,
      successor: next === null ? null : successorFacts(summary, next, chain),
      stillCurrent: (kind === 'reset-archive' || kind === 'delete-archive') && currentIds.has(summary.sessionId),
      keyGone: sessionKey !== null && entry === null,
      cronRun,
      ...retentionFacts(retention, facts.entries.length),
      burst: burst?.size ?? 1,
      burstHistoric: burst?.historic ?? 0,
      historic: history.has(summary.sessionId),
      run: run === undefined ? null : { lastAt: run.lastTime, ended: run.lastType === 'session.ended', status: run.lastStatus },
      note: null,
      rowReason,
      row: link.endedBy === null ? null : { id: link.endedBy.id, seq: link.endedBy.line - 1 },
    };
  };
  return chainsOf(facts).map((chain) => ({ ...chain, ends: chain.links.map((_, index) => end(chain, index)) }));
}

const endKinds: Partial<Record<TranscriptKind, EventKind>> = { live: 'orphan', window: 'window', reset: 'reset-archive', deleted: 'delete-archive' };

/** Archives of the JSONL era stay where they are when a store is imported; only those of the SQLite era carry a generation. */
function layoutOf({ file }: TranscriptSummary): 'jsonl' | 'sqlite' {
  return file.kind === 'window' || file.generation !== null ? 'sqlite' : 'jsonl';
}

/** The policy that a reset row speaks of: where today's configuration has no daily rule, daily means 04:00, its default hour. */
function asStated(policy: ResetPolicy, rowReason: string | null): ResetPolicy {
  return rowReason === 'daily' && policy.mode !== 'daily' ? { ...policy, mode: 'daily', source: 'its reset row' } : policy;
}

function retentionFacts(retention: Retention, entries: number): Retention & { entries: number } {
  return { ...retention, entries };
}

/** The session of the same chat that followed: the first to begin when this one ended. */
function successorOf(chain: Chain, index: number): Link | null {
  const { summary, startedAt, endedBy } = chain.links[index]!;
  if (endedBy !== null) return chain.links[index + 1] ?? null;
  const since = summary.file.archivedAt === null ? (startedAt ?? 0) : summary.file.archivedAt - handover;
  for (let later = index + 1; later < chain.links.length; later++) {
    const link = chain.links[later]!;
    if (link.startedAt !== null && link.startedAt >= since && link.summary.sessionId !== summary.sessionId) return link;
  }
  return null;
}

function successorFacts(ended: TranscriptSummary, next: Link, chain: Chain): Successor {
  const { summary } = next;
  const first = summary.firstUser;
  return {
    sessionId: summary.sessionId,
    startedAt: next.startedAt,
    entryStartedAt: next.current ? (chain.entry?.sessionStartedAt ?? null) : null,
    firstUser: first === null ? null : { saidAt: saidAt(first), command: first.command },
    copied: copiedRows(ended, summary),
    familyNamesPredecessor: chain.entry === null ? null : chain.entry.usageFamilySessionIds.includes(ended.sessionId),
  };
}

/**
 * How many message rows the successor begins with that the session before ends with: a restart replays the last turns. Equal
 * texts alone prove nothing, people repeat themselves; one of the rows must also have been said at the same time.
 */
function copiedRows(ended: TranscriptSummary, next: TranscriptSummary): number {
  const { tail } = ended;
  for (const start of tail.keys()) {
    const count = tail.length - start;
    if (count > next.head.length) continue;
    const pairs = tail.slice(start).map((row, index) => [row, next.head[index]!] as const);
    const same = pairs.every(([a, b]) => a.role === b.role && a.contentHash === b.contentHash && a.contentLength === b.contentLength);
    if (same && pairs.some(([a, b]) => a.messageTime !== null && a.messageTime === b.messageTime)) return count;
  }
  return 0;
}

/** For each deletion, how many others happened within a second before or after, and how many of those are someone's history. */
function burstsOf(summaries: readonly TranscriptSummary[], history: ReadonlySet<string>): Map<TranscriptSummary, { size: number; historic: number }> {
  const deletions = summaries
    .flatMap((summary) => (summary.file.kind === 'deleted' && summary.file.archivedAt !== null ? [{ summary, at: summary.file.archivedAt }] : []))
    .sort((a, b) => a.at - b.at);
  const bursts = new Map<TranscriptSummary, { size: number; historic: number }>();
  for (let first = 0; first < deletions.length; ) {
    let after = first + 1;
    while (after < deletions.length && deletions[after]!.at - deletions[after - 1]!.at <= 1000) after++;
    const group = deletions.slice(first, after);
    const historic = group.filter(({ summary }) => history.has(summary.sessionId)).length;
    for (const { summary } of group) bursts.set(summary, { size: group.length, historic });
    first = after;
  }
  return bursts;
}
