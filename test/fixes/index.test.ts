import { describe, expect, it } from 'vitest';
import { allChecks } from '../../src/checks/index.ts';
import { allFixes } from '../../src/fixes/index.ts';

const wanted = allChecks.flatMap(({ meta }) => (meta.fix.id === null ? [] : [[meta.id, meta.fix.id] as const]));

describe('fixes', () => {
  it.each(wanted)('%s: its fix %s exists, names the check, and plans for a product of it', (checkId, fixId) => {
    const fix = allFixes.find((candidate) => candidate.meta.id === fixId);
    const check = allChecks.find((candidate) => candidate.meta.id === checkId);
    expect(fix?.meta.checks).toContain(checkId);
    expect(check?.meta.products.some((product) => fix?.[product] !== undefined)).toBe(true);
  });

  it('settle only checks that exist', () => {
    const ids = new Set(allChecks.map((check) => check.meta.id));
    expect(allFixes.flatMap((fix) => fix.meta.checks.filter((check) => !ids.has(check)).map((check) => `${fix.meta.id}: ${check}`))).toEqual([]);
  });

  it('are classed as the checks say, and say in one line what they do', () => {
    const odd = wanted.filter(([checkId, fixId]) => {
      const check = allChecks.find((candidate) => candidate.meta.id === checkId);
      const fix = allFixes.find((candidate) => candidate.meta.id === fixId);
      return fix === undefined || fix.meta.title === '' || (check?.meta.fix.class === 'safe' && fix.meta.class === 'judgement');
    });
    expect(odd).toEqual([]);
  });
});
