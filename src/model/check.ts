import type { Confidence, Evidence, FixRef, Location, Severity } from './finding.ts';
import type { Product } from './product.ts';

/** What a check is, apart from how it decides. Its id names its source file, its test and its doc page. */
export type CheckMeta = {
  /** `area/fault`. */
  id: string;
  /** The usual severity; a finding may lower or raise it by reader. */
  severity: Severity;
  /** One line: the fault. */
  title: string;
  /** Products whose stores it looks at. */
  products: readonly Product[];
  fix: FixRef;
  /** Readers that are harmed, in words; a finding may say it more exactly. */
  affects: string;
  /** True for the few checks that may look at a store whose database is damaged. */
  runsOnDamage?: boolean;
};

/** What a check reports; the engine adds store, fingerprint, hint and defaults. */
export type FindingDraft = {
  session: string | null;
  sessionKey?: string | null;
  severity?: Severity;
  confidence?: Confidence;
  message: string;
  details?: string[];
  location: Location;
  evidence: Evidence;
  affects?: string;
  fix?: FixRef;
  /** What tells this finding from others of the same check and session; part of the fingerprint. */
  record?: string | number;
};
