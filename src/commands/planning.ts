import { hostZone, scanStores, type ScanOptions } from '../checks/scan.ts';
import { allFixes } from '../fixes/index.ts';
import { planStore, type Shelve } from '../fixes/planner.ts';
import { storeFingerprint } from '../journal/fingerprint.ts';
import type { ApplyHooks } from '../journal/apply.ts';
import { FriendlyError } from '../model/errors.ts';
import type { Finding, ReadError } from '../model/finding.ts';
import { isProduct } from '../model/product.ts';
import type { Plan, PlannedScan } from '../model/step.ts';
import { isoTime } from '../model/time.ts';
import { toolVersion } from '../model/tool.ts';
import { formatReader, type Reader } from '../model/version.ts';
import { discover } from '../stores/discover.ts';

/**
 * Scans and plans in one go, so that the steps rest on the very snapshot that the checks saw. `sessions` empty: all. With
 * `shelve` the actions of the steps are put aside, and read back by whoever looks at them. `read`: stores that were read;
 * `unknown`: names of `sessions` that no finding has.
 */
export async function makePlan(paths: readonly string[], options: ScanOptions, sessions: readonly string[], shelve: Shelve | null = null): Promise<{ plan: Plan; errors: ReadError[]; read: number; unknown: string[] }> {
  const { stores: refs, errors: discovery } = discover(paths);
  const now = options.now ?? Date.now();
  const zone = options.zone ?? hostZone();
  const scan: PlannedScan = {
    zone,
    zoneGiven: options.zone !== undefined,
    now: isoTime(now) ?? '',
    readers: (options.readers ?? []).map(formatReader),
    check: [...(options.check ?? [])],
    skip: [...(options.skip ?? [])],
    deep: options.deep ?? false,
  };
  const plan: Plan = { schemaVersion: 1, kind: 'sessionfsck-plan', tool: { name: 'sessionfsck', version: toolVersion }, created: isoTime(Date.now()) ?? '', scan, stores: [], steps: [], left: [] };
  const fingerprints = new Map(refs.map((ref) => [ref.id, storeFingerprint(ref)]));
  const wanted = (finding: Finding): boolean => sessions.length === 0 || sessions.some((name) => finding.session === name || finding.sessionKey === name);
  const result = await scanStores(
    refs,
    {
      ...options,
      now,
      onScanned(opened, findings, reader) {
        const { ref } = opened.snapshot;
        const fingerprint = fingerprints.get(ref.id);
        if (!fingerprint || !findings.some(wanted)) return;
        const { steps, left } = planStore(opened, findings.filter(wanted), allFixes, { store: ref, reader, now, zone }, plan.steps.length + 1, shelve);
        const settling = new Map<string, number>();
        for (const step of steps) for (const one of new Set(step.findings.map((settled) => settled.fingerprint))) settling.set(one, (settling.get(one) ?? 0) + 1);
        plan.steps.push(...steps);
        plan.left.push(...left);
        plan.stores.push({
          ...ref,
          reader: formatReader(reader),
          fingerprint,
          findings: findings.map(({ checkId, severity, fingerprint: finding, session, sessionKey }) => ({ checkId, severity, fingerprint: finding, session, sessionKey, steps: settling.get(finding) ?? 0 })),
        });
      },
    },
    discovery,
  );
  const changed = result.stores.filter((store) => !store.unchanged && plan.steps.some((step) => step.store === store.id));
  if (changed[0]) throw new FriendlyError(`${changed[0].path} changed while it was scanned: a plan would rest on what is gone`, 'stop the product, then plan again');
  const unknown = sessions.filter((name) => !result.findings.some((finding) => finding.session === name || finding.sessionKey === name));
  return { plan, errors: result.errors, read: result.stores.length, unknown };
}

function readersOf(texts: readonly string[]): Reader[] {
  return texts.flatMap((text): Reader[] => {
    const at = text.indexOf('@');
    const product = text.slice(0, at);
    return isProduct(product) ? [{ product, version: text.slice(at + 1), source: 'option' }] : [];
  });
}

/** Scans again exactly as the plan's scan did. */
export function rescanAs(scan: PlannedScan, snapshotDir: string | undefined): ApplyHooks {
  return {
    async rescan(stores) {
      const now = Date.parse(scan.now);
      const result = await scanStores(stores, {
        check: scan.check,
        skip: scan.skip,
        deep: scan.deep,
        readers: readersOf(scan.readers),
        snapshotDir,
        ...(scan.zoneGiven ? { zone: scan.zone } : {}),
        ...(Number.isNaN(now) ? {} : { now }),
      });
      const error = result.errors[0];
      if (error) throw new FriendlyError(error.message);
      return result.findings;
    },
  };
}
