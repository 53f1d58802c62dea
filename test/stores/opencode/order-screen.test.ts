import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ascends } from '../../../src/stores/opencode/order-screen.ts';

describe('the screen of ids', () => {
  it('agrees with a comparison of the ids one by one', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '0', '\t'), maxLength: 4 }), { minLength: 1, maxLength: 8 }), (ids) => {
        const wanted = ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') <= id);
        expect(ascends(ids.join('\n'), ids.length)).toBe(wanted);
      }),
    );
  });

  it('takes an id that holds the separator, or a NULL that is missing, for disorder', () => {
    expect(ascends('a\nb\nc', 2)).toBe(false);
    expect(ascends('a\nb', 3)).toBe(false);
  });
});
