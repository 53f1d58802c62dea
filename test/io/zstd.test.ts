import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forEachLine } from '../../src/io/lines.ts';
import { unpackZstd, zstdWindowBytes } from '../../src/io/zstd.ts';
import { UnreadableError } from '../../src/model/errors.ts';
import { temporaryFolder } from '../helpers/paths.ts';

/** "hello\nhello\nhello\n" as the zstd program packs it, with a checksum. */
const hello = Buffer.from('28b52ffd04586500003068656c6c6f0a0100e14a11ef0812e1', 'hex');
const hasZstd = spawnSync('zstd', ['--version']).status === 0;

function linesOf(path: string): string[] {
  const lines: string[] = [];
  forEachLine(path, (line) => lines.push(line.buffer.toString('utf8', line.start, line.end)));
  return lines;
}

describe('zstd', () => {
  it('refuses what is no frame, and a window above 128 MiB', () => {
    expect(zstdWindowBytes(Buffer.from('plain text'))).toBeNull();
    const bomb = Buffer.from('28b52ffd00f8010000', 'hex');
    expect(zstdWindowBytes(bomb)).toBe(2 ** 41);
    expect(() => unpackZstd(bomb, 1000)).toThrow(/window/);
    const path = join(temporaryFolder(), 'x.jsonl.zst');
    writeFileSync(path, 'not packed');
    expect(() => linesOf(path)).toThrow(UnreadableError);
  });

  it.skipIf(!hasZstd)('reads what the zstd program packed, also of several frames (skipped where zstd is not installed)', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'x.jsonl');
    const lines = Array.from({ length: 60_000 }, (_, i) => JSON.stringify({ i, text: 'x'.repeat(i % 50), random: Math.sin(i) }));
    writeFileSync(path, `${lines.join('\n')}\n`);
    expect(spawnSync('zstd', ['-q', path]).status).toBe(0);
    expect(linesOf(`${path}.zst`)).toEqual(lines);
    const packed = spawnSync('zstd', ['-q', '-c', path], { maxBuffer: 2 ** 28 }).stdout;
    const twice = join(folder, 'twice.jsonl.zst');
    writeFileSync(twice, Buffer.concat([packed, packed]));
    expect(linesOf(twice)).toEqual([...lines, ...lines]);
    expect(unpackZstd(packed, 10_000_000).toString()).toBe(`${lines.join('\n')}\n`);
    expect(() => unpackZstd(packed, 100_000)).toThrow(/more than/);
    const cut = join(folder, 'cut.jsonl.zst');
    writeFileSync(cut, packed.subarray(0, packed.length / 2));
    expect(() => linesOf(cut)).toThrow(UnreadableError);
  });

  it('reads a frame of its own', () => {
    expect(zstdWindowBytes(hello)).toBeLessThanOrEqual(2 ** 21);
    expect(unpackZstd(hello, 100).toString()).toBe('hello\nhello\nhello\n');
  });
});
