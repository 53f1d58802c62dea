import type { Zone } from '../../model/zone.ts';
import { compareVersions } from '../../model/version.ts';
import { boundaryBefore, type BoundaryArithmetic } from '../boundary.ts';
import type { ResetConfig } from './reset-config.ts';

/** How a build decides whether a session is stale (OpenClaw format notes §3.1, §3.2 and "Settled by running"). */
export type ResetRules = {
  /** Mode when nothing is configured: daily through 2026.7.1, none from 2026.8.1 (PR #111140). */
  defaultMode: 'daily' | 'none';
  /** What daily compares with the boundary: `updatedAt` until PR #71845 (2026-04-26), then the session's start. */
  compares: 'updatedAt' | 'sessionStartedAt';
  arithmetic: BoundaryArithmetic;
  /** From 2026.8.1: a type override that says no mode means daily even where the base mode is none; the legacy keys are gone. */
  newTypes: boolean;
};

export type ResetPolicy = {
  mode: 'daily' | 'idle' | 'none';
  /** 0 to 23. */
  atHour: number;
  /** Null or 0: silence never ends a session. */
  idleMinutes: number | null;
  /** Something of it is written in the configuration. */
  configured: boolean;
  /** Where it comes from: `session.resetByType.group`, `the default`. */
  source: string;
};

export type ChatType = 'thread' | 'group' | 'direct';

const firstSqlite = '2026.8.1';
const startedAtCompared = Date.UTC(2026, 3, 26);
const boundaryFixed = Date.UTC(2026, 8, 8);

/**
 * The rules by which an end at `at` was decided: by the version where one is known and old enough to have written this layout,
 * else by what the layout and the date tell.
 */
export function resetRules(version: string | null, layout: 'jsonl' | 'sqlite', at: number | null): ResetRules {
  const files = layout === 'jsonl';
  const writer = version !== null && files && compareVersions(version, firstSqlite) >= 0 ? null : version;
  const late = at === null || at >= boundaryFixed;
  const wall = writer === null ? late : compareVersions(writer, '2026.9.6') >= 0 || (late && compareVersions(writer, '2026.9.1') >= 0);
  return {
    defaultMode: writer === null ? (files ? 'daily' : 'none') : compareVersions(writer, firstSqlite) >= 0 ? 'none' : 'daily',
    compares: at !== null && at < startedAtCompared ? 'updatedAt' : 'sessionStartedAt',
    arithmetic: !files && wall ? 'wall' : 'carried',
    newTypes: writer === null ? !files : compareVersions(writer, firstSqlite) >= 0,
  };
}

/** The kind of chat that a key names: thread before group before direct. */
export function chatTypeOf(sessionKey: string | null, chatType: string | null): ChatType {
  const key = (sessionKey ?? '').toLowerCase();
  if (key.includes(':thread:') || key.includes(':topic:')) return 'thread';
  if ((chatType !== null && chatType !== 'direct') || key.includes(':group:') || key.includes(':channel:')) return 'group';
  return 'direct';
}

const peerWords = new Set(['direct', 'dm', 'group', 'channel', 'thread', 'topic']);

/** The channel that a key names (`agent:main:telegram:group:…`), else the one its entry records. */
export function channelOf(sessionKey: string | null, entryChannel: string | null): string | null {
  const words = (sessionKey ?? '').split(':');
  if (words[0] === 'agent' && words.length >= 4 && words.slice(3, 5).some((word) => peerWords.has(word))) return words[2]!.toLowerCase();
  return entryChannel?.trim().toLowerCase() || null;
}

function wholeHour(hour: number | undefined): number {
  return hour === undefined ? 4 : Math.min(23, Math.max(0, Math.floor(hour)));
}

