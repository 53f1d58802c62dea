import { parseTime } from '../../model/time.ts';
import { zoneNamed, type Zone } from '../../model/zone.ts';
import type { JudgedEvent, Lineage, Segment } from '../../readers/reset-event.ts';
import { saidAt } from '../../readers/openclaw/chains.ts';
import { openclawLineages, type OpenclawLineage } from '../../readers/openclaw/lineage.ts';
import type { OpenclawEnd } from '../../readers/openclaw/reset-end.ts';
import { overdueOf } from '../../readers/openclaw/overdue.ts';
import { readResetConfig } from '../../readers/openclaw/reset-config.ts';
import { judgeOpenclaw } from '../../readers/openclaw/reset-judge.ts';
import { channelOf, chatTypeOf, policyText, resetRules, resolveResetPolicy, type ResetPolicy } from '../../readers/openclaw/reset-policy.ts';
import { zonesNamedIn } from '../../readers/zone-match.ts';
import type { OpenclawSnapshot } from '../../stores/openclaw/types.ts';
import { once, zoneOf, type JudgeOptions, type OverdueSession, type ResetFacts } from './reset-facts.ts';

/** Judges every end that an OpenClaw store tells of. All digests must have been read. */
export function openclawResets(snapshot: OpenclawSnapshot, options: JudgeOptions): ResetFacts {
  return once(snapshot, options, () => {
    const { config } = readResetConfig(snapshot.config.session);
    const zone = zoneOf(options);
    const chains = openclawLineages(snapshot, config, options.version);
    const ends = chains.flatMap((chain) => chain.ends.filter((end) => end !== null));
    const judge = (): JudgedEvent[] => judgeOpenclaw(ends, zone, zonesNamedIn([snapshot.config.agents, snapshot.config.session, snapshot.config.cron], zoneNamed), {
      zoneGiven: options.zoneGiven,
      now: options.now,
      configRead: snapshot.config.state === 'ok' || snapshot.config.state === 'missing',
      configWrittenAt: writtenAt(snapshot.config.meta),
    });
    let judged = judge();
    if (judged.some((event) => event.verdict !== 'explained') && addNotes(ends, snapshot)) judged = judge();
    const eventOf = new Map(ends.map((end, index) => [end, judged[index]!]));
    const overdue: OverdueSession[] = [];
    const lineages = chains.map((chain): Lineage => {
      const policy = resolveResetPolicy(config, { type: chatTypeOf(chain.sessionKey, chain.entry?.chatType ?? null), channel: channelOf(chain.sessionKey, chain.entry?.channel ?? null) }, resetRules(options.version, snapshot.layout, null));
      const segments = chain.links.map((link, index): Segment => {
        const { summary } = link;
        const end = chain.ends[index] ?? null;
        const late = lateOf(chain, index, policy, { ...options, layout: snapshot.layout }, zone);
        if (late) overdue.push(late);
        return {
          sessionId: summary.sessionId,
          startedAt: link.startedAt,
          lastActivity: summary.lastMessage?.time ?? null,
          lastUser: saidAt(summary.lastPerson),
          rows: summary.rows,
          end: end === null ? null : (eventOf.get(end) ?? null),
          live: link.current,
          compactions: summary.compactionTimes,
          path: summary.file.path,
        };
      });
      return { sessionKey: chain.sessionKey, policy: policyText(policy), configured: policy.configured, segments };
    });
    return { events: judged, lineages, overdue };
  });
}

/** Marks the ends that a session note was written for; true when there was one. */
function addNotes(ends: readonly OpenclawEnd[], snapshot: OpenclawSnapshot): boolean {
  const notes = new Map(snapshot.sessionNotes().map((note) => [note.sessionId, note.name]));
  let found = false;
  for (const end of ends) {
    const note = end.kind === 'delete-archive' ? undefined : notes.get(end.sessionId);
    if (note === undefined) continue;
    end.note = note;
    found = true;
  }
  return found;
}

function lateOf(chain: OpenclawLineage, index: number, current: ResetPolicy, options: JudgeOptions & { layout: 'jsonl' | 'sqlite' }, zone: Zone): OverdueSession | null {
  const link = chain.links[index]!;
  const end = chain.ends[index] ?? null;
  const { summary } = link;
  const startedAt = (link.current ? chain.entry?.sessionStartedAt : null) ?? link.startedAt;
  if (chain.sessionKey === null || startedAt === null || (end === null && !link.current) || end?.kind === 'delete-archive') return null;
  const policy = end?.policy ?? current;
  const rules = end?.rules ?? resetRules(options.version, options.layout, summary.lastTime);
  const late = overdueOf({ sessionKey: summary.sessionKey ?? chain.sessionKey, startedAt, lastUser: saidAt(summary.lastPerson), longestSilence: summary.longestSilence, cliBound: chain.entry?.cliBound ?? false }, policy, rules, zone);
  return late === null ? null : { ...late, sessionKey: chain.sessionKey, sessionId: summary.sessionId, path: summary.file.path, startedAt, policy: policyText(policy) };
}

/** `meta.lastTouchedAt`: when the configuration was written last. */
function writtenAt(meta: unknown): number | null {
  if (typeof meta !== 'object' || meta === null || !('lastTouchedAt' in meta)) return null;
  return typeof meta.lastTouchedAt === 'number' ? meta.lastTouchedAt : parseTime(meta.lastTouchedAt);
}
