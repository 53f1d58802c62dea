import { basename } from 'node:path';
import type { Action, Plan, Step } from '../model/step.ts';
import { body, indented, placeLines, ofStore } from './plan-step.ts';
import { count, groupDigits, printable } from './printable.ts';
import { findingName } from './session-name.ts';
import type { Style, TextOptions } from './style.ts';

/** Steps of one fix in one store that need one decision. */
export type StepGroup = [Step, ...Step[]];

/** Groups of no more than this are told step by step; of larger ones this many are shown. */
export const shownSteps = 3;

/** Steps of one fix, class and store together, in the order of their first ones. */
export function groupSteps(steps: readonly Step[]): StepGroup[] {
  const groups = new Map<string, StepGroup>();
  for (const step of steps) {
    const key = JSON.stringify([step.store, step.fix, step.class]);
    const group = groups.get(key);
    if (group) group.push(step);
    else groups.set(key, [step]);
  }
  return [...groups.values()];
}

/** `1-4,7`: what `--step` takes. */
export function idRanges(ids: readonly string[]): string {
  const ranges: { first: string; last: string }[] = [];
  for (const id of ids) {
    const range = ranges.at(-1);
    if (range && /^\d+$/.test(id) && Number(id) === Number(range.last) + 1) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join(',');
}

/** What an action writes, as a noun and how many of it; null for what only helps others. */
function written(action: Action): [noun: string, number: number] {
  switch (action.kind) {
    case 'edit-json-file':
      return ['JSON value', action.edits.length];
    case 'edit-json-line':
      return ['line', 1];
    case 'remove-lines':
      return ['line', action.count];
    case 'insert-lines':
      return ['new line', action.lines.length];
    case 'rename-file':
    case 'create-file':
    case 'replace-file':
    case 'mirror-rows':
    case 'retire-file':
      return ['file', 1];
    case 'update-rows':
      return ['row', action.rows.length];
    case 'shift-rows':
      return ['row', action.rows];
    case 'delete-rows':
      return ['removed row', action.rows.length];
    case 'edit-json-cell':
      return ['JSON cell', 1];
    case 'insert-rows':
    case 'clone-rows':
      return ['new row', action.rows.length];
    case 'map-ids':
      return ['id', Object.keys(action.mapping).length];
    case 'drop-triggers':
      return ['trigger', action.triggers.length];
  }
}

/** `50 000 ids in opencode.db`: everything that the steps of a group write. */
function totals(group: StepGroup): string {
  const counts = new Map<string, number>();
  const places = new Set<string>();
  for (const step of group) {
    for (const action of step.actions) {
      const [noun, number] = written(action);
      counts.set(noun, (counts.get(noun) ?? 0) + number);
      places.add('database' in action ? action.database : action.path);
    }
  }
  const [place] = places;
  return `${[...counts].map(([noun, number]) => count(number, noun)).join(', ')} in ${places.size === 1 && place !== undefined ? printable(basename(place)) : count(places.size, 'file')}`;
}

/** What is said of all steps once; what is said of some with how many; texts that differ in their numbers only count as one. */
function sharedTexts(group: StepGroup, textsOf: (step: Step) => readonly string[]): string[] {
  const said = new Map<string, { text: string; varies: boolean; steps: Step[] }>();
  for (const step of group) {
    for (const text of textsOf(step)) {
      const key = text.replace(/\d+/g, '#');
      const known = said.get(key);
      if (known) {
        known.steps.push(step);
        known.varies ||= known.text !== text;
      } else said.set(key, { text, varies: false, steps: [step] });
    }
  }
  return [...said.values()].map(({ text, varies, steps }) => {
    const whose = steps.length === group.length ? '' : steps.length === 1 ? `step ${steps[0]?.id}: ` : `${groupDigits(steps.length)} of them: `;
    return `${whose}${varies ? `such as of step ${steps[0]?.id}: ` : ''}${text}`;
  });
}

/** Many steps of one decision: counts, the first of them, what is written, what follows and other ways out. `file` is the plan's. */
export function groupLines(group: StepGroup, plan: Plan, file: string | null, options: TextOptions, style: Style): string[] {
  const [first] = group;
  const range = idRanges(group.map((step) => step.id));
  const lines = [
    `${style.strong(first.fix)}   ${first.class === 'safe' ? style.good('safe') : style.warning('judgement')}   ${count(group.length, 'step')}${range.length <= 40 ? ` (${range})` : ''}`,
    ...indented(`${ofStore(first, plan)}${totals(group)}`, options.width),
  ];
  for (const [index, step] of group.slice(0, shownSteps).entries()) {
    lines.push(`${step.id.padStart(7)}  ${findingName(step)}`.trimEnd(), ...indented(printable(step.title), options.width, `${body}    `, `${body}    `));
    if (index === 0) lines.push(...placeLines(step, plan, options.width - 2, shownSteps).map((line) => `  ${line}`));
  }
  lines.push(...indented(`and ${groupDigits(group.length - shownSteps)} more: ${file === null ? '-o FILE keeps all of them' : `all of them are in ${printable(file)}`}, --verbose shows them`, options.width, `${body}    `, `${body}    `));
  for (const text of sharedTexts(group, (step) => step.consequences)) lines.push(...indented(printable(text), options.width));
  for (const text of sharedTexts(group, (step) => step.alternatives)) lines.push(...indented(`or: ${printable(text)}`, options.width, body, `${body}    `));
  return lines;
}
