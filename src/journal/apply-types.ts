import type { Step } from '../model/step.ts';
import type { StoreRef } from '../model/store.ts';
import type { RescanFinding, RescanVerdict } from './rescan.ts';

export type ApplyOptions = {
  /** Folder of all journals. */
  journals: string;
  allowJudgement: boolean;
  /** Only these steps, whatever their class; null: all that are allowed. */
  steps: readonly string[] | null;
  dryRun: boolean;
  waitMs: number;
};

export type ApplyHooks = {
  /** Scans the stores as the plan's scan did. Throws when something could not be read. */
  rescan(stores: readonly StoreRef[]): Promise<RescanFinding[]>;
};

export type ApplyResult = {
  dryRun: boolean;
  /** null in a dry run, and when there was nothing to do. */
  journal: string | null;
  /** An interrupted journal of the same plan was finished. */
  resumed: boolean;
  done: Step[];
  skipped: { step: Step; reason: string }[];
  rescan: RescanVerdict | null;
  /** Why everything was taken back, and the journal of that. */
  rolledBack: { reason: string; journal: string | null } | null;
};
