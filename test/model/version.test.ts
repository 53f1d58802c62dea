import { expect, it } from 'vitest';
import { compareVersions, newestVersion } from '../../src/model/version.ts';

it.each([
  ['1.18.14', '1.18.15', -1],
  ['1.18.9', '1.18.14', -1],
  ['2026.7.1', '2026.7.1-2', -1],
  ['2026.7.1-2', '2026.7.2-beta.1', -1],
  ['2026.7.2-beta.1', '2026.7.2', -1],
  ['2026.7.2-beta.2', '2026.7.2-beta.10', -1],
  ['1.18', '1.18.0', 0],
  ['v1.2.3', '1.2.3', 0],
])('%s against %s', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
  expect(Math.sign(compareVersions(b, a))).toBe(-sign + 0);
});

it('takes the newest and ignores what is no version', () => {
  expect(newestVersion(['local', '1.18.9', '1.18.14', ''])).toBe('1.18.14');
  expect(newestVersion(['local'])).toBeNull();
});
