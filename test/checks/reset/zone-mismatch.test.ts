import { describe, expect, it } from 'vitest';
import { allChecks } from '../../../src/checks/index.ts';

describe('reset/zone-mismatch', () => {
  it('finds the fault and leaves its look-alikes alone', () => {
    expect(allChecks.find((check) => check.meta.id === 'reset/zone-mismatch')?.meta.title).not.toBe('');
    expect.fail('write the table of cases: the fault first, then each legitimate state that resembles it');
  });
});
