import { describe, expect, it } from 'vitest';
import { didYouMean, nearWords } from '../../src/model/near.ts';

const known = ['order', 'order/wedged-session', 'order/armed-revert', 'db/corrupt', 'index/corrupt'];

describe('near words', () => {
  it.each([
    ['order/wegded-session', ['order/wedged-session']],
    ['ordr', ['order']],
    ['order/corrupt', ['db/corrupt', 'index/corrupt']],
    ['wedged-session', ['order/wedged-session']],
    ['nothing-of-it', []],
    ['', []],
    ['x'.repeat(100_000), []],
  ])('%s', (word, expected) => expect(nearWords(word, known)).toEqual(expected));

  it('says nothing where nothing is near', () => {
    expect(didYouMean('zzz', known)).toBe('');
    expect(didYouMean('corrupt', known)).toBe('; did you mean db/corrupt or index/corrupt?');
  });
});
