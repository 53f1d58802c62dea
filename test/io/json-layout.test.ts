import { describe, expect, it } from 'vitest';
import { pythonLayout, pythonObject } from '../../src/io/json-layout.ts';

describe('pythonLayout', () => {
  // Each right side is what `python3 -c "json.dumps(json.loads(text), indent=2)"` prints.
  it.each([
    ['{}', '{}'],
    ['[]', '[]'],
    ['{ "a":1 }', '{\n  "a": 1\n}'],
    ['{"a": [1.0, 2e10, 12345678901234567890, -0.0], "b": {}, "c": [], "d": [[{}]]}', '{\n  "a": [\n    1.0,\n    2e10,\n    12345678901234567890,\n    -0.0\n  ],\n  "b": {},\n  "c": [],\n  "d": [\n    [\n      {}\n    ]\n  ]\n}'],
    ['{"Ģ": "é\u007f😀", "x:y": ": , {"}', '{\n  "\\u0122": "\\u00e9\\u007f\\ud83d\\ude00",\n  "x:y": ": , {"\n}'],
    ['{"a": "\\ud83d\\ude00\\n", "b": null, "c": true}', '{\n  "a": "\\ud83d\\ude00\\n",\n  "b": null,\n  "c": true\n}'],
  ])('%s', (text, wanted) => {
    expect(pythonLayout(text)).toBe(wanted);
  });

  it('throws on what is no JSON', () => {
    expect(() => pythonLayout('{"a"')).toThrow('no JSON');
  });

  it('writes objects of texts, keys in ASCII', () => {
    expect(pythonObject([])).toBe('{}');
    expect(pythonObject([{ key: 'a"é', json: '{"b": 1.0}' }])).toBe('{\n  "a\\"\\u00e9": {\n    "b": 1.0\n  }\n}');
  });
});
