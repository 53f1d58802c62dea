import { createHash } from 'node:crypto';
import { damageOf } from '../io/sqlite-snapshot.ts';
import type { FindingDraft } from '../model/check.ts';
import { syntaxProblem } from '../model/errors.ts';
import { severities, type Finding, type SkippedCheck } from '../model/finding.ts';
import type { Product } from '../model/product.ts';
import type { StoreRef } from '../model/store.ts';
import type { OpenStore, SnapshotOf } from '../stores/discover.ts';
import type { BaseSnapshot } from '../stores/snapshot.ts';
import type { Check, CheckContext, Handlers } from './check.ts';

export type StoreOutcome = { findings: Finding[]; skipped: SkippedCheck[] };

type ContextBase = Omit<CheckContext, 'store' | 'skip'>;

/** How a run is watched and bounded. */
export type RunControl = {
  /** Time is up: nothing further is begun. */
  expired?: () => boolean;
  /** Called now and then: transcripts or sessions read so far, or the check that runs. */
  onStep?: (step: { digests: number; check: string | null }) => void;
};

/** Gives the event loop a turn so that signals and progress are served. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const breathEveryMs = 50;

/** Runs the checks that apply to one opened store. Nothing a store holds makes it throw. */
export async function runChecks(opened: OpenStore, checks: readonly Check[], context: ContextBase, control: RunControl = {}): Promise<StoreOutcome> {
  switch (opened.product) {
    case 'openclaw':
      return run(opened.snapshot, checks, 'openclaw', context, control);
    case 'opencode':
      return run(opened.snapshot, checks, 'opencode', context, control);
    case 'mimocode':
      return run(opened.snapshot, checks, 'mimocode', context, control);
    case 'hermes':
      return run(opened.snapshot, checks, 'hermes', context, control);
  }
}

async function run<P extends Product>(snapshot: SnapshotOf[P] & BaseSnapshot, checks: readonly Check[], product: P, base: ContextBase, control: RunControl): Promise<StoreOutcome> {
  const { ref } = snapshot;
  const findings: Finding[] = [];
  const skipped = new Map<string, SkippedCheck>();
  const failed = new Set<string>();
  const skip = (checkId: string, reason: string): void => {
    if (!skipped.has(checkId)) skipped.set(checkId, { checkId, store: ref.id, reason });
  };
  const jobs = checks
    .map((check) => ({ check, handlers: check[product] as Handlers<P> | undefined, context: { ...base, store: ref, skip: (reason: string) => skip(check.meta.id, reason) } }))
    .filter((job): job is typeof job & { handlers: Handlers<P> } => job.handlers !== undefined);

  const collect = (check: Check, drafts: () => Iterable<FindingDraft>): void => {
    if (failed.has(check.meta.id)) return;
    try {
      for (const draft of drafts()) findings.push(complete(check, draft, ref));
    } catch (error) {
      failed.add(check.meta.id);
      const damage = damageOf(error);
      const database = snapshot.databases[0];
      if (damage && database) {
        database.damage ??= damage;
        skip(check.meta.id, `the database is damaged: ${damage.detail}`);
      } else {
        snapshot.errors.push({ store: ref.id, message: `check ${check.meta.id} failed: ${syntaxProblem(error)}`, path: ref.path });
        skip(check.meta.id, 'it failed; see errors');
      }
    }
  };
  const damaged = (): boolean => snapshot.databases.some((database) => database.damage !== null);

  let lastBreath = Date.now();
  let digests = 0;
  let cut = false;
  const perDigest = jobs.filter((job) => job.handlers.session !== undefined);
  if (!damaged()) {
    try {
      for (const digest of snapshot.digests()) {
        for (const job of perDigest) {
          const handler = job.handlers.session as (digest: unknown, snapshot: SnapshotOf[P], context: CheckContext) => Iterable<FindingDraft>;
          collect(job.check, () => handler(digest, snapshot, job.context));
        }
        digests++;
        if (Date.now() - lastBreath > breathEveryMs) {
          control.onStep?.({ digests, check: null });
          await breathe();
          lastBreath = Date.now();
          if (control.expired?.()) {
            cut = true;
            break;
          }
        }
      }
    } catch (error) {
      const damage = damageOf(error);
      const database = snapshot.databases[0];
      if (damage && database) database.damage ??= damage;
      else snapshot.errors.push({ store: ref.id, message: syntaxProblem(error), path: ref.path });
    }
  }
  const late = jobs.filter((job) => job.check.meta.runsOnDamage);
  const usual = jobs.filter((job) => !job.check.meta.runsOnDamage);
  for (const job of [...usual, ...late]) {
    if (cut || control.expired?.()) {
      cut = true;
      if (job.handlers.store) skip(job.check.meta.id, 'the time limit was reached before it');
      continue;
    }
    if (damaged() && !job.check.meta.runsOnDamage) {
      skip(job.check.meta.id, 'the database is damaged (db/corrupt)');
      continue;
    }
    const { store } = job.handlers;
    control.onStep?.({ digests, check: job.check.meta.id });
    if (store) collect(job.check, () => store(snapshot, job.context));
    await breathe();
  }
  if (cut) snapshot.errors.push({ store: ref.id, message: `${ref.path} was not finished within the time limit; raise --max-duration, or spread the work with --shard or --rotate`, path: ref.path });
  return { findings: findings.sort(compareFindings), skipped: [...skipped.values()] };
}

function complete(check: Check, draft: FindingDraft, ref: StoreRef): Finding {
  const confidence = draft.confidence ?? 'certain';
  let severity = draft.severity ?? check.meta.severity;
  if (confidence === 'suspect' && severity === 'error') severity = 'warning';
  const fix = draft.fix ?? check.meta.fix;
  const session = draft.session;
  const record = draft.record ?? draft.location.row ?? draft.location.line ?? '';
  return {
    checkId: check.meta.id,
    severity,
    confidence,
    store: ref.id,
    session,
    sessionKey: draft.sessionKey ?? null,
    message: draft.message,
    details: draft.details ?? [],
    location: draft.location,
    evidence: draft.evidence,
    affects: draft.affects ?? check.meta.affects,
    fix,
    hint: fix.class === 'none' ? `sessionfsck explain ${check.meta.id}` : `sessionfsck plan ${shellWord(ref.path)} --check ${check.meta.id} -o plan.json`,
    fingerprint: createHash('sha256')
      .update([check.meta.id, ref.id, session ?? draft.sessionKey ?? '', String(record)].join('\0'))
      .digest('hex')
      .slice(0, 16),
  };
}

/** Quotes a word for a POSIX shell where it needs it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Report order: store, severity, check, session, place. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    compareText(a.store, b.store) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    compareText(a.checkId, b.checkId) ||
    compareText(a.session ?? '', b.session ?? '') ||
    compareText(a.sessionKey ?? '', b.sessionKey ?? '') ||
    compareText(a.location.path, b.location.path) ||
    (a.location.line ?? 0) - (b.location.line ?? 0) ||
    compareRows(a.location.row, b.location.row) ||
    compareText(a.fingerprint, b.fingerprint)
  );
}

/** Row numbers by their value, ids as text. */
function compareRows(a: string | number | undefined, b: string | number | undefined): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareText(String(a ?? ''), String(b ?? ''));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
