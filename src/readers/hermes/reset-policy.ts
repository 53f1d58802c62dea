import { day, instantOf, wallTime, type Zone } from '../../model/zone.ts';
import type { HermesConfig, ResetPolicyFacts } from '../../stores/hermes/types.ts';

const minute = 60_000;
const hour = 60 * minute;

/** When a chat's session ends by itself (Hermes format notes §3.8). */
export type HermesPolicy = {
  mode: 'none' | 'idle' | 'daily' | 'both';
  atHour: number;
  idleMinutes: number;
  /** It is written in a configuration file. */
  configured: boolean;
  /** `session_reset`, `reset_by_platform.telegram`, `the default`. */
  source: string;
};

/** From PR #60194 on nothing resets by time unless it is configured. */
const defaultNoneSince = Date.UTC(2026, 6, 7);
const modes = ['none', 'idle', 'daily', 'both'] as const;

/** Platform and chat type that a session key names: `agent:main:telegram:dm:55001`. */
export function chatOfKey(sessionKey: string): { platform: string | null; chatType: string | null } {
  const [head, , platform, chatType] = sessionKey.split(':');
  return head === 'agent' ? { platform: platform ?? null, chatType: chatType ?? null } : { platform: null, chatType: null };
}

/** The policy for a chat at a time: an override by platform, else by chat type, else the standard one, else the default of that time. */
export function hermesPolicy(config: HermesConfig['reset'], sessionKey: string, at: number | null): HermesPolicy {
  const { platform, chatType } = chatOfKey(sessionKey);
  const fallback = at !== null && at < defaultNoneSince ? 'both' : 'none';
  const own = <T>(table: { [key: string]: T }, key: string | null): T | undefined => (key !== null && Object.hasOwn(table, key) ? table[key] : undefined);
  const byPlatform = own(config.byPlatform, platform);
  if (byPlatform) return stated(byPlatform, `reset_by_platform.${platform}`, fallback);
  const byType = own(config.byType, chatType);
  if (byType) return stated(byType, `reset_by_type.${chatType}`, fallback);
  if (config.standard) return stated(config.standard, 'session_reset', fallback);
  return { mode: fallback, atHour: 4, idleMinutes: 1440, configured: false, source: 'the default' };
}

function stated(facts: ResetPolicyFacts, source: string, fallback: HermesPolicy['mode']): HermesPolicy {
  return { mode: modes.find((mode) => mode === facts.mode) ?? fallback, atHour: facts.atHour ?? 4, idleMinutes: facts.idleMinutes ?? 1440, configured: true, source };
}

/** The policy that a session's own end reason proves, where none is configured: the build that wrote `daily` had one. */
export function provenPolicy(policy: HermesPolicy, reason: string | null): HermesPolicy {
  return policy.mode === 'none' && (reason === 'daily' || reason === 'idle') ? { ...policy, mode: 'both', source: 'the default of the build that stamped it' } : policy;
}

export function hermesPolicyText(policy: HermesPolicy): string {
  const daily = `daily at ${String(policy.atHour).padStart(2, '0')}:00`;
  const idle = `idle ${policy.idleMinutes} min`;
  switch (policy.mode) {
    case 'both':
      return `${daily}, ${idle}`;
    case 'daily':
      return daily;
    case 'idle':
      return idle;
    case 'none':
      return 'none';
  }
}

/** What the gateway would have decided at `now`; times are ms. Wall times are compared without their zone, as the gateway does. */
export type HermesStaleness = { idle: boolean; daily: boolean; boundary: number | null; silence: number };

/** Whether a session last used at `used` is stale at `now`. Idle is tested first, so a long silence is called idle. */
export function staleAt(now: number, used: number, policy: HermesPolicy, zone: Zone): HermesStaleness {
  const local = wallTime(now, zone);
  const usedLocal = wallTime(used, zone);
  const idle = (policy.mode === 'idle' || policy.mode === 'both') && local > usedLocal + policy.idleMinutes * minute;
  if (policy.mode !== 'daily' && policy.mode !== 'both') return { idle, daily: false, boundary: null, silence: now - used };
  const today = Math.floor(local / day) * day + policy.atHour * hour;
  const wall = local < today ? today - day : today;
  return { idle, daily: usedLocal < wall, boundary: instantOf(wall, zone), silence: now - used };
}
