import { syntaxProblem } from '../model/errors.ts';
import type { Finding } from '../model/finding.ts';
import type { Action, LeftFinding, Step, StepDraft } from '../model/step.ts';
import type { OpenStore } from '../stores/discover.ts';
import type { Fix, FixContext, FixOutcome } from './fix.ts';
import { overlapGuard } from './overlap.ts';

export type StorePlan = { steps: Step[]; left: LeftFinding[] };

/** Puts the actions of a step aside and returns what reads them back each time that they are wanted. */
export type Shelve = (actions: readonly Action[]) => () => Action[];

function ask(fix: Fix, finding: Finding, opened: OpenStore, context: FixContext): FixOutcome {
  const none: FixOutcome = { left: `${fix.meta.id} does not know ${opened.product} stores` };
  switch (opened.product) {
    case 'openclaw':
      return fix.openclaw?.(finding, opened.snapshot, context) ?? none;
    case 'opencode':
      return fix.opencode?.(finding, opened.snapshot, context) ?? none;
    case 'mimocode':
      return fix.mimocode?.(finding, opened.snapshot, context) ?? none;
    case 'hermes':
      return fix.hermes?.(finding, opened.snapshot, context) ?? none;
  }
}

/**
 * Turns the findings of one opened store into steps, one decision each, numbered from `first`; findings of one target are
 * settled by one step. What gets no step is named with the reason. With `shelve` only the ids that are written stay in memory.
 */
export function planStore(opened: OpenStore, findings: readonly Finding[], fixes: readonly Fix[], context: FixContext, first: number, shelve: Shelve | null = null): StorePlan {
  const guard = overlapGuard();
  const steps = new Map<string, Step>();
  const left: LeftFinding[] = [];
  const leave = (finding: Finding, reason: string, alternatives: string[] = []): void => {
    const { checkId, severity, store, session, sessionKey, fingerprint } = finding;
    left.push({ checkId, severity, store, session, sessionKey, fingerprint, reason, alternatives });
  };
  for (const finding of findings) {
    const { fix: wanted } = finding;
    if (wanted.id === null || wanted.class === 'none') {
      const declined = fixes.find((candidate) => candidate.declines && candidate.meta.checks.includes(finding.checkId))?.declines?.(finding, context);
      leave(finding, declined?.left ?? 'no fix exists', declined?.alternatives ?? [`sessionfsck explain ${finding.checkId}`]);
      continue;
    }
    const fix = fixes.find((candidate) => candidate.meta.id === wanted.id);
    if (!fix) {
      leave(finding, `this version has no ${wanted.id}`);
      continue;
    }
    let outcome: FixOutcome;
    try {
      outcome = ask(fix, finding, opened, context);
    } catch (error) {
      leave(finding, `${wanted.id} could not be planned: ${syntaxProblem(error)}`);
      continue;
    }
    const open = 'left' in outcome ? outcome : null;
    if (open) leave(finding, open.left, open.alternatives);
    if (!('steps' in outcome)) continue;
    // A finding that some step cannot settle must not be expected to go.
    const settles = open ? [] : [{ checkId: finding.checkId, fingerprint: finding.fingerprint }];
    const settledBy: Step[] = [];
    let reason = outcome.steps.length === 0 && open === null ? 'nothing is left to be done' : null;
    for (const draft of outcome.steps) {
      const key = JSON.stringify([fix.meta.id, draft.target]);
      const known = steps.get(key);
      if (known) {
        known.findings.push(...settles);
        settledBy.push(known);
        continue;
      }
      const owner = guard.collides(draft);
      if (owner !== null) {
        reason = `${fix.meta.id} would write where step ${owner} writes: plan again after that one`;
        continue;
      }
      const id = String(first + steps.size);
      guard.add(draft, id);
      const step = shelved(toStep(draft, fix, finding, id, settles), shelve);
      steps.set(key, step);
      settledBy.push(step);
    }
    if (reason === null) continue;
    leave(finding, reason);
    for (const step of settledBy) step.findings = step.findings.filter((one) => one.fingerprint !== finding.fingerprint);
  }
  return { steps: [...steps.values()], left };
}

function toStep(draft: StepDraft, fix: Fix, finding: Finding, id: string, settles: Step['findings']): Step {
  const { target, session, title, consequences, alternatives, actions } = draft;
  return {
    id,
    fix: fix.meta.id,
    class: draft.class ?? (finding.fix.class === 'safe' ? 'safe' : 'judgement'),
    store: finding.store,
    target,
    session,
    sessionKey: draft.sessionKey ?? finding.sessionKey,
    title,
    consequences,
    alternatives,
    findings: [...settles],
    actions,
  };
}

function shelved(step: Step, shelve: Shelve | null): Step {
  if (shelve === null) return step;
  const read = shelve(step.actions);
  return {
    ...step,
    get actions() {
      return read();
    },
  };
}
