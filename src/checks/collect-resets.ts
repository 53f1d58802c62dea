import { basename } from 'node:path';
import type { ReadError, Severity } from '../model/finding.ts';
import { atLeast } from '../model/finding.ts';
import { repeatsOf, type Repeat } from '../readers/repeats.ts';
import type { JudgedEvent, Lineage } from '../readers/reset-event.ts';
import { eachStore, refuseDamage } from './each-store.ts';
import { chooseReader, hostZone, type FailOn, type ScanOptions } from './scan.ts';
import { hermesResets } from './shared/hermes-resets.ts';
import { openclawResets } from './shared/openclaw-resets.ts';
import type { ResetFacts } from './shared/reset-facts.ts';

/** Which ends are asked for; times in ms. */
export type ResetFilter = { since?: number; until?: number; session?: string; unexplained?: boolean };

export type CollectedResets = { id: string; name: string; configName: string | null; events: JudgedEvent[]; repeats: Repeat[]; lineages: Lineage[] };

/** The ends of every store's sessions, judged and filtered; stores of products without resets are left out. */
export async function collectResets(paths: readonly string[], options: ScanOptions, filter: ResetFilter = {}): Promise<{ stores: CollectedResets[]; errors: ReadError[]; zone: string }> {
  const zone = options.zone ?? hostZone();
  const stores: CollectedResets[] = [];
  const errors = await eachStore(paths, options, (opened) => {
    if (opened.product === 'openclaw' || opened.product === 'hermes') refuseDamage(opened);
    const reader = chooseReader(opened.snapshot, options.readers);
    const judge = { zone, zoneGiven: options.zone !== undefined, now: options.now ?? Date.now(), version: reader.version };
    const { ref } = opened.snapshot;
    const add = (facts: ResetFacts, config: string | null): void => void stores.push({ id: ref.id, name: `${ref.product}  ${ref.label}`, configName: config === null ? null : basename(config), ...filtered(facts, filter) });
    switch (opened.product) {
      case 'openclaw':
        readAll(opened.snapshot.digests());
        return add(openclawResets(opened.snapshot, judge), opened.snapshot.config.state === 'ok' ? opened.snapshot.config.path : null);
      case 'hermes':
        return add(hermesResets(opened.snapshot, judge), opened.snapshot.config.reset.standard === null ? null : opened.snapshot.config.reset.path);
      case 'opencode':
      case 'mimocode':
        return;
    }
  });
  return { stores, errors, zone };
}

/** What a snapshot keeps of its digests is complete once all were read. */
function readAll(digests: Iterable<unknown>): void {
  const each = digests[Symbol.iterator]();
  while (!each.next().done) continue;
}

function filtered(facts: ResetFacts, filter: ResetFilter): Pick<CollectedResets, 'events' | 'repeats' | 'lineages'> {
  const { since, until, session, unexplained } = filter;
  const wanted = (event: JudgedEvent): boolean =>
    (since === undefined || (event.at !== null && event.at >= since)) &&
    (until === undefined || (event.at !== null && event.at < until)) &&
    (session === undefined || event.sessionId.startsWith(session) || (event.sessionKey?.includes(session) ?? false));
  const inReach = facts.events.filter(wanted);
  const repeats = repeatsOf(inReach);
  const events = inReach.filter((event) => !unexplained || event.verdict !== 'explained').sort((a, b) => (a.at ?? Infinity) - (b.at ?? Infinity) || (a.sessionId < b.sessionId ? -1 : 1));
  const shown = new Set(events);
  const whole = since === undefined && until === undefined && !unexplained;
  const lineages = facts.lineages
    .map((lineage): Lineage => ({ ...lineage, segments: whole ? lineage.segments : lineage.segments.filter((segment) => segment.end !== null && shown.has(segment.end)) }))
    .filter((lineage) => lineage.segments.some((segment) => segment.end !== null && shown.has(segment.end)));
  return { events, repeats, lineages };
}

/** 2 something could not be read, 1 an end is unexplained (warning; zone-mismatch is info) or a chat lost its session repeatedly. */
export function resetsExitCode(stores: readonly CollectedResets[], errors: readonly ReadError[], failOn: FailOn): 0 | 1 | 2 {
  if (errors.length > 0) return 2;
  if (failOn === 'never') return 0;
  const worst: Severity | null = stores.some((store) => store.repeats.length > 0 || store.events.some((event) => event.verdict === 'unexplained'))
    ? 'warning'
    : stores.some((store) => store.events.some((event) => event.verdict === 'zone-mismatch'))
      ? 'info'
      : null;
  return worst !== null && atLeast(worst, failOn) ? 1 : 0;
}
