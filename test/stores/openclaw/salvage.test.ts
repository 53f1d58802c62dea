import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { wholeEntries } from '../../../src/stores/openclaw/salvage.ts';

const index = { 'agent:main:a': { sessionId: 'a', sessionFile: '/x/"}{/a.jsonl', updatedAt: 17, nested: { list: [1, { deep: '}' }] } }, 'agent:main:b': { sessionId: 'b', updatedAt: 18, status: 'done' } };

describe('wholeEntries', () => {
  it.each([
    ['a whole index', JSON.stringify(index), ['agent:main:a', 'agent:main:b']],
    ['indented, with a byte order mark', `\ufeff${JSON.stringify(index, null, 2)}`, ['agent:main:a', 'agent:main:b']],
    ['two indexes, one after the other', JSON.stringify(index) + JSON.stringify(index), ['agent:main:a', 'agent:main:b']],
    ['cut in the second, behind its session id', JSON.stringify(index).slice(0, -15), ['agent:main:a', 'agent:main:b']],
    ['cut in the second, before its session id', JSON.stringify(index).slice(0, JSON.stringify(index).indexOf('"b","updated')), ['agent:main:a']],
    ['zero bytes', '', []],
    ['NUL bytes', '\0'.repeat(100), []],
    ['an array', '[{"sessionId":"a"}]', []],
    ['a value that is no object', '{"a":1,"b":{"sessionId":"b"}}', []],
  ])('%s', (_name, text, keys) => {
    expect(wholeEntries(text).map((entry) => entry.key)).toEqual(keys);
  });

  it('gives only what is whole of a cut entry', () => {
    const text = '{"agent:main:b":{"sessionId":"b","updatedAt":17830,"status":"do';
    expect(wholeEntries(text)).toEqual([{ key: 'agent:main:b', value: { sessionId: 'b', updatedAt: 17830 } }]);
    expect(wholeEntries('{"agent:main:b":{"sessionId":"b","updatedAt":178')).toEqual([{ key: 'agent:main:b', value: { sessionId: 'b' } }]);
  });

  it('never invents: every cut gives a prefix of the whole, and anything else gives something without throwing', () => {
    const whole = JSON.stringify(index);
    const entries = wholeEntries(whole);
    fc.assert(
      fc.property(fc.nat(whole.length), (at) => {
        for (const [place, entry] of wholeEntries(whole.slice(0, at)).entries()) {
          expect(entries[place]?.key).toBe(entry.key);
          expect(entries[place]?.value).toMatchObject(entry.value);
        }
      }),
    );
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('{', '}', '"', ':', ',', '\\', 'a', '1', ' ') }), (text) => Array.isArray(wholeEntries(text))));
  });
});
