import { join } from 'node:path';
import { expect } from 'vitest';
import type { ScanOptions } from '../../src/checks/scan.ts';
import { makePlan, rescanAs } from '../../src/commands/planning.ts';
import { applyPlan } from '../../src/journal/apply.ts';
import { undoJournal } from '../../src/journal/undo.ts';
import type { Finding } from '../../src/model/finding.ts';
import type { Plan, Step } from '../../src/model/step.ts';
import { contentsOf } from './journal.ts';
import { copyOf, temporaryFolder } from './paths.ts';
import { scanUntouched } from './untouched.ts';

export type RepairCase = Omit<ScanOptions, 'check'> & {
  /** The check whose findings the steps under test settle (they may settle others too). */
  check: string;
  /** Needed where a step is not safe. */
  allow?: 'judgement';
  /** Checks that may have new findings afterwards (say why where it is used). */
  mayAppear?: string[];
  /** Looks at the repaired store. */
  repaired?: (folder: string, plan: Plan) => void | Promise<void>;
};

const clock = Date.parse('2026-12-01T12:00:00Z');

function places(findings: readonly Finding[], root: string): string[] {
  return findings.map((finding) => `${finding.checkId} ${finding.severity} ${finding.session ?? ''} ${finding.sessionKey ?? ''} ${finding.location.path.replace(root, '')}`).sort();
}

/**
 * What every fix must survive, on a copy of a store: scan, plan, apply, second scan without the targeted findings and
 * without new ones, second plan without such steps; undo gives the same bytes (files) or rows (databases); undo of the undo
 * gives the repaired state. Returns the steps that were done.
 */
export async function expectRepairCycle(store: string, { check, allow, mayAppear = [], repaired, ...given }: RepairCase): Promise<Step[]> {
  const root = copyOf(store);
  const state = temporaryFolder();
  process.env.XDG_STATE_HOME = state;
  const journals = join(state, 'journals');
  const options: ScanOptions = { zone: 'UTC', now: clock, ...given };
  const ours = (plan: Plan): Step[] => plan.steps.filter((step) => step.findings.some((finding) => finding.checkId === check));

  const before = contentsOf(root);
  const first = await scanUntouched(root, options);
  expect(first.findings.map((finding) => finding.checkId)).toContain(check);
  const { plan } = await makePlan([root], options, []);
  expect(contentsOf(root)).toEqual(before);
  const steps = ours(plan);
  // Left findings stand beside the count so that a failure says why there is no step.
  expect({ steps: steps.length > 0, left: plan.left.filter((left) => left.checkId === check) }).toEqual({ steps: true, left: expect.anything() });
  if (allow === undefined) expect(steps.map((step) => step.class)).toEqual(steps.map(() => 'safe'));

  const apply = { journals, allowJudgement: allow === 'judgement', steps: steps.map((step) => step.id), dryRun: false, waitMs: 0 };
  const text = JSON.stringify(plan);
  const dry = await applyPlan(plan, text, { ...apply, dryRun: true }, rescanAs(plan.scan, undefined));
  expect(dry.journal).toBeNull();
  expect(contentsOf(root)).toEqual(before);
  const applied = await applyPlan(plan, text, apply, rescanAs(plan.scan, undefined));
  expect(applied.rolledBack).toBeNull();
  await repaired?.(root, plan);
  const after = contentsOf(root);
  expect(after).not.toEqual(before);

  const settled = new Set(steps.flatMap((step) => step.findings.map((finding) => finding.fingerprint)));
  const second = await scanUntouched(root, options);
  const known = places(first.findings.filter((finding) => !settled.has(finding.fingerprint)), root);
  const fresh = places(second.findings.filter((finding) => !mayAppear.includes(finding.checkId)), root);
  for (const place of known) {
    const index = fresh.indexOf(place);
    if (index !== -1) fresh.splice(index, 1);
  }
  expect({ findingsThatAppearedOrStayed: fresh }).toEqual({ findingsThatAppearedOrStayed: [] });
  const again = await makePlan([root], options, []);
  expect(ours(again.plan).filter((step) => steps.some((done) => done.fix === step.fix && done.target === step.target))).toEqual([]);

  const undone = await undoJournal(applied.journal ?? '', { journals, dryRun: false, waitMs: 0 });
  expect(contentsOf(root)).toEqual(before);
  expect((await scanUntouched(root, options)).findings.map((finding) => finding.fingerprint)).toEqual(first.findings.map((finding) => finding.fingerprint));
  await undoJournal(undone.journal ?? '', { journals, dryRun: false, waitMs: 0 });
  expect(contentsOf(root)).toEqual(after);
  return steps;
}
