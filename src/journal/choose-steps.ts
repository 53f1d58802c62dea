import { UsageError } from '../model/errors.ts';
import type { Plan, Step } from '../model/step.ts';
import type { ApplyOptions, ApplyResult } from './apply-types.ts';

/** Ids that are shown of a plan that has many. */
const shownIds = 20;

/** The steps that words such as `7` and `3-9` name. Throws UsageError for a step that the plan does not have. */
function namedSteps(plan: Plan, words: readonly string[]): Set<string> {
  const named = new Set<string>();
  for (const word of words) {
    const range = /^(\d+)-(\d+)$/.exec(word);
    const found = plan.steps.filter(({ id }) => id === word || (range !== null && /^\d+$/.test(id) && Number(id) >= Number(range[1]) && Number(id) <= Number(range[2])));
    if (found.length === 0) {
      const ids = plan.steps.map((step) => step.id);
      throw new UsageError(`the plan has no step ${word}`, `its steps are ${ids.slice(0, shownIds).join(', ') || 'none'}${ids.length > shownIds ? `, … (${ids.length} in all)` : ''}`);
    }
    for (const step of found) named.add(step.id);
  }
  return named;
}

/** The steps that run, and why the others do not. Throws UsageError for a step that the plan does not have. */
export function chooseSteps(plan: Plan, options: Pick<ApplyOptions, 'allowJudgement' | 'steps'>): { chosen: Step[]; skipped: ApplyResult['skipped'] } {
  const named = options.steps === null ? null : namedSteps(plan, options.steps);
  const chosen: Step[] = [];
  const skipped: ApplyResult['skipped'] = [];
  for (const step of plan.steps) {
    if (named !== null && !named.has(step.id)) skipped.push({ step, reason: 'not named by --step' });
    else if (step.class === 'judgement' && named === null && !options.allowJudgement) skipped.push({ step, reason: `needs --allow judgement or --step ${step.id}` });
    else chosen.push(step);
  }
  return { chosen, skipped };
}
