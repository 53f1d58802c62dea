import type { InLogReset, OpenclawSnapshot, RowMark, SessionEntry, TranscriptSummary } from '../../stores/openclaw/types.ts';

/** The questions that the sessions of a store's chats are put together from. */
export type ChainFacts = Pick<OpenclawSnapshot, 'entries' | 'transcripts' | 'ownerOf' | 'entryOf' | 'fileOf'>;

/** One transcript as a session of a chat. Times are ms. */
export type Link = {
  summary: TranscriptSummary;
  /** Header time, else the first row's. */
  startedAt: number | null;
  /** The current session of the chat's entry. */
  current: boolean;
  /** The in-log reset that ended this part of a transcript; null for a whole one, and for the last part. */
  endedBy: InLogReset | null;
};

/** The sessions of one chat, in the order in which they began. */
export type Chain = { sessionKey: string | null; entry: SessionEntry | null; links: Link[] };

const kinds = new Set(['live', 'window', 'reset', 'deleted']);

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
 * Puts the transcripts of a store together to chats: by what names the chat of a transcript, else by the one chat a session of
 * which starts when the archive was named and whose channel ids go on, else by the one chat a reset call of which made it:
 * a session that was never used has no trace of its own. Those without a chat stand alone.
 */
export function chainsOf(facts: ChainFacts): Chain[] {
  const summaries = facts.transcripts().filter((summary) => kinds.has(summary.file.kind));
  const chains = new Map<string, Chain>();
  const starts = startIndex();
  const nameless: TranscriptSummary[] = [];
  const add = (summary: TranscriptSummary, named: string): void => {
    const chat = chatOf(named);
    let chain = chains.get(chat);
    if (!chain) {
      chain = { sessionKey: chat, entry: facts.entryOf(chat), links: [] };
      chains.set(chat, chain);
    }
    const open = summary.file.kind === 'live' || summary.file.kind === 'window';
    const current = open && facts.entryOf(named)?.sessionId === summary.sessionId;
    for (const link of linksOf(summary, current)) {
      chain.links.push(link);
      starts.add(chain, link, link.startedAt);
      if (link.current) starts.add(chain, link, chain.entry?.sessionStartedAt ?? null);
    }
  };
  for (const summary of summaries) {
    const named = summary.sessionKey ?? facts.ownerOf(summary.file);
    if (named === null) nameless.push(summary);
    else add(summary, named);
  }
  const alone: Chain[] = [];
  const strangers: TranscriptSummary[] = [];
  // From the newest on, so that an archive that found its chat can lead to the one before it.
  for (const summary of nameless.sort((a, b) => (b.file.archivedAt ?? 0) - (a.file.archivedAt ?? 0))) {
    const chat = summary.file.kind === 'reset' && summary.file.archivedAt !== null ? starts.onlyChat(summary, summary.file.archivedAt) : null;
    if (chat === null) strangers.push(summary);
    else add(summary, chat);
  }
  const calls = callIndex(chains.values());
  for (const summary of strangers.sort((a, b) => (a.header?.time ?? 0) - (b.header?.time ?? 0))) {
    const chat = calls.chatThatMade(summary);
    if (chat === null) {
      alone.push({ sessionKey: null, entry: null, links: linksOf(summary, false) });
      continue;
    }
    add(summary, chat);
    calls.add(chat, summary);
  }
  for (const chain of chains.values()) chain.links.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || endOf(a) - endOf(b));
  alone.sort((a, b) => (a.links[0]!.startedAt ?? 0) - (b.links[0]!.startedAt ?? 0));
  return [...[...chains.values()].sort((a, b) => ((a.sessionKey ?? '') < (b.sessionKey ?? '') ? -1 : 1)), ...alone];
}

/** A transcript as sessions: one, or one more than it has in-log resets. */
function linksOf(summary: TranscriptSummary, current: boolean): Link[] {
  let startedAt = summary.header?.time ?? summary.firstTime;
  if (summary.parts.length === 0) return [{ summary, startedAt, current, endedBy: null }];
  return summary.parts.map((part, index): Link => {
    const link: Link = { summary: part.summary, startedAt, current: current && index === summary.parts.length - 1, endedBy: part.endedBy };
    startedAt = part.endedBy?.time ?? startedAt;
    return link;
  });
}

function endOf(link: Link): number {
  return link.endedBy?.time ?? link.summary.file.archivedAt ?? Number.MAX_SAFE_INTEGER;
}

/** A session may begin this long before the archive of its predecessor is named, or after it; ms. */
const startsBefore = 1000;
const startsAfter = 2500;

/** Finds the chats whose sessions began about a time. */
function startIndex(): { add(chain: Chain, link: Link, at: number | null): void; onlyChat(ended: TranscriptSummary, at: number): string | null } {
  const bySecond = new Map<number, { chain: Chain; link: Link; at: number }[]>();
  return {
    add(chain, link, at) {
      if (at === null) return;
      const second = Math.floor(at / 1000);
      const list = bySecond.get(second);
      if (list) list.push({ chain, link, at });
      else bySecond.set(second, [{ chain, link, at }]);
    },
    onlyChat(ended, at) {
      const surely = new Set<string>();
      const perhaps = new Set<string>();
      for (let second = Math.floor((at - startsBefore) / 1000); second <= Math.floor((at + startsAfter) / 1000); second++) {
        for (const start of bySecond.get(second) ?? []) {
          const near = start.at >= at - startsBefore && start.at <= at + startsAfter;
          if (!near || start.chain.sessionKey === null) continue;
          const goes = goesOn(ended, start.link.summary);
          if (goes !== 'no') (goes === 'yes' ? surely : perhaps).add(start.chain.sessionKey);
        }
      }
      const chats = surely.size > 0 ? surely : perhaps;
      const [only] = chats;
      return chats.size === 1 && only !== undefined ? only : null;
    },
  };
}

/** A reset call writes the header of the new session about 1 ms before it names the archive of the old one; ms. */
const calledWithin = 100;

/** Finds the chat whose reset call made a transcript: one of its archives was named right after the header was written. */
function callIndex(chains: Iterable<Chain>): { add(chat: string, summary: TranscriptSummary): void; chatThatMade(summary: TranscriptSummary): string | null } {
  const bySecond = new Map<number, { chat: string; at: number }[]>();
  const add = (chat: string, { file }: TranscriptSummary): void => {
    if (file.kind !== 'reset' || file.archivedAt === null) return;
    const second = Math.floor(file.archivedAt / 1000);
    const list = bySecond.get(second);
    if (list) list.push({ chat, at: file.archivedAt });
    else bySecond.set(second, [{ chat, at: file.archivedAt }]);
  };
  for (const { sessionKey, links } of chains) if (sessionKey !== null) for (const { summary } of links) add(sessionKey, summary);
  return {
    add,
    chatThatMade({ header }) {
      const start = header?.time ?? null;
      if (start === null) return null;
      const second = Math.floor(start / 1000);
      const near = [second, second + 1].flatMap((one) => bySecond.get(one) ?? []).filter(({ at }) => at >= start && at - start <= calledWithin);
      return near.length === 1 ? near[0]!.chat : null;
    },
  };
}

/** Channel message ids ascend within a chat; where either side has none, they say nothing for or against it. */
function goesOn(ended: TranscriptSummary, next: TranscriptSummary): 'yes' | 'no' | 'unknown' {
  const last = ended.ambientIds?.at(-1);
  const first = next.ambientIds?.[0];
  if (last === undefined || first === undefined) return 'unknown';
  return /^\d+$/.test(last) && /^\d+$/.test(first) && BigInt(first) > BigInt(last) ? 'yes' : 'no';
}
