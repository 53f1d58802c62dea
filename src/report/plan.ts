import type { Plan, Step } from '../model/step.ts';
import { groupLines, groupSteps, idRanges, shownSteps, type StepGroup } from './plan-group.ts';
import { leftLines } from './plan-left.ts';
import { stepLines } from './plan-step.ts';
import { count, printable } from './printable.ts';
import { styleFor, type Style, type TextOptions } from './style.ts';

/** What a plan would do, a group of steps at a time. `file` is where it was written; null: nowhere. */
export function* planText(plan: Plan, file: string | null, options: TextOptions): Iterable<string> {
  const style = styleFor(options.color);
  const name = file === null ? 'not written (-o FILE keeps it)' : printable(file);
  yield `${style.strong(name)}   ${count(plan.stores.length, 'store')}, ${count(plan.steps.length, 'step')}, ${count(plan.left.length, 'finding')} left without a step\n`;
  const groups = groupSteps(plan.steps);
  for (const group of groups) {
    if (group.length > shownSteps && !options.verbose) yield block(groupLines(group, plan, file, options, style));
    else for (const step of group) yield block(stepLines(step, plan, options, style));
  }
  if (plan.left.length > 0) yield block(leftLines(plan.left, options, style));
  const ending = endLines(plan, groups, file, style);
  if (ending.length > 0) yield block(ending);
}

function block(lines: readonly string[]): string {
  return `\n${lines.join('\n')}\n`;
}

/** How to go on. */
function endLines(plan: Plan, groups: readonly StepGroup[], file: string | null, style: Style): string[] {
  if (plan.steps.length === 0) return ['There is nothing to apply.'];
  if (file === null) return [];
  const judgement = plan.steps.filter((step) => step.class === 'judgement');
  const apply = `sessionfsck apply ${shellWord(file)}`;
  return [
    judgement.length < plan.steps.length ? `apply:   ${apply}` : `try:     ${apply} --dry-run --allow judgement`,
    ...(judgement.length > 0 ? [`         judgement steps run only with --allow judgement, or one by one with --step N`] : []),
    ...decisionLines(groups, style),
    'Nothing was changed by this plan.',
  ];
}

/** Where there are several decisions for a person and one of them is large: what names its steps. */
function decisionLines(groups: readonly StepGroup[], style: Style): string[] {
  if (groups.length < 2) return [];
  const large = groups.filter((group) => group.length > shownSteps && group[0].class === 'judgement');
  return large.flatMap((group) => {
    const range = idRanges(group.map((step: Step) => step.id));
    return range.length > 40 ? [] : [`         all of ${style.strong(group[0].fix)}: --step ${range}`];
  });
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? printable(word) : `'${printable(word).replaceAll("'", "'\\''")}'`;
}
