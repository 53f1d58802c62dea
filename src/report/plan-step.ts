import type { Plan, Step } from '../model/step.ts';
import { actionLines } from './action-text.ts';
import { printable, wrap } from './printable.ts';
import { findingName } from './session-name.ts';
import type { Style, TextOptions } from './style.ts';

export const body = '     ';

/** A text broken into lines of at most `width` columns, `first` before the first of them, `rest` before the others. */
export function indented(text: string, width: number, first = body, rest = body): string[] {
  return wrap(text, width - rest.length).map((line, index) => `${index === 0 ? first : rest}${line}`);
}

/** The places that a step writes to, with before and after; `most` rows or edits of each action. */
export function placeLines(step: Step, plan: Plan, width: number, most: number): string[] {
  const home = plan.stores.find((store) => store.id === step.store)?.home ?? '/';
  return step.actions.flatMap((action) => actionLines(action, home, step.sessionKey, most)).flatMap((line) => indented(line, width, `${body}  `, `${body}      `).map((text) => text.trimEnd()));
}

/** Whose step it is, where a plan is about several stores: two agents may have chats of one name. */
export function ofStore(step: Step, plan: Plan): string {
  return plan.stores.length > 1 ? `${printable(plan.stores.find((store) => store.id === step.store)?.label ?? '')}: ` : '';
}

/** Number, class, fix, whom it concerns; then what is written, what follows, and other ways out. */
export function stepLines(step: Step, plan: Plan, options: TextOptions, style: Style): string[] {
  const head = `${step.id.padStart(3)}  ${step.class === 'safe' ? style.good('safe') : style.warning('judgement')}  ${style.strong(step.fix)}`;
  const plain = `${step.id.padStart(3)}  ${step.class}  ${step.fix}`;
  const name = findingName(step);
  const lines = plain.length + name.length + 4 <= options.width ? [`${head}${' '.repeat(Math.max(4, 38 - plain.length))}${name}`.trimEnd()] : [head, `${body}${name}`];
  lines.push(...indented(`${ofStore(step, plan)}${printable(step.title)}`, options.width));
  lines.push(...placeLines(step, plan, options.width, options.verbose ? 1000 : 3));
  for (const text of step.consequences) lines.push(...indented(printable(text), options.width));
  for (const text of step.alternatives) lines.push(...indented(`or: ${printable(text)}`, options.width, body, `${body}    `));
  return lines;
}
