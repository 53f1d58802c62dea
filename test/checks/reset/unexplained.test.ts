import { describe, expect, it } from 'vitest';
import { allChecks } from '../../../src/checks/index.ts';

describe('reset/unexplained', () => {
  it('finds the fault and leaves its look-alikes alone', () => {
    expect(allChecks.find((check) => check.meta.id === 'reset/unexplained')?.meta.title).not.toBe('');
    expect.fail('write the table of cases: the fault first, then each legitimate state that resembles it');
  });
});
