import { utc, zoneNamed, type Zone } from '../../model/zone.ts';
import type { JudgedEvent, Lineage } from '../../readers/reset-event.ts';
import type { CheckContext } from '../check.ts';

/** A session that took a message after it should have ended. Times are ms. */
export type OverdueSession = { sessionKey: string; sessionId: string; path: string; startedAt: number; policy: string; by: 'daily' | 'idle'; deadline: number; message: number };

/** Everything that is known of the ends of one store's sessions. */
export type ResetFacts = { events: JudgedEvent[]; lineages: Lineage[]; overdue: OverdueSession[] };

export type JudgeOptions = Pick<CheckContext, 'zone' | 'zoneGiven' | 'now'> & { version: string | null };

export function judgeOptions(context: Pick<CheckContext, 'zone' | 'zoneGiven' | 'now' | 'reader'>): JudgeOptions {
  return { zone: context.zone, zoneGiven: context.zoneGiven, now: context.now, version: context.reader.version };
}

const remembered = new WeakMap<object, { key: string; facts: ResetFacts }>();

/** Computes once a store and set of options: several checks and commands ask the same. */
export function once(snapshot: object, options: JudgeOptions, compute: () => ResetFacts): ResetFacts {
  const key = JSON.stringify([options.zone, options.zoneGiven, options.now, options.version]);
  const known = remembered.get(snapshot);
  if (known?.key === key) return known.facts;
  const facts = compute();
  remembered.set(snapshot, { key, facts });
  return facts;
}

export function zoneOf(options: Pick<JudgeOptions, 'zone'>): Zone {
  return zoneNamed(options.zone) ?? utc;
}
