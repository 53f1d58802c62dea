import { describe, expect, it } from 'vitest';
import { chooseSteps } from '../../src/journal/choose-steps.ts';
import type { Plan, Step } from '../../src/model/step.ts';
import { idRanges } from '../../src/report/plan-group.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan.ts';
import { planOf } from '../helpers/journal.ts';
import { temporaryFolder } from '../helpers/paths.ts';

function manySteps(count: number): Plan {
  const folder = temporaryFolder();
  const plan = planOf(folder, [], 'judgement');
  const [pattern] = plan.steps;
  plan.steps = Array.from({ length: count }, (_, index): Step => ({
    id: String(index + 1), fix: 'some-fix', class: 'judgement', store: pattern?.store ?? '', target: `t${index}`, session: `session-${index}`, sessionKey: null,
    title: `${index} of 9 ids`, consequences: ['Said of all.', ...(index < 2 ? [`It does not answer ${index + 1} prompts.`] : [])], alternatives: ['Upgrade.'],
    findings: [{ checkId: 'area/fault', fingerprint: `f${index}` }],
    actions: [{ kind: 'map-ids', database: `${folder}/d.db`, mapping: { [`old${index}`]: `new${index}` }, columns: [{ table: 'message', column: 'id' }] }],
  }));
  return plan;
}

const text = (plan: Plan, verbose: boolean): string => [...planText(plan, 'plan.json', { color: false, verbose, quiet: false, width: 80, paths: [] })].join('');
const times = (whole: string, part: string): number => whole.split(part).length - 1;

describe('the text of a plan', () => {
  it('tells many steps of one decision once, with totals, the first three and where the others are', () => {
    const said = text(manySteps(1000), false);
    expect(said.split('\n').length).toBeLessThan(40);
    expect(said).toMatch(/some-fix +judgement +1000 steps \(1-1000\)\n +1000 ids in d\.db\n/);
    expect([times(said, 'session-'), said.includes('and 997 more: all of them are in plan.json')]).toEqual([3, true]);
    expect([times(said, 'Said of all.'), times(said, 'or: Upgrade.'), said.includes('2 of them: such as of step 1: It does not answer 1 prompts.')]).toEqual([1, 1, true]);
  });

  it('tells all of them with --verbose, and a few of them one by one', () => {
    expect(times(text(manySteps(1000), true), 'session-')).toBe(1000);
    expect(times(text(manySteps(3), false), 'Said of all.')).toBe(3);
  });
});

describe('the file of a plan', () => {
  it.each([0, 1, 30])('is what JSON.stringify gives (%i steps), a step at a time', (count) => {
    const plan = manySteps(count);
    expect([...planJson(plan)].join('')).toBe(`${JSON.stringify(plan, null, 2)}\n`);
  });
});

describe('ids of steps', () => {
  it.each<[string[], string]>([[['1', '2', '3'], '1-3'], [['1', '3', '4', '9'], '1,3-4,9'], [['7'], '7'], [['a', 'b'], 'a,b'], [[], '']])('%j are written %s', (ids, written) => expect(idRanges(ids)).toBe(written));

  it.each<[string[], string[]]>([[['2-4'], ['2', '3', '4']], [['1', '3-3'], ['1', '3']], [['4-99'], ['4', '5']]])('%j names %j', (words, named) => {
    expect(chooseSteps(manySteps(5), { allowJudgement: false, steps: words }).chosen.map((step) => step.id)).toEqual(named);
  });

  it.each(['6-9', '4-2', 'x', '-1'])('%s names none: an error', (word) => {
    expect(() => chooseSteps(manySteps(5), { allowJudgement: false, steps: [word] })).toThrow(/has no step/);
  });
});
