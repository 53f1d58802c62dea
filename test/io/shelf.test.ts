import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openShelf } from '../../src/io/shelf.ts';
import { temporaryFolder } from '../helpers/paths.ts';

describe('a shelf', () => {
  it.each(['on disk', 'in memory, where no file can be made'])('%s gives every text back, as often as it is asked', (kind) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const shelf = openShelf(kind === 'on disk' ? folder : join(folder, 'file', 'none'));
    const texts = ['', 'a', 'ü🦀\u0000', 'x'.repeat(3_000_000), 'last'];
    const read = texts.map((text) => shelf.put(text));
    for (const [index, text] of [...texts.entries()].reverse()) expect([read[index]?.() === text, read[index]?.() === text]).toEqual([true, true]);
    shelf.close();
    expect(readdirSync(folder)).toEqual(['file']);
  });
});
