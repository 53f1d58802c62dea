import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forEachLine, splitLines, type ByteSource, type Line } from '../../src/io/lines.ts';
import { temporaryFolder } from '../helpers/paths.ts';

type Seen = Pick<Line, 'number' | 'offset' | 'bytes' | 'terminated' | 'oversized'> & { text: string };

function sourceOf(bytes: Buffer, step: number): ByteSource {
  let position = 0;
  return (buffer, offset, length) => {
    const count = Math.min(length, step, bytes.length - position);
    bytes.copy(buffer, offset, position, position + count);
    position += count;
    return count;
  };
}

function collect(bytes: Buffer, step: number, limit?: number): Seen[] {
  const seen: Seen[] = [];
  splitLines(sourceOf(bytes, step), ({ buffer, start, end, number, offset, bytes: length, terminated, oversized }) => {
    seen.push({ text: buffer.toString('latin1', start, end), number, offset, bytes: length, terminated, oversized });
  }, limit);
  return seen;
}

describe('splitLines', () => {
  it('numbers from 1, gives offsets, and tells a last line without newline', () => {
    expect(collect(Buffer.from('a\n\nbc'), 2)).toEqual([
      { text: 'a', number: 1, offset: 0, bytes: 1, terminated: true, oversized: false },
      { text: '', number: 2, offset: 2, bytes: 0, terminated: true, oversized: false },
      { text: 'bc', number: 3, offset: 3, bytes: 2, terminated: false, oversized: false },
    ]);
  });

  it('keeps only the head of an oversized line, and its true length', () => {
    const bytes = Buffer.concat([Buffer.from('x\n'), Buffer.alloc(9_000_000, 'y'), Buffer.from('\nz\n')]);
    const seen = collect(bytes, 100_000, 3_000_000);
    expect(seen.map(({ text, ...rest }) => ({ ...rest, head: text.slice(0, 3), kept: text.length < 5000 }))).toEqual([
      { number: 1, offset: 0, bytes: 1, terminated: true, oversized: false, head: 'x', kept: true },
      { number: 2, offset: 2, bytes: 9_000_000, terminated: true, oversized: true, head: 'yyy', kept: true },
      { number: 3, offset: 9_000_003, bytes: 1, terminated: true, oversized: false, head: 'z', kept: true },
    ]);
  });

  it('agrees with String.split for any bytes and any read size', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', '\n', '\r', '\0'), { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), (characters, step) => {
        const text = characters.join('');
        const wanted = text.split('\n');
        if (wanted.at(-1) === '') wanted.pop();
        const seen = collect(Buffer.from(text, 'latin1'), step);
        expect(seen.map((line) => line.text)).toEqual(wanted);
        for (const line of seen) expect(text.slice(line.offset, line.offset + line.bytes)).toBe(line.text);
      }),
    );
  });
});

it('forEachLine reads a file and returns its size', () => {
  const path = join(temporaryFolder(), 'x.jsonl');
  writeFileSync(path, 'one\ntwo\n');
  const lines: string[] = [];
  expect(forEachLine(path, (line) => lines.push(line.buffer.toString('utf8', line.start, line.end)))).toBe(8);
  expect(lines).toEqual(['one', 'two']);
});
