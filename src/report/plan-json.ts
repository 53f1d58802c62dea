import type { Plan } from '../model/step.ts';
import { safeJson } from './printable.ts';

function indented(value: unknown, columns: number): string {
  // JSON holds a line break only between its parts.
  return safeJson(value, 2).replaceAll('\n', `\n${' '.repeat(columns)}`);
}

/**
 * A plan as JSON that a person can edit, in pieces: a step at a time, so that memory does not grow with the plan. Together they
 * are what `JSON.stringify(plan, null, 2)` gives, characters that a terminal would obey escaped.
 */
export function* planJson(plan: Plan): Iterable<string> {
  const { steps, left, ...head } = plan;
  yield safeJson(head, 2).slice(0, -2);
  for (const [name, items] of [['steps', steps], ['left', left]] as const) {
    yield `,\n  "${name}": [`;
    let first = true;
    for (const item of items) {
      yield `${first ? '\n' : ',\n'}    ${indented(item, 4)}`;
      first = false;
    }
    yield first ? ']' : '\n  ]';
  }
  yield '\n}\n';
}
