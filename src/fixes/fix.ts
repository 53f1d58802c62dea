import type { Finding } from '../model/finding.ts';
import type { Product } from '../model/product.ts';
import type { StepClass, StepDraft } from '../model/step.ts';
import type { StoreRef } from '../model/store.ts';
import type { Reader } from '../model/version.ts';
import type { SnapshotOf } from '../stores/discover.ts';

export type FixContext = {
  store: StoreRef;
  reader: Reader;
  /** ms since the epoch. */
  now: number;
  /** IANA name of the zone of the host that wrote the store. */
  zone: string;
};

export type Left = { left: string; alternatives?: string[] };

/** Steps, or the reason why there is none for this finding. Both: the steps are worth doing, but do not settle all of it. */
export type FixOutcome = { steps: StepDraft[] } | Left | ({ steps: StepDraft[] } & Left);

export type FixMeta = {
  /** As in a finding's `fix.id`; names its source file and its test. */
  id: string;
  /** The usual class; a finding or a step may say otherwise. */
  class: StepClass;
  /** One line: what it does. */
  title: string;
  /** Checks whose findings it settles. */
  checks: readonly string[];
};

/** Plans one finding from the finding's evidence and the snapshot's answers. Pure: no search, no I/O, no clock. */
export type Planner<P extends Product> = (finding: Finding, snapshot: SnapshotOf[P], context: FixContext) => FixOutcome;

/** One kind of repair. `declines`: why it is not offered for a finding of its checks that names no fix, or null. */
export type Fix = { meta: FixMeta; declines?: (finding: Finding, context: FixContext) => Left | null } & { [P in Product]?: Planner<P> };

export function defineFix(fix: Fix): Fix {
  return fix;
}
