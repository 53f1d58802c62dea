import { UsageError } from '../model/errors.ts';
import type { Plan, Step } from '../model/step.ts';
import type { ApplyOptions, ApplyResult } from './apply-types.ts';

/** The steps that run, and why the others do not. Throws UsageError for a step that the plan does not have. */
export function chooseSteps(plan: Plan, options: Pick<ApplyOptions, 'allowJudgement' | 'steps'>): { chosen: Step[]; skipped: ApplyResult['skipped'] } {
  for (const id of options.steps ?? []) {
    if (!plan.steps.some((step) => step.id === id)) throw new UsageError(`the plan has no step ${id}`, `its steps are ${plan.steps.map((step) => step.id).join(', ') || 'none'}`);
  }
  const chosen: Step[] = [];
  const skipped: ApplyResult['skipped'] = [];
  for (const step of plan.steps) {
    if (options.steps !== null && !options.steps.includes(step.id)) skipped.push({ step, reason: 'not named by --step' });
    else if (step.class === 'judgement' && options.steps === null && !options.allowJudgement) skipped.push({ step, reason: `needs --allow judgement or --step ${step.id}` });
    else chosen.push(step);
  }
  return { chosen, skipped };
}