/** The policy for one chat: `resetByChannel` replaces everything, `resetByType` goes before `reset`, a base without mode means daily. */
export function resolveResetPolicy(config: ResetConfig, chat: { type: ChatType; channel: string | null }, rules: ResetRules): ResetPolicy {
  const override = chat.channel === null ? undefined : config.resetByChannel?.[chat.channel];
  const base = override ?? config.reset;
  const types = config.resetByType;
  let typeName: string = chat.type;
  let typed = override ? undefined : types?.[typeName];
  if (!override && !typed && chat.type === 'direct' && !rules.newTypes && types?.dm) {
    typeName = 'dm';
    typed = types.dm;
  }
  const legacyIdle = override || rules.newTypes ? undefined : config.idleMinutes;
  let mode: ResetPolicy['mode'];
  if (rules.newTypes) {
    const inherited = typed && base?.mode !== 'none' ? base?.mode : undefined;
    mode = typed?.mode ?? inherited ?? (typed ? 'daily' : undefined) ?? base?.mode ?? (base ? 'daily' : rules.defaultMode);
  } else {
    const explicit = base !== undefined || types !== undefined;
    mode = typed?.mode ?? base?.mode ?? (!explicit && legacyIdle !== undefined ? 'idle' : rules.defaultMode);
  }
  const idle = typed?.idleMinutes ?? base?.idleMinutes ?? legacyIdle;
  const source = override
    ? `session.resetByChannel.${chat.channel}`
    : typed
      ? `session.resetByType.${typeName}`
      : config.reset
        ? 'session.reset'
        : legacyIdle !== undefined
          ? 'session.idleMinutes'
          : 'the default';
  return {
    mode,
    atHour: wholeHour(typed?.atHour ?? base?.atHour),
    idleMinutes: idle === undefined ? (mode === 'idle' ? 0 : null) : Math.floor(idle),
    configured: base !== undefined || typed !== undefined || legacyIdle !== undefined,
    source,
  };
}

/** `daily at 04:00, idle 120 min` as a person would say it. */
export function policyText(policy: ResetPolicy): string {
  const idle = policy.idleMinutes !== null && policy.idleMinutes > 0 ? `idle ${policy.idleMinutes} min` : null;
  switch (policy.mode) {
    case 'daily':
      return `daily at ${String(policy.atHour).padStart(2, '0')}:00${idle ? `, ${idle}` : ''}`;
    case 'idle':
      return idle ?? 'idle without a limit: never';
    case 'none':
      return 'none';
  }
}

/** What the product would have decided about a session at `now`; times are ms. */
export type Freshness = {
  /** The boundary that daily looks at; null without a daily rule. */
  dailyAt: number | null;
  /** When silence ends it; null without a limit. */
  idleAt: number | null;
  stale: 'daily' | 'idle' | null;
};

/**
 * Whether a session is stale at `now`, and which rule says so: the earlier deadline names the reason. `started` is what daily
 * compares, `lastInteraction` what idle counts from; times in the future count as absent.
 */
export function freshnessAt(now: number, session: { started: number | null; lastInteraction: number | null }, policy: ResetPolicy, zone: Zone, arithmetic: BoundaryArithmetic): Freshness {
  if (policy.mode === 'none') return { dailyAt: null, idleAt: null, stale: null };
  const usable = (time: number | null): number | null => (time !== null && time <= now ? time : null);
  const started = usable(session.started) ?? 0;
  const lastInteraction = usable(session.lastInteraction) ?? started;
  const dailyAt = policy.mode === 'daily' ? boundaryBefore(now, policy.atHour, zone, arithmetic) : null;
  const idleAt = policy.idleMinutes !== null && policy.idleMinutes > 0 ? lastInteraction + policy.idleMinutes * 60_000 : null;
  const staleDaily = dailyAt !== null && started < dailyAt;
  const staleIdle = idleAt !== null && now > idleAt;
  const stale = staleDaily && staleIdle ? (dailyAt <= idleAt ? 'daily' : 'idle') : staleIdle ? 'idle' : staleDaily ? 'daily' : null;
  return { dailyAt, idleAt, stale };
}
