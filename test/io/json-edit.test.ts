import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editJson } from '../../src/io/json-edit.ts';
import { FriendlyError } from '../../src/model/errors.ts';
import type { Json } from '../../src/model/finding.ts';
import type { JsonEdit } from '../../src/model/step.ts';

const remove = (path: (string | number)[], before: Json): JsonEdit => ({ op: 'remove', path, before });
const set = (path: (string | number)[], before: Json | undefined, after: Json): JsonEdit => (before === undefined ? { op: 'set', path, after } : { op: 'set', path, before, after });

describe('editing a JSON text in place', () => {
  it.each<[string, string, JsonEdit[], string]>([
    ['the first of several', '{"a":1,"b":2}', [remove(['a'], 1)], '{"b":2}'],
    ['one in the middle, indented', '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n', [remove(['b'], 2)], '{\n  "a": 1,\n  "c": 3\n}\n'],
    ['the last', '{\n  "a": 1,\n  "b": 2\n}', [remove(['b'], 2)], '{\n  "a": 1\n}'],
    ['the only one', '{ "a" : 1 }', [remove(['a'], 1)], '{}'],
    ['two neighbours and the last', '{"a":1,"b":2,"c":3,"d":4}', [remove(['a'], 1), remove(['b'], 2), remove(['d'], 4)], '{"c":3}'],
    ['all', '{"a":1,"b":2}', [remove(['b'], 2), remove(['a'], 1)], '{}'],
    ['beside numbers that JavaScript cannot hold', '{"n":12345678901234567890,"m":1.0,"x":1e400,"a":[1 , 2]}', [set(['a', 1], 2, 'two')], '{"n":12345678901234567890,"m":1.0,"x":1e400,"a":[1 , "two"]}'],
    ['beside escapes and raw text', '{"k\\u0041":"\\u00e9é","z":null}', [set(['kA'], 'éé', 'x')], '{"k\\u0041":"x","z":null}'],
    ['a new member in the style of the others', '{\n\t"a" : 1\n}', [set(['b'], undefined, { c: [] })], '{\n\t"a" : 1,\n\t"b" : {"c":[]}\n}'],
    ['a new member of an empty object', '{"o":{}}', [set(['o', 'n'], undefined, 1)], '{"o":{"n":1}}'],
    ['after a byte order mark', '\ufeff{"a":1}', [set(['a'], 1, 2)], '\ufeff{"a":2}'],
    ['the root', ' [1] ', [set([], [1], [2])], ' [2] '],
    ['a key that looks like a prototype', '{"__proto__":{"a":1},"b":2}', [remove(['__proto__', 'a'], 1)], '{"__proto__":{},"b":2}'],
  ])('%s', (_name, text, edits, expected) => {
    expect(editJson(text, edits, 'text')).toBe(expected);
  });

  it.each<[string, string, JsonEdit[]]>([
    ['another value', '{"a":1}', [remove(['a'], 2)]],
    ['another type', '{"a":"1"}', [remove(['a'], 1)]],
    ['no such key', '{"a":1}', [remove(['b'], 1)]],
    ['a key that exists', '{"a":1}', [set(['a'], undefined, 1)]],
    ['a key that stands twice', '{"a":1,"a":1}', [remove(['a'], 1)]],
    ['a path through a scalar', '{"a":1}', [remove(['a', 'b'], 1)]],
  ])('%s is refused', (_name, text, edits) => {
    expect(() => editJson(text, edits, 'text')).toThrow(FriendlyError);
  });

  it('means the same as editing the value, for any JSON in any formatting', () => {
    const json = fc.jsonValue({ maxDepth: 4 }).filter((value): value is { [key: string]: Json } => typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0);
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), fc.nat(), fc.boolean(), (value, indent, pick, removes) => {
        const text = JSON.stringify(value, null, indent);
        const parsed: { [key: string]: Json } = JSON.parse(text);
        const keys = Object.keys(parsed);
        const key = keys[pick % keys.length] ?? '';
        const before = parsed[key] ?? null;
        const edited = editJson(text, [removes ? remove([key], before) : set([key], before, 'ü\u0000')], 'text');
        const expected = Object.fromEntries(Object.entries(parsed).flatMap(([name, old]) => (name !== key ? [[name, old]] : removes ? [] : [[name, 'ü\u0000']])));
        expect(JSON.parse(edited)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
