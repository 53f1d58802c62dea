import type { OpenclawSnapshot, RowMark, SessionEntry, TranscriptSummary } from '../../stores/openclaw/types.ts';

/** The questions that the sessions of a store's chats are put together from. */
export type ChainFacts = Pick<OpenclawSnapshot, 'entries' | 'transcripts' | 'ownerOf' | 'entryOf' | 'fileOf'>;

/** One transcript as a session of a chat. Times are ms. */
export type Link = {
  summary: TranscriptSummary;
  /** Header time, else the first row's. */
  startedAt: number | null;
  /** The current session of the chat's entry. */
  current: boolean;
};

/** The sessions of one chat, in the order in which they began. */
export type Chain = { sessionKey: string | null; entry: SessionEntry | null; links: Link[] };

const kinds = new Set(['live', 'reset', 'deleted']);

/** The chat of a key: all runs of one cron job are one chat. */
export function chatOf(sessionKey: string): string {
  return sessionKey.replace(/(:cron:[^:]+):run:.+$/, '$1');
}

/** When a person's message came in: as the channel says, where that lies shortly before the row was written. */
export function saidAt(mark: RowMark | null): number | null {
  if (mark === null) return null;
  const { time, messageTime } = mark;
  if (time === null) return messageTime;
  return messageTime !== null && messageTime <= time && time - messageTime < 600_000 ? messageTime : time;
}

/**
 * Puts the transcripts of a store together to chats: by what names the chat of a transcript, else by the chat whose current
 * session starts within a second of the archive's time and whose channel ids go on. Those without a chat stand alone.
 */
export function chainsOf(facts: ChainFacts): Chain[] {
  const starts = facts.entries.filter((entry) => entry.sessionStartedAt !== null).sort((a, b) => (a.sessionStartedAt ?? 0) - (b.sessionStartedAt ?? 0));
  const summaries = facts.transcripts().filter((summary) => kinds.has(summary.file.kind));
  const liveOf = new Map<string, TranscriptSummary>();
  for (const summary of summaries) if (summary.file.kind === 'live') liveOf.set(summary.sessionId, summary);
  const chains = new Map<string, Chain>();
  const alone: Chain[] = [];
  for (const summary of summaries) {
    const named = summary.sessionKey ?? facts.ownerOf(summary.file) ?? successorKey(summary, starts, liveOf);
    const link: Link = { summary, startedAt: summary.header?.time ?? summary.firstTime, current: named !== null && summary.file.kind === 'live' && facts.entryOf(named)?.sessionId === summary.sessionId };
    if (named === null) {
      alone.push({ sessionKey: null, entry: null, links: [link] });
      continue;
    }
    const chat = chatOf(named);
    let chain = chains.get(chat);
    if (!chain) {
      chain = { sessionKey: chat, entry: facts.entryOf(chat), links: [] };
      chains.set(chat, chain);
    }
    chain.links.push(link);
  }
  for (const chain of chains.values()) chain.links.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || endOf(a) - endOf(b));
  return [...[...chains.values()].sort((a, b) => ((a.sessionKey ?? '') < (b.sessionKey ?? '') ? -1 : 1)), ...alone];
}

function endOf(link: Link): number {
  return link.summary.file.archivedAt ?? Number.MAX_SAFE_INTEGER;
}

function successorKey(summary: TranscriptSummary, starts: readonly SessionEntry[], liveOf: ReadonlyMap<string, TranscriptSummary>): string | null {
  const at = summary.file.archivedAt;
  if (at === null || summary.file.kind !== 'reset') return null;
  const near = between(starts, at - 1000, at + 1000).filter((entry) => goesOn(summary, entry.sessionId === null ? undefined : liveOf.get(entry.sessionId)));
  return near.length === 1 ? near[0]!.key : null;
}

function between(starts: readonly SessionEntry[], from: number, to: number): SessionEntry[] {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle]!.sessionStartedAt ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const found: SessionEntry[] = [];
  for (let index = low; index < starts.length && (starts[index]!.sessionStartedAt ?? 0) <= to; index++) found.push(starts[index]!);
  return found;
}

/** Channel message ids ascend within a chat; where either side has none, they say nothing against it. */
function goesOn(archive: TranscriptSummary, live: TranscriptSummary | undefined): boolean {
  const last = archive.ambientIds?.at(-1);
  const first = live?.ambientIds?.[0];
  if (last === undefined || first === undefined) return true;
  return /^\d+$/.test(last) && /^\d+$/.test(first) && BigInt(first) > BigInt(last);
}
