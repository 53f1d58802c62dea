import type { LeftFinding, Plan, Step } from '../model/step.ts';
import { actionLines } from './action-text.ts';
import { count, printable, wrap } from './printable.ts';
import { findingName } from './session-name.ts';
import { styleFor, type Style, type TextOptions } from './style.ts';

const body = '     ';

function indented(text: string, width: number, first = body, rest = body): string[] {
  return wrap(text, width - rest.length).map((line, index) => `${index === 0 ? first : rest}${line}`);
}

/** Number, class, fix, whom it concerns; then what is written, what follows, and other ways out. */
function stepLines(step: Step, plan: Plan, options: TextOptions, style: Style): string[] {
  const home = plan.stores.find((store) => store.id === step.store)?.home ?? '/';
  const head = `${step.id.padStart(3)}  ${step.class === 'safe' ? style.good('safe') : style.warning('judgement')}  ${style.strong(step.fix)}`;
  const plain = `${step.id.padStart(3)}  ${step.class}  ${step.fix}`;
  const name = findingName(step);
  const lines = plain.length + name.length + 4 <= options.width ? [`${head}${' '.repeat(Math.max(4, 38 - plain.length))}${name}`.trimEnd()] : [head, `${body}${name}`];
  lines.push(...indented(printable(step.title), options.width));
  for (const action of step.actions) {
    for (const line of actionLines(action, home, step.sessionKey, options.verbose ? 1000 : 3)) lines.push(...indented(line, options.width, `${body}  `, `${body}      `).map((text) => text.trimEnd()));
  }
  for (const text of step.consequences) lines.push(...indented(printable(text), options.width));
  for (const text of step.alternatives) lines.push(...indented(`or: ${printable(text)}`, options.width, body, `${body}    `));
  return lines;
}

/** Findings without a step, those with one reason together. */
function leftLines(left: readonly LeftFinding[], options: TextOptions, style: Style): string[] {
  const groups = new Map<string, LeftFinding[]>();
  for (const finding of left) {
    const key = JSON.stringify([finding.checkId, finding.reason]);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  const lines: string[] = [];
  for (const group of groups.values()) {
    const first = group[0];
    if (!first) continue;
    const names = [...new Set(group.map(findingName))].filter((name) => name !== '');
    lines.push(`  ${style.dim('left')}  ${style.strong(first.checkId)}${group.length > 1 ? ` (${group.length})` : ''}  ${names.slice(0, 2).join(', ')}${names.length > 2 ? ', …' : ''}`.trimEnd());
    lines.push(...indented(printable(first.reason), options.width, '        ', '        '));
    for (const text of first.alternatives) lines.push(...indented(`or: ${printable(text)}`, options.width, '        ', '            '));
  }
  return lines;
}

/** What a plan would do. `file` is where it was written; null: nowhere. */
export function renderPlan(plan: Plan, file: string | null, options: TextOptions): string {
  const style = styleFor(options.color);
  const name = file === null ? 'not written (-o FILE keeps it)' : printable(file);
  const lines = [`${style.strong(name)}   ${count(plan.stores.length, 'store')}, ${count(plan.steps.length, 'step')}, ${count(plan.left.length, 'finding')} left without a step`, ''];
  for (const step of plan.steps) lines.push(...stepLines(step, plan, options, style), '');
  if (plan.left.length > 0) lines.push(...leftLines(plan.left, options, style), '');
  if (plan.steps.length === 0) lines.push('There is nothing to apply.');
  else if (file !== null) {
    const judgement = plan.steps.filter((step) => step.class === 'judgement');
    lines.push(`${judgement.length < plan.steps.length ? 'apply:' : 'try:  '}   sessionfsck apply ${shellWord(file)}${judgement.length < plan.steps.length ? '' : ' --dry-run --allow judgement'}`);
    if (judgement.length > 0) lines.push(`         judgement steps run only with --allow judgement, or one by one with --step N`);
    lines.push('Nothing was changed by this plan.');
  }
  while (lines.at(-1) === '') lines.pop();
  return `${lines.join('\n')}\n`;
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? printable(word) : `'${printable(word).replaceAll("'", "'\\''")}'`;
}
