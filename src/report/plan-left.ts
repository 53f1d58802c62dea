import type { LeftFinding } from '../model/step.ts';
import { indented } from './plan-step.ts';
import { printable } from './printable.ts';
import { findingName } from './session-name.ts';
import type { Style, TextOptions } from './style.ts';

/** Findings without a step, those with one reason together. */
export function leftLines(left: readonly LeftFinding[], options: TextOptions, style: Style): string[] {
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
